/// The texts that `--help` prints.
enum HelpText {
    case generate, review, record, explain, graph

    var text: String {
        switch self {
        case .generate: Self.generateText + Self.common
        case .review: Self.reviewText + Self.common
        case .record: Self.recordText + Self.common
        case .explain: Self.explainText + Self.common
        case .graph: Self.graphText + Self.common
        }
    }

    /// The text on all commands.
    static func overview(adding added: [AddedCommand]) -> String {
        let usages = added.map { "\n       flatcache \($0.usage)" }.joined()
        let summaries = added.map { command in
            "\n  \(command.name)\(String(repeating: " ", count: max(1, 11 - command.name.count)))\(command.summary)"
        }.joined()
        return """
            Generates accessors for the relationships that comments in Swift sources declare, and tables of keys for decoding.

            USAGE: flatcache COMMAND --target NAME [SOURCE …]\(usages)

              generate   writes the accessors of a target
              review     compares copies of the accessors with the sources, and writes nothing
              record     writes the copies that 'review' compares
              explain    prints each annotation with its property and its accessors, and the keys of decodable entities
              graph      prints the relationships as a diagram\(summaries)

            'flatcache COMMAND --help' describes a command. In a package, 'swift package flatcache review', 'explain' and 'graph'
            pass all targets with their sources, and so does 'swift package flatcache-record'. There, --target NAME selects one.

            \(exitCodes)

            """
    }

    private static let generateText = """
        Writes the accessors of a target, if they have changed.

        USAGE: flatcache generate --target NAME --output FILE [SOURCE …]

          --output FILE     the file to write; '-' prints the accessors. An up-to-date file is not touched, so a rule of make
                            needs a stamp file.

        """

    private static let reviewText = """
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

    private static let recordText = """
        Writes the copies of the accessors that have changed, and removes copies without a target.

        USAGE: flatcache record --copy FILE --target NAME [SOURCE …]
               flatcache record --copies FOLDER {--target NAME [SOURCE …]} …

          --copy FILE       the copy of the accessors of one target
          --copies FOLDER   the folder with a copy for each target with annotations or decodable entities,
                            NAME+Relationships.swift; if it is inside the sources, the copies are compiled with them
          --only NAME       writes only the copy of this target; can be repeated

        """

    private static let explainText = """
        Prints each annotation with its property and the names of its accessors, the keys of decodable entities, and the
        errors.

        USAGE: flatcache explain {--target NAME [SOURCE …]} …

          --format FORMAT   'text' (the default) or 'json'
          --only NAME       explains only this target; can be repeated
          --output FILE     the file to write; without it, or with '-', the explanation is printed
          --strict          ends with exit code 1 if payloads can't keep or read a property

        """

    private static let graphText = """
        Prints a diagram of the types, the relationships between them, and the number of entities at each end.

        USAGE: flatcache graph {--target NAME [SOURCE …]} …

          --format FORMAT   'mermaid' (the default) or 'dot'
          --only NAME       draws only the relationships of this target; can be repeated
          --output FILE     the file to write; without it, or with '-', the diagram is printed

        """

    private static let common = """
          --target NAME     the name of the target's module
          --template FILE   the Mustache template of the preceding target; replaces the shipped one
          SOURCE …          all Swift files of the target
          @FILE             is replaced by the lines of FILE, one argument each; write ./@NAME for a source named so

        \(exitCodes)

        """

    private static let exitCodes =
        "EXIT CODES: 0 success, 1 errors, differences, or a file that can't be read or written, 64 wrong arguments"
}
