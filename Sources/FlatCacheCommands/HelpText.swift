/// The texts that `--help` prints.
enum HelpText: String {
    case overview, generate, review, record, explain, graph

    var text: String {
        switch self {
        case .overview: Self.overviewText
        case .generate: Self.generateText + Self.common
        case .review: Self.reviewText + Self.common
        case .record: Self.recordText + Self.common
        case .explain: Self.explainText + Self.common
        case .graph: Self.graphText + Self.common
        }
    }

    private static let overviewText = """
        Generates accessors for the relationships that comments of Swift sources declare.

        USAGE: flatcache COMMAND --target NAME [SOURCE …]

          generate   writes the accessors of a target
          review     compares copies of the accessors with what the sources generate now; writes nothing
          record     writes those copies
          explain    prints each annotation with what it stands on and the names derived from it
          graph      prints the relationships as a diagram

        'flatcache COMMAND --help' tells more. In a package, 'swift package flatcache review', 'explain' and 'graph' name the
        targets with their sources themselves, and 'swift package flatcache-record' does; there --target NAME selects one.

        EXIT CODES: 0 fine, 1 something was found or a file can't be read or written, 64 wrong arguments

        """

    private static let generateText = """
        Writes the accessors of a target, if they have changed.

        USAGE: flatcache generate --target NAME --output FILE [SOURCE …]

          --output FILE     where to write the accessors; '-' prints them. A file that would stay the same is not touched, so
                            a rule of make needs a stamp.

        """

    private static let reviewText = """
        Compares copies of the accessors, made for reviewers, with what the sources generate now.

        Prints what would change the copies into that, as a unified diff, and nothing else on standard output. Writes nothing.

        USAGE: flatcache review --copy FILE --target NAME [SOURCE …]
               flatcache review --copies FOLDER {--target NAME [SOURCE …]} …

          --copy FILE       the copy of the accessors of one target
          --copies FOLDER   the folder with a copy for each target that has annotations, NAME+Relationships.swift;
                            a copy there of any other target is told too
          --only NAME       reviews this target alone; can be repeated
          --format FORMAT   'text' (the default), or 'github' for annotations of a workflow of GitHub Actions
          --mend COMMAND    the command to name in messages, instead of 'flatcache record …'

        """

    private static let recordText = """
        Writes copies of the accessors for reviewers, where they have changed, and removes those of no use any more.

        USAGE: flatcache record --copy FILE --target NAME [SOURCE …]
               flatcache record --copies FOLDER {--target NAME [SOURCE …]} …

          --copy FILE       the copy of the accessors of one target
          --copies FOLDER   the folder with a copy for each target that has annotations, NAME+Relationships.swift;
                            keep it outside of the sources, or it is compiled with them
          --only NAME       writes the copy of this target alone; can be repeated

        """

    private static let explainText = """
        Prints each annotation with what it stands on and the names derived from it, or what is wrong with it.

        USAGE: flatcache explain {--target NAME [SOURCE …]} …

          --format FORMAT   'text' (the default) or 'json'
          --only NAME       explains this target alone; can be repeated
          --output FILE     where to write the explanation; otherwise, or for '-', it is printed

        """

    private static let graphText = """
        Prints the relationships of models as a diagram: types, and for each relationship how many it leads to.

        USAGE: flatcache graph {--target NAME [SOURCE …]} …

          --format FORMAT   'mermaid' (the default) or 'dot'
          --only NAME       draws the relationships of this target alone; can be repeated
          --output FILE     where to write the diagram; otherwise, or for '-', it is printed

        """

    private static let common = """
          --target NAME     the target, and so the module, that the sources belong to
          --template FILE   a Mustache template of the target before it, to render instead of the one of the tool
          SOURCE …          all Swift files of the target
          @FILE             stands for the arguments in FILE, one a line; write ./@NAME for a source called so

        EXIT CODES: 0 fine, 1 something was found or a file can't be read or written, 64 wrong arguments

        """
}
