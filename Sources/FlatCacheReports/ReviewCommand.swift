import FlatCacheCommands
import RelationshipGenerator

/// `flatcache review`: compares copies of the accessors with the accessors that the sources generate, and writes
/// nothing.
struct ReviewCommand {
    private enum Format: String, CaseIterable {
        case text, github
    }

    private let copies: ReviewCopies
    private let format: Format
    /// The command that brings the copies up to date.
    private let remedy: String

    /// Creates the command from its arguments.
    ///
    /// - Parameter written: The arguments as they were written, for messages.
    init(_ arguments: [String], written: [String]) throws(CommandError) {
        let arguments = try Arguments(arguments, knowing: ReviewCopies.options + [.format, .mend])
        copies = try ReviewCopies(arguments)
        format = try arguments.format(Format.self, default: .text)
        if let command = arguments[.mend] {
            remedy = command + arguments.only.map { " --target \(ShellWord.quoted($0))" }.joined()
        } else {
            remedy = (["flatcache", "record"] + Self.removing(["--format"], from: written).map(ShellWord.quoted))
                .joined(separator: " ")
        }
    }

    /// The arguments without the given options and their values.
    private static func removing(_ options: [String], from arguments: [String]) -> [String] {
        var kept: [String] = []
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            if options.contains(argument) {
                rest = rest.dropFirst()
            } else if !options.contains(where: { argument.hasPrefix("\($0)=") }) {
                kept.append(argument)
            }
        }
        return kept
    }

    func run() throws(CommandError) -> Outcome {
        let (copies, errors) = try copies.all()
        var outcome = Outcome()
        var annotations = errors.map(WorkflowAnnotation.init)
        outcome.messages = errors.map(\.description)
        for copy in copies where !copy.isUpToDate {
            let path = File.displayedPath(copy.path)
            let diff = UnifiedDiff(path: path, old: copy.current, new: copy.wanted)
            let message = "\(complaint(about: copy)); run: \(remedy)"
            outcome.messages.append("\(path): error: \(message)")
            if format == .github {
                outcome.output += WorkflowAnnotation.group("Changes in \(path)", diff.text)
            } else {
                outcome.output += diff.text
            }
            annotations.append(
                WorkflowAnnotation(path: path, line: diff.firstLine, title: "Out of date", message: message)
            )
        }
        if format == .github { outcome.output += annotations.flatMap { Array("\($0)\n".utf8) } }
        if !outcome.messages.isEmpty { outcome.status = .findings }
        return outcome
    }

    private func complaint(about copy: ReviewCopies.Copy) -> String {
        if copy.wanted == nil { return "the sources of '\(copy.target)' generate no accessors any more" }
        if copy.current == nil { return "the copy of the accessors of '\(copy.target)' is missing" }
        return "the copy differs from the accessors that the sources of '\(copy.target)' generate"
    }
}

extension ReviewCommand {
    /// The command for the programs that have it.
    static var command: Command {
        Command(
            name: "review",
            summary: "compares copies of the accessors with the sources, and writes nothing",
            help: help
        ) { arguments, written throws(CommandError) in
            try ReviewCommand(arguments, written: written).run()
        }
    }

    private static let help = """
        Compares the copies of the accessors with the accessors that the sources generate.

        Prints the changes that would update the copies as a unified diff. Standard output has only the diff. Writes nothing.

        USAGE: flatcache review --copy FILE --target NAME [SOURCE …]
               flatcache review --copies FOLDER {--target NAME [SOURCE …]} …

          --copy FILE       the copy of the accessors of one target
          --copies FOLDER   the folder with a copy for each target with annotations or decodable entities,
                            NAME+Relationships.swift; a copy of any other target is reported, too
          --only NAME       reviews only this target; can be repeated
          --format FORMAT   'text' (the default), or 'github' for workflow annotations of GitHub Actions
          --mend COMMAND    the command to suggest in messages, instead of 'flatcache record …'

        """
}
