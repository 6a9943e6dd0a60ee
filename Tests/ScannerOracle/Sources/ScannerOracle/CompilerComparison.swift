import Foundation

@testable import RelationshipGenerator

/// Compares what each character beyond ASCII is to the scanner and to the compiler itself, whose lexer isn't swift-syntax's.
///
/// The compiler has no way to print its tables. So it reads files with one declaration a line, and the lines of which it says
/// something are those whose character does not fit.
enum CompilerComparison {
    struct Failure: Error { var message: String }

    /// A place for a character, and whether it fits to the scanner.
    private struct Question: Sendable {
        var place: String
        var before: String
        var behind: String
        /// How what the compiler says of a character begins that doesn't fit; anything, if that is empty.
        var complaint = ""
        var fits: @Sendable (UInt32) -> Bool
    }

    private static let questions = [
        Question(place: "in a name", before: "let a", behind: "b = 0", fits: ScalarClass.isInIdentifier),
        Question(place: "beginning a name", before: "let ", behind: "b = 0", fits: ScalarClass.beginsIdentifier),
        Question(place: "in an operator", before: "infix operator +", behind: "", fits: ScalarClass.isInOperator),
        Question(
            place: "beginning an operator",
            before: "infix operator ",
            behind: "",
            fits: ScalarClass.beginsOperator
        ),
        Question(
            place: "parting names",
            before: "let a",
            behind: "b = 0",
            complaint: "error: found an unexpected second identifier",
            fits: { !ScalarClass.isSpace($0) }
        ),
    ]

    /// The differences, one text each.
    ///
    /// - Parameter isWhole: Whether all characters are compared, and not only the first plane and the edges of the others.
    static func differences(isWhole: Bool) -> [String] {
        // What ASCII means isn't the scanner's table for the rest; of curly quotation marks the compiler makes literals.
        let scalars = CharacterComparison.scalars(isWhole: isWhole) { $0 > 0x7F && $0 != 0x201C && $0 != 0x201D }
        return inParallel(questions.count) { index -> [String] in
            let question = questions[index]
            do {
                let faulty = try faultyLines(of: question, for: scalars)
                return scalars.indices.compactMap { line in
                    let fits = question.fits(scalars[line].value)
                    guard fits == faulty.contains(line) else { return nil }
                    let name = "U+\(String(scalars[line].value, radix: 16))"
                    return
                        "\(name) \(question.place) \(fits ? "fits" : "doesn't fit"), but to the compiler the opposite"
                }
            } catch {
                return ["error: the compiler can't be asked about characters: \(error)"]
            }
        }.flatMap { $0 }
    }

    /// The numbers of the lines of which the compiler complains, from 0.
    private static func faultyLines(of question: Question, for scalars: [Unicode.Scalar]) throws -> Set<Int> {
        let folder = FileManager.default.temporaryDirectory.appending(path: "oracle-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let lines = scalars.map { "\(question.before)\($0)\(question.behind)\n" }
        try Data(lines.joined().utf8).write(to: folder.appending(path: "Lines.swift"))
        let compiler = Process()
        compiler.executableURL = URL(filePath: "/usr/bin/env")
        compiler.arguments = ["swiftc", "-frontend", "-parse", "-diagnostic-style=llvm", "Lines.swift"]
        compiler.currentDirectoryURL = folder
        let output = Pipe()
        compiler.standardError = output
        try compiler.run()
        let messages = try output.fileHandleForReading.readToEnd() ?? Data()
        compiler.waitUntilExit()
        guard !messages.isEmpty else { throw Failure(message: "it says nothing") }
        let complaint = Array(question.complaint.utf8)
        let beginning = Array("Lines.swift:".utf8)
        return Set(
            messages.split(separator: 0x0A).compactMap { message in
                // `Lines.swift:12:7: error: …`
                guard message.starts(with: beginning) else { return nil }
                let parts = message.dropFirst(beginning.count).split(separator: UInt8(ascii: ":"), maxSplits: 2)
                guard parts.count == 3, parts[2].dropFirst().starts(with: complaint) else { return nil }
                return Int(String(decoding: parts[0], as: UTF8.self)).map { $0 - 1 }
            }
        )
    }
}
