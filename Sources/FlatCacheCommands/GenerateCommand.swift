import RelationshipGenerator

/// `flatcache generate`: reads the sources of a target and writes its accessors.
package struct GenerateCommand {
    private let target: TargetSources
    private let output: String

    @_optimize(none)
    init(_ arguments: [String]) throws(CommandError) {
        let arguments = try Arguments(arguments, knowing: [.output, .template])
        target = try arguments.onlyTarget()
        output = try arguments.required(.output, "FILE")
        guard !target.hasWrittenSource(output) else {
            throw .usage("'\(output)' is a source, and can't be the output, too")
        }
        guard target.template != output else {
            throw .usage("'\(output)' is the template, and can't be the output, too")
        }
    }

    @_optimize(none)
    func run() throws(CommandError) -> Outcome {
        let generator = try target.generator()
        let sources = try target.read()
        let generated: (text: String, notes: [Diagnostic])
        do throws(RelationshipGenerator.Failure) {
            generated = try generator.generateWithNotes(from: sources)
        } catch {
            throw .failure(error.diagnostics.map(\.description))
        }
        var outcome = try Outcome(of: generated.text, writtenTo: output)
        outcome.messages = generated.notes.map(\.description)
        return outcome
    }
}

extension GenerateCommand {
    /// The command for the programs that have it.
    package static var command: Command {
        Command(name: "generate", summary: "writes the accessors of a target", help: help) {
            arguments,
            _ throws(CommandError) in
            try GenerateCommand(arguments).run()
        }
    }

    private static let help = """
        Writes the accessors of a target, if they have changed.

        USAGE: flatcache generate --target NAME --output FILE [SOURCE …]

          --output FILE     the file to write; '-' prints the accessors. An up-to-date file is not touched, so a rule of make
                            needs a stamp file.

        """
}
