import RelationshipGenerator
import RelationshipTemplates

/// `flatcache generate`: reads the sources of a target and writes its accessors.
struct GenerateCommand {
    private let target: String
    private let output: String
    private let template: String?
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
            guard ["--target", "--output", "--template"].contains(argument) else {
                throw .usage("'\(argument)' is not an option")
            }
            guard let value = rest.popFirst() else { throw .usage("the value of '\(argument)' is missing") }
            guard options.updateValue(value, forKey: argument) == nil else {
                throw .usage("'\(argument)' is there twice")
            }
        }
        guard let target = options["--target"] else { throw .usage("'--target NAME' is missing") }
        guard let output = options["--output"] else { throw .usage("'--output FILE' is missing") }
        guard !sources.contains(output) else { throw .usage("'\(output)' can't be the output and a source") }
        guard options["--template"] != output else { throw .usage("'\(output)' can't be the output and the template") }
        self.target = target
        self.output = output
        template = options["--template"]
        self.sources = sources
    }

    func run() throws(CommandError) {
        let generator = try makeGenerator()
        let sources = try readSources()
        let text: String
        do throws(RelationshipGenerator.Failure) {
            text = try generator.generate(from: sources)
        } catch {
            throw .failure(error.diagnostics.map(\.description).joined(separator: "\n"))
        }
        try File.write(Array(text.utf8), to: output)
    }

    private func makeGenerator() throws(CommandError) -> RelationshipGenerator {
        guard let template else { return RelationshipGenerator(target: target, template: Templates.relationships) }
        return RelationshipGenerator(
            target: target,
            template: String(decoding: try File.read(template), as: UTF8.self),
            templatePath: template,
            partials: Templates.all
        )
    }

    private func readSources() throws(CommandError) -> [RelationshipGenerator.Source] {
        var seen: Set<String> = []
        var read: [RelationshipGenerator.Source] = []
        var errors: [String] = []
        for path in sources where seen.insert(path).inserted {
            do throws(CommandError) {
                guard path.hasSuffix(".swift") else { throw .failure("\(path): error: this is not a Swift file") }
                read.append(RelationshipGenerator.Source(path: path, text: try File.read(path)))
            } catch {
                errors.append(error.message)
            }
        }
        guard errors.isEmpty else { throw .failure(errors.joined(separator: "\n")) }
        return read
    }
}
