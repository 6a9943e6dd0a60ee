import FlatCache

/// Issues and pull requests by state and label.
struct Board {
    private let cache: FlatCache
    private let tickets: [any Ticket]

    /// Creates a board of the stored issues and pull requests with some identifiers.
    init(of ids: [TicketID], in cache: FlatCache) {
        self.cache = cache
        tickets = ids.compactMap { id in
            switch id {
            case .issue(let id): cache.get(Issue.self, id: id)
            case .pullRequest(let id): cache.get(PullRequest.self, id: id)
            }
        }
    }

    var lines: [String] { FlatCache.withCurrent(cache) { TicketState.allCases.flatMap(lines) } }

    /// Returns the lines of one state, with a ticket below each of its labels.
    private func lines(of state: TicketState) -> [String] {
        let tickets = tickets.filter { $0.state == state }
        if tickets.isEmpty { return [] }
        var groups: [String: [any Ticket]] = [:]
        var others: [(name: String, tickets: [any Ticket])] = []
        for ticket in tickets {
            for label in ticket.labels ?? [] { groups[label.name, default: []].append(ticket) }
        }
        others.append(("no labels", tickets.filter { $0.labels?.isEmpty == true }))
        others.append(("labels unknown", tickets.filter { $0.labels == nil }))
        let named = groups.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        return ["\(state.rawValue): \(tickets.count)"]
            + (named + others).filter { !$0.1.isEmpty }.flatMap { ["", "  \($0.0)"] + $0.1.flatMap(lines) } + [""]
    }

    private func lines(of ticket: any Ticket) -> [String] {
        var facts = ["by \(ticket.author?.login ?? "an unknown user")"]
        let assignees = ticket.assignees.map(\.login)
        if !assignees.isEmpty { facts.append("for \(assignees.joined(separator: " and "))") }
        if let milestone = ticket.milestone { facts.append("in \(milestone.title)") }
        if ticket.comments > 0 { facts.append("\(ticket.comments) comment\(ticket.comments == 1 ? "" : "s")") }
        let title = ticket is PullRequest ? "\(ticket.title) (pull request)" : ticket.title
        return ["    #\(ticket.number) \(title)", "         \(facts.joined(separator: ", "))"]
    }
}
