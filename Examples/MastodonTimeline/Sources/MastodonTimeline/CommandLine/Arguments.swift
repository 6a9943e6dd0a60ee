/// What the command line asks for.
struct Arguments: Equatable {
    /// What to show; the sample timeline when nothing is named.
    var sources: [Source] = [.sample]
    /// How many pages of a server's timeline to load.
    var pageCount = 1
    /// The folder that keeps the statuses, or `nil` for none.
    var folder: String?
    /// What to change on the server, in this order.
    var actions: [Action] = []
    /// The access token for the actions.
    var token: String?
    /// Whether to show all statuses rather than the first ones.
    var showsAll = false
    var showsSummaryOnly = false
    var showsHelp = false

    /// Understands a command line.
    ///
    /// - Parameters:
    ///   - arguments: The command line without the name of the program.
    ///   - token: The access token of the reader, which only ``actions`` use.
    init(_ arguments: some Sequence<String>, token: String? = nil) throws(UsageError) {
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
            case "--store" where allowsOptions:
                folder = try Arguments.value("a folder", of: argument, iterator.next())
            case "--post" where allowsOptions:
                actions.append(.post(try Arguments.value("a text", of: argument, iterator.next())))
            case "--favourite" where allowsOptions:
                actions.append(.favourite(try Arguments.value("a post's identifier", of: argument, iterator.next())))
            case "--boost" where allowsOptions:
                actions.append(.boost(try Arguments.value("a post's identifier", of: argument, iterator.next())))
            case _ where allowsOptions && argument.hasPrefix("-"): throw .unknownOption(argument)
            default: named.append(try Source(argument: argument))
            }
        }
        if named.count > 1, named.contains(where: \.isServer) { throw .severalServers }
        if !named.isEmpty { sources = named }
        if let pageCount {
            try requireTimeline(for: "--pages")
            self.pageCount = pageCount
        }
        if let option = actions.first?.option {
            try requireTimeline(for: option)
            if token == nil { throw .missingToken(option) }
            self.token = token
        }
    }

    private func requireTimeline(for option: String) throws(UsageError) {
        guard sources.allSatisfy(\.isTimeline) else {
            throw .noTimeline(option, sources.map(\.name).joined(separator: ", "))
        }
    }

    private static func pageCount(_ argument: String?) throws(UsageError) -> Int {
        guard let count = argument.flatMap(Int.init), count > 0 else { throw .invalidPageCount(argument) }
        return count
    }

    private static func value(
        _ description: String,
        of option: String,
        _ argument: String?
    ) throws(UsageError) -> String {
        guard let argument, !argument.isEmpty else { throw .missingValue(option, description) }
        return argument
    }
}

extension Arguments {
    static let help = """
        Shows a Mastodon timeline from a flat cache.

        Usage: timeline [--all | --summary] [--store FOLDER]
                        [FILE.json … | https://SERVER [--pages N] [ACTION …]]

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

        Actions, which need an access token in the variable MASTODON_TOKEN:
          --post TEXT, --favourite ID, --boost ID
                        show the change at once, send it to the server, and take it
                        back if the server refuses

        Statuses, contexts, notifications, conversations, search results, accounts,
        polls and tags are understood. What a server's posts boost, quote or reply to
        is fetched from it, too. Times are UTC. Lines are as wide as the terminal, or
        as the variable COLUMNS says. Colours appear on a terminal only, and not when
        NO_COLOR is set.

        The exit code is 1 when something named can't be shown, or not all of it; the
        rest is shown. It is 1, too, when the server refuses a change. It is 64 when
        the command line can't be understood.

        """
}

extension Source {
    fileprivate var isServer: Bool {
        if case .server = self { true } else { false }
    }

    fileprivate var isTimeline: Bool {
        if case .server(let url) = self { APIRequest(url).isTimeline } else { false }
    }
}
