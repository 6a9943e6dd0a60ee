/// What the caller wants, as said on the command line.
public struct Arguments: Equatable, Sendable {
    /// Whether to print a JSON object for each figure in place of the table.
    public var printsJSON = false
    /// What the names of the rows to measure contain; empty for all rows.
    public var filters: [String] = []
    /// How often each row is measured.
    public var rounds = 11
    /// Where to write the plot of cost against number of entities.
    public var plot: String?
    /// Whether to print ``help`` and do nothing else.
    public var wantsHelp = false

    /// Reads arguments.
    ///
    /// - Parameter words: The arguments, without the name of the program.
    /// - Throws: An error that says what is wrong.
    public init(_ words: some Sequence<String>) throws(UsageError) {
        var words = words.makeIterator()
        while let option = words.next() {
            switch option {
            case "--json": printsJSON = true
            case "--filter": filters.append(try Self.value(of: option, words.next()))
            case "--rounds": rounds = try Self.count(of: option, words.next())
            case "--plot": plot = try Self.value(of: option, words.next())
            case "--help", "-h": wantsHelp = true
            default: throw UsageError("There is no option '\(option)'.")
            }
        }
    }

    /// Returns whether a row is to be measured.
    public func wants(_ row: String) -> Bool {
        filters.isEmpty || filters.contains { row.contains($0) }
    }

    private static func value(of option: String, _ word: String?) throws(UsageError) -> String {
        guard let word, !word.isEmpty else { throw UsageError("\(option) needs a value behind it.") }
        return word
    }

    private static func count(of option: String, _ word: String?) throws(UsageError) -> Int {
        let word = try value(of: option, word)
        guard let count = Int(word), count > 0 else {
            throw UsageError("\(option) needs a whole number above 0, not '\(word)'.")
        }
        return count
    }

    /// How the program is used.
    public static let help = """
        Usage: flatcache-benchmark [--json] [--filter TEXT]... [--rounds N] [--plot FILE]

        Measures FlatCache and what one might use in its place, in one process, in turns.

          --json          Print a JSON object for each figure, one a line, instead of the table.
          --filter TEXT   Measure the rows whose names contain TEXT. With several, those that contain any.
          --rounds N      Measure each row N times and take the medians; 11 if left out. Slow rows take fewer.
          --plot FILE     Write a plot of the rows get and overwrite, cost against number of entities, as SVG.
          --help          Print this.
        """
}

/// Says what is wrong with the arguments of a program.
public struct UsageError: Error, Equatable, CustomStringConvertible {
    /// What is wrong.
    public let description: String

    /// Creates an error.
    public init(_ description: String) {
        self.description = description
    }
}
