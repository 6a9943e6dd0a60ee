/// What the command line asks for.
struct Arguments: Equatable {
    /// What to show; the sample timeline when nothing is named.
    var sources: [Source] = [.sample]
    /// How many pages of a server's timeline to load.
    var pageCount = 1
    /// The folder that keeps the statuses, or `nil` for none.
    var folder: String?
    /// Whether to show all statuses rather than the first ones.
    var showsAll = false
    var showsSummaryOnly = false
    var showsHelp = false

    init(_ arguments: some Sequence<String>) throws(UsageError) {
        var named: [Source] = []
        var pageCount: Int?
        var allowsOptions = true
        var iterator = arguments.makeIterator()
        while let argument = iterator.next() {
            switch argument {
            case "--" where allowsOptions: allowsOptions = false
            case "--all" where allowsOptions: showsAll = true
            case "--summary" where allowsOptions: showsSummaryOnly = true
            case "--help" where allowsOptions, "-h" where allowsOptions: showsHelp = true
            case "--pages" where allowsOptions: pageCount = try Arguments.pageCount(iterator.next())
            case "--store" where allowsOptions: folder = try Arguments.folder(iterator.next())
            case _ where allowsOptions && argument.hasPrefix("-"): throw .unknownOption(argument)
            default: named.append(try Source(argument: argument))
            }
        }
        if named.count > 1, named.contains(where: \.isServer) { throw .severalServers }
        if !named.isEmpty { sources = named }
        if let pageCount {
            guard sources.allSatisfy(\.hasPages) else { throw .noPages(sources.map(\.name).joined(separator: ", ")) }
            self.pageCount = pageCount
        }
    }

    private static func pageCount(_ argument: String?) throws(UsageError) -> Int {
        guard let count = argument.flatMap(Int.init), count > 0 else { throw .invalidPageCount(argument) }
        return count
    }

    private static func folder(_ argument: String?) throws(UsageError) -> String {
        guard let argument, !argument.isEmpty else { throw .missingFolder }
        return argument
    }
}

extension Arguments {
    static let help = """
        Shows a Mastodon timeline from a flat cache.

        Usage: timeline [--all | --summary] [--store FOLDER]
                        [FILE.json … | https://SERVER [--pages N]]

          timeline                         what the cache does with a sample, and that
          timeline FILE.json …             responses of Mastodon's API, as one timeline
          timeline https://SERVER          what a server shows to everybody
          timeline https://SERVER/api/…    any other response of a server

        Options:
          --all         show all posts; the first \(Page.usualRowLimit) if left out
          --pages N     load N pages of a server's timeline, from the newest on, and
                        then what was posted meanwhile; one page if left out
          --store FOLDER
                        keep the posts in a folder: the next run shows them, also
                        without the server, and loads what was posted meanwhile
          --summary     count the entities of each type instead of showing them
          -h, --help    show this help

        Statuses, contexts, notifications, conversations, search results, accounts,
        polls and tags are understood. What a server's posts boost, quote or reply to
        is fetched from it, too. Times are UTC. Lines are as wide as the terminal, or
        as the variable COLUMNS says. Colours appear on a terminal only, and not when
        NO_COLOR is set.

        The exit code is 1 when something named can't be shown, or not all of it; the
        rest is shown. It is 64 when the command line can't be understood.

        """
}

extension Source {
    fileprivate var isServer: Bool {
        if case .server = self { true } else { false }
    }

    fileprivate var hasPages: Bool {
        if case .server(let url) = self { APIRequest(url).isTimeline } else { false }
    }
}
