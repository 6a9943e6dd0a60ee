import RelationshipGenerator

/// `flatcache generate`: reads the sources of a target and writes its accessors.
struct GenerateCommand {
    private let target: TargetSources
    private let output: String

    init(_ arguments: [String]) throws(CommandError) {
        let arguments = try Arguments(arguments, knowing: [.output, .template])
        target = try arguments.onlyTarget()
        output = try arguments.required(.output, "FILE")
        guard !target.hasWrittenSource(output) else {
            throw .usage("'\(output)' can't be the output and a source")
        }
        guard target.template != output else { throw .usage("'\(output)' can't be the output and the template") }
    }

    func run() throws(CommandError) -> Outcome {
        let generator = try target.generator()
        let sources = try target.read()
        let text: String
        do throws(RelationshipGenerator.Failure) {
            text = try generator.generate(from: sources)
        } catch {
            throw .failure(error.diagnostics.map(\.description))
        }
        return try Outcome(of: text, writtenTo: output)
    }
}
