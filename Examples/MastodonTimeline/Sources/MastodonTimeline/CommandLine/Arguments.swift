/// What the command line asks for.
struct Arguments: Equatable {
    /// What to show; the sample timeline when nothing is named.
    var sources: [Source] = [.sample]
    var showsSummaryOnly = false
    var showsHelp = false

    init(_ arguments: some Sequence<String>) throws(UsageError) {
        var named: [Source] = []
        var allowsOptions = true
        for argument in arguments {
            switch argument {
            case "--" where allowsOptions: allowsOptions = false
            case "--summary" where allowsOptions: showsSummaryOnly = true
            case "--help" where allowsOptions, "-h" where allowsOptions: showsHelp = true
            case _ where allowsOptions && argument.hasPrefix("-"): throw .unknownOption(argument)
            default: named.append(try Source(argument: argument))
            }
        }
        if named.count > 1, named.contains(where: \.isServer) { throw .severalServers }
        if !named.isEmpty { sources = named }
    }
}

extension Arguments {
    static let help = """
        Shows a Mastodon timeline from a flat cache.

        Usage: timeline [--summary] [FILE.json … | https://SERVER]

          timeline                         a sample, and what the cache does with it
          timeline FILE.json …             responses of Mastodon's API, as one timeline
          timeline https://SERVER          what a server shows to everybody
          timeline https://SERVER/api/…    any other response of a server

        Options:
          --summary     count the entities of each type instead of showing them
          -h, --help    show this help

        Statuses, contexts, notifications, conversations, search results, accounts
        and polls are understood. Times are UTC. Lines are as wide as the terminal,
        or as the variable COLUMNS says. Colours appear on a terminal only, and not
        when NO_COLOR is set.

        """
}

extension Source {
    fileprivate var isServer: Bool {
        if case .server = self { true } else { false }
    }
}
