import FlatCacheCommands
import RelationshipGenerator

/// `flatcache record`: writes the copies of the generated accessors.
struct RecordCommand {
    private let copies: ReviewCopies

    init(_ arguments: [String]) throws(CommandError) {
        copies = try ReviewCopies(try Arguments(arguments, knowing: ReviewCopies.options))
    }

    func run() throws(CommandError) -> Outcome {
        let (copies, errors) = try copies.all()
        guard errors.isEmpty else { throw .failure(errors.map(\.description)) }
        var lines = ""
        for copy in copies {
            lines += "\(File.displayedPath(copy.path)): \(try record(copy))\n"
        }
        return Outcome(output: lines)
    }

    /// Writes or removes the file as needed, and returns a message about it.
    private func record(_ copy: ReviewCopies.Copy) throws(CommandError) -> String {
        if copy.isUpToDate { return "up to date" }
        guard let wanted = copy.wanted else {
            try File.remove(copy.path)
            return "removed"
        }
        try File.write(wanted, to: copy.path)
        return "written"
    }
}

extension RecordCommand {
    /// The command for the programs that have it.
    static var command: Command {
        Command(name: "record", summary: "writes the copies that 'review' compares", help: help) {
            arguments,
            _ throws(CommandError) in
            try RecordCommand(arguments).run()
        }
    }

    private static let help = """
        Writes the copies of the accessors that have changed, and removes copies without a target.

        USAGE: flatcache record --copy FILE --target NAME [SOURCE …]
               flatcache record --copies FOLDER {--target NAME [SOURCE …]} …

          --copy FILE       the copy of the accessors of one target
          --copies FOLDER   the folder with a copy for each target with annotations or decodable entities,
                            NAME+Relationships.swift; if it is inside the sources, the copies are compiled with them
          --only NAME       writes only the copy of this target; can be repeated

        """
}
