import Foundation
import RelationshipGenerator

/// `flatcache generate`: reads the sources of a target and writes its accessors.
struct GenerateCommand {
    private let target: String
    private let output: String
    private let sources: [String]

    init(_ arguments: [String]) throws(CommandError) {
        var options: [String: String] = [:]
        var sources: [String] = []
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            guard argument.hasPrefix("-") else {
                sources.append(argument)
                continue
            }
            guard argument == "--target" || argument == "--output" else {
                throw .usage("'\(argument)' is not an option")
            }
            guard let value = rest.popFirst() else { throw .usage("the value of '\(argument)' is missing") }
            guard options.updateValue(value, forKey: argument) == nil else {
                throw .usage("'\(argument)' is there twice")
            }
        }
        guard let target = options["--target"] else { throw .usage("'--target NAME' is missing") }
        guard let output = options["--output"] else { throw .usage("'--output FILE' is missing") }
        self.target = target
        self.output = output
        self.sources = sources
    }

    func run() throws(CommandError) {
        let sources = try readSources()
        let text: String
        do throws(RelationshipGenerator.Failure) {
            text = try RelationshipGenerator(target: target).generate(from: sources)
        } catch {
            throw .failure(error.diagnostics.map(\.description).joined(separator: "\n"))
        }
        try write(Data(text.utf8))
    }

    private func readSources() throws(CommandError) -> [RelationshipGenerator.Source] {
        var seen: Set<String> = []
        var read: [RelationshipGenerator.Source] = []
        var errors: [String] = []
        for path in sources where seen.insert(path).inserted {
            var isDirectory: ObjCBool = false
            if !FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) {
                errors.append("\(path): error: there is no such file")
            } else if isDirectory.boolValue {
                errors.append("\(path): error: this is a directory; name the Swift files in it")
            } else if !path.hasSuffix(".swift") {
                errors.append("\(path): error: this is not a Swift file")
            } else if let data = FileManager.default.contents(atPath: path) {
                read.append(RelationshipGenerator.Source(path: path, text: Array(data)))
            } else {
                errors.append("\(path): error: the file can't be read")
            }
        }
        guard errors.isEmpty else { throw .failure(errors.joined(separator: "\n")) }
        return read
    }

    /// Writes the file if it has changed, so that what depends on it isn't built again for nothing.
    private func write(_ data: Data) throws(CommandError) {
        if FileManager.default.contents(atPath: output) == data { return }
        do {
            let url = URL(fileURLWithPath: output)
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try data.write(to: url, options: .atomic)
        } catch {
            throw .failure("\(output): error: the file can't be written: \(error.localizedDescription)")
        }
    }
}
