import Foundation

/// A server in this program, which has the sample timeline: with it, everything can be seen and tested without a network.
///
/// It answers what servers of Mastodon do: timelines in pages, statuses and accounts by identifiers. Unlike them it answers
/// tersely. What is nested in a status, its account and the boosted status, is an identifier alone, so that there is
/// something to fetch.
final class SampleServer: Sendable {
    private struct State {
        var unpublishedCount: Int
        var requests: [APIRequest] = []
        var failures: [String: LoadingError] = [:]
    }

    /// What the timeline lists, newest first.
    private let listed: [JSON]
    private let statuses: [Status.ID: JSON]
    private let accounts: [Account.ID: JSON]
    private let pageSize: Int
    private let state: Locked<State>

    /// Creates a server.
    ///
    /// - Parameters:
    ///   - timeline: The statuses, newest first, with all that is nested in them.
    ///   - pageSize: The most statuses on a page.
    ///   - unpublishedCount: How many of the newest nobody sees before ``publishAll()``.
    init(timeline: JSON, pageSize: Int = 20, unpublishedCount: Int = 0) {
        listed = timeline.elements
        let all = listed + listed.map { $0["reblog"] }.filter { $0.hasMembers(Shape.status) }
        statuses = SampleServer.index(all)
        accounts = SampleServer.index(all.map { $0["account"] })
        self.pageSize = pageSize
        state = Locked(State(unpublishedCount: unpublishedCount))
    }

    /// The server as the program uses it.
    var server: Server {
        Server { request throws(LoadingError) in try self.answer(to: request) }
    }

    /// Shows the statuses that nobody has seen until now.
    func publishAll() {
        state.withLock { $0.unpublishedCount = 0 }
    }

    /// Fails all requests for a path from now on, or none of them.
    func fail(_ path: String, with error: LoadingError?) {
        state.withLock { $0.failures[path] = error }
    }

    /// Returns the requests that were made since the last call.
    func takeRequests() -> [APIRequest] {
        state.withLock { state in
            defer { state.requests = [] }
            return state.requests
        }
    }

    // MARK: Answers

    private func answer(to request: APIRequest) throws(LoadingError) -> Response {
        let (failure, unpublishedCount) = state.withLock { state in
            state.requests.append(request)
            return (state.failures[request.path], state.unpublishedCount)
        }
        if let failure { throw failure }
        let published = listed.dropFirst(unpublishedCount)
        switch request.path.split(separator: "/").dropFirst(2) {
        case ["timelines", "public"]:
            return Response(page(of: published, request))
        case let parts where parts.count == 3 && parts.first == "accounts" && parts.last == "statuses":
            let id = parts.dropFirst().first.map(String.init)
            return Response(page(of: published.filter { $0["account"]["id"].identifier == id }, request))
        case ["statuses"]:
            return Response(.array(request.values(of: "id[]").compactMap { statuses[$0] }.map(SampleServer.terse)))
        case ["accounts"]:
            return Response(.array(request.values(of: "id[]").compactMap { accounts[$0] }))
        default:
            throw .refused(request.path, status: 404, reason: "not found")
        }
    }

    private func page(of statuses: some Sequence<JSON>, _ request: APIRequest) -> JSON {
        let limit = request.values(of: "limit").first.flatMap(Int.init) ?? pageSize
        let older = request.values(of: "max_id").first
        let newer = request.values(of: "min_id").first
        let candidates = statuses.filter { status in
            let id = status["id"].identifier ?? ""
            return (older.map { SampleServer.is(id, olderThan: $0) } ?? true)
                && (newer.map { SampleServer.is($0, olderThan: id) } ?? true)
        }
        // `min_id` gives what is next to the status it names, which are the last of the newer ones.
        return .array((newer == nil ? candidates.prefix(limit) : candidates.suffix(limit)).map(SampleServer.terse))
    }

    private static func terse(_ status: JSON) -> JSON {
        ["account", "reblog"].reduce(status) { status, name in
            status[name] == .null ? status : status.replacing(name, with: .object(["id": status[name]["id"]]))
        }
    }

    /// Identifiers are numbers that grow, written as strings.
    private static func `is`(_ id: Status.ID, olderThan other: Status.ID) -> Bool {
        (id.count, id) < (other.count, other)
    }

    private static func index(_ documents: [JSON]) -> [String: JSON] {
        Dictionary(documents.compactMap { document in document["id"].identifier.map { ($0, document) } }) { $1 }
    }
}
