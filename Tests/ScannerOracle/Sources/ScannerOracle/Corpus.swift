import Foundation
import SwiftParser
import SwiftSyntax

/// The files that are compared.
enum Corpus {
    struct File: Sendable {
        enum Content: Sendable {
            case file(path: String)
            case text([UInt8])
        }

        /// The path inside of the folder that was given.
        var name: String
        var content: Content
        /// A number that depends on nothing but the name.
        var hash: UInt64

        init(name: String, _ content: Content) {
            self.name = name
            self.content = content
            hash = name.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
        }

        /// Whether it is the text of a string literal.
        var isLiteral: Bool {
            if case .text = content { true } else { false }
        }

        /// The bytes of the file, or `nil` when it can't be read.
        var text: [UInt8]? {
            switch content {
            case .file(let path): FileManager.default.contents(atPath: path).map { Array($0) }
            case .text(let text): text
            }
        }
    }

    /// All Swift files below folders, in the order of their names; links are not followed.
    static func files(below folders: [String]) -> [File] {
        folders.flatMap { folder -> [File] in
            let root = URL(fileURLWithPath: folder).path
            let enumerator = FileManager.default.enumerator(
                at: URL(fileURLWithPath: root),
                includingPropertiesForKeys: [.isRegularFileKey]
            )
            var files: [File] = []
            while let url = enumerator?.nextObject() as? URL {
                guard url.pathExtension == "swift",
                    (try? url.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile) == true
                else { continue }
                let name = url.path.dropFirst(root.count).drop { $0 == "/" }
                files.append(File(name: String(name), .file(path: url.path)))
            }
            return files.sorted { $0.name < $1.name }
        }
    }

    /// The string literals in all Swift files below folders, as files: those of a parser's tests are small Swift sources.
    static func literals(below folders: [String]) -> [File] {
        let files = files(below: folders)
        return inParallel(files.count) { index -> [File] in
            guard let text = files[index].text else { return [] }
            let visitor = LiteralVisitor(viewMode: .sourceAccurate)
            visitor.walk(text.withUnsafeBufferPointer { Parser.parse(source: $0) })
            return visitor.literals.enumerated().map { number, literal in
                File(name: "\(files[index].name), literal \(number + 1)", .text(Array(literal.utf8)))
            }
        }.flatMap { $0 }
    }

    /// What literals contain that the compiler refuses, or knows only as an experiment, and swift-syntax reads without an
    /// error; and attributes in `#if` in `#if`, of which the scanner takes the outer one for a declaration.
    private static let refused = [
        "var var", "inout content", "inout foo", "inout bar", "Int< >", ": <U, V>", "using", "async func",
        "async deinit",
        "open(set)", ", &\n", "/*'", "#if true\n#if true", "#if hasAttribute(bar)",
    ]

    private final class LiteralVisitor: SyntaxVisitor {
        var literals: [String] = []

        override func visit(_ node: StringLiteralExprSyntax) -> SyntaxVisitorContinueKind {
            guard let value = node.representedLiteralValue, !value.isEmpty else { return .visitChildren }
            guard !Corpus.refused.contains(where: value.contains) else { return .skipChildren }
            // Emoji mark places of which a test speaks.
            literals.append(String(value.filter { !$0.unicodeScalars.contains("\u{20E3}") && $0 != "ℹ️" }))
            return .skipChildren
        }
    }
}
