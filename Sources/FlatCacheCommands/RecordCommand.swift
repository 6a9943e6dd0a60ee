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
