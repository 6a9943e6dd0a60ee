import Foundation
import ScannerInvariants
import SeededRandom

/// Changes Swift files at random and gives them to the generator.
///
///     mutation-fuzzer [--seed N] [--case N] [--seconds N] [--log FILE] FOLDER …
///
/// A case follows from the seed, its number and the files alone, so that it can be run again by itself.
@main
struct MutationFuzzer {
    var seed = Seeds.one
    var onlyCase: Int?
    var seconds = 60.0
    var log: FileHandle?
    var folders: [String] = []
    private var outputs = OutputCheck()

    static func main() throws {
        var fuzzer = MutationFuzzer()
        fuzzer.readArguments()
        try fuzzer.run()
    }

    private mutating func readArguments() {
        var arguments = CommandLine.arguments.dropFirst()
        while let argument = arguments.popFirst() {
            switch argument {
            case "--seed": seed = arguments.popFirst().flatMap { UInt64($0) } ?? seed
            case "--case": onlyCase = arguments.popFirst().flatMap { Int($0) }
            case "--seconds": seconds = arguments.popFirst().flatMap { Double($0) } ?? seconds
            case "--log":
                let path = arguments.popFirst() ?? "/dev/null"
                _ = FileManager.default.createFile(atPath: path, contents: nil)
                log = FileHandle(forWritingAtPath: path)
            default: folders.append(argument)
            }
        }
    }

    private mutating func run() throws {
        let corpus = Corpus(folders)
        guard !corpus.files.isEmpty else { return fail("there are no Swift files in \(folders)") }
        print("seed \(seed), \(corpus.files.count) files")
        if let onlyCase {
            try runCase(onlyCase, corpus, showsText: true)
            return report(1)
        }
        let end = Date(timeIntervalSinceNow: seconds)
        var number = 0
        while Date() < end {
            try runCase(number, corpus, showsText: false)
            number += 1
        }
        report(number)
    }

    private mutating func runCase(_ number: Int, _ corpus: Corpus, showsText: Bool) throws {
        var mutation = Mutation(corpus, SeededGenerator(seed: seed, stream: number))
        let text = mutation.makeText()
        if showsText { print(String(decoding: text, as: UTF8.self)) }
        // A crash leaves the number behind, and so does the alarm that ends what hangs.
        try log?.seek(toOffset: 0)
        log?.write(Data("--seed \(seed) --case \(number)          \n".utf8))
        alarm(20)
        do {
            guard let output = try ScannerInvariants.check(text) else { return }
            if let problem = outputs.add(output, of: text, name: "--seed \(seed) --case \(number)") { fail(problem) }
        } catch {
            fail("--seed \(seed) --case \(number): \(error)")
        }
    }

    private mutating func report(_ count: Int) {
        alarm(0)
        if let problem = outputs.finish() { fail(problem) }
        print(
            "\(count) cases, \(outputs.count) outputs read by the compiler, \(outputs.brokenCount) of texts that it can't read"
        )
    }

    private func fail(_ message: String) {
        fflush(nil)
        FileHandle.standardError.write(Data("mutation-fuzzer: \(message)\n".utf8))
        exit(1)
    }
}
