import Foundation

/// Compares the scanner with swift-syntax over all Swift files below some folders.
///
///     ScannerOracle [--seed N] [--every N] [--minimum-lines N] [--whole 1] [--literals FOLDER] FOLDER…
@main
enum ScannerOracle {
    static func main() {
        let arguments: Arguments
        do {
            arguments = try Arguments(Array(CommandLine.arguments.dropFirst()))
        } catch {
            print("error: \(error.message)")
            exit(64)
        }
        let begin = Date()
        let characters =
            CharacterComparison.differences(isWhole: arguments.isWhole)
            + CompilerComparison.differences(isWhole: arguments.isWhole)
        let files =
            Corpus.files(below: arguments.folders).filter { $0.hash % UInt64(arguments.every) == 0 }
            + Corpus.literals(below: arguments.literalFolders)
        let thoroughness: Thoroughness = arguments.isWhole ? .whole : .sample
        let reports = inParallel(files.count) {
            FileReport(of: files[$0], seed: arguments.seed, thoroughness: thoroughness)
        }
        var total = Summary(findings: characters)
        for report in reports { total.add(report) }
        total.describe(seed: arguments.seed, seconds: Date().timeIntervalSince(begin))
        if total.lines < arguments.minimumLines {
            print("error: the corpus has fewer than \(arguments.minimumLines) lines; resolve its package")
            exit(1)
        }
        exit(total.isClean ? 0 : 1)
    }
}

/// What the command was asked to do.
struct Arguments {
    struct Problem: Error { var message: String }

    var seed: UInt64 = 1
    /// Of how many files one is compared.
    var every = 1
    var minimumLines = 0
    /// Whether everything is tried with every file.
    var isWhole = false
    var folders: [String] = []
    /// The folders of tests whose string literals are compared as files.
    var literalFolders: [String] = []

    init(_ words: [String]) throws(Problem) {
        var words = words[...]
        while let word = words.popFirst() {
            guard word.hasPrefix("--") else {
                folders.append(word)
                continue
            }
            guard let text = words.popFirst() else { throw Problem(message: "\(word) needs a value") }
            if word == "--literals" {
                literalFolders.append(text)
                continue
            }
            guard let value = UInt64(text) else { throw Problem(message: "\(word) needs a number") }
            switch word {
            case "--seed": seed = value
            case "--every" where value > 0: every = Int(value)
            case "--whole": isWhole = value > 0
            case "--minimum-lines": minimumLines = Int(value)
            default: throw Problem(message: "\(word) \(value) is not understood")
            }
        }
        if folders.isEmpty { throw Problem(message: "name a folder with Swift files") }
    }
}
