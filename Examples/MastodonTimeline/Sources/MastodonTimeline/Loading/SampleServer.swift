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

    /// A status as the server answers it.
    private struct Post {
        let id: Status.ID
        let accountID: Account.ID
        let json: Data

        /// Shortens a status: identifiers replace its account and the boosted status.
        init(_ status: JSONObject) {
            var terse = status
            for name in ["account", "reblog"] {
                if let nested = status[name] as? JSONObject { terse[name] = ["id": nested.id] }
            }
            id = status.id
            accountID = (status["account"] as? JSONObject)?.id ?? ""
            json = terse.data
        }
    }

    /// What the timeline lists, newest first.
    private let listed: [Post]
    private let statuses: [Status.ID: Data]
    private let accounts: [Account.ID: Data]
    private let pageSize: Int
    private let state: Locked<State>

    /// Creates a server.
    ///
    /// - Parameters:
    ///   - timeline: The statuses as JSON, newest first, with all that is nested in them.
    ///   - pageSize: The most statuses on a page.
    ///   - unpublishedCount: How many of the newest nobody sees before ``publishAll()``.
    init(timeline: Data, pageSize: Int = 20, unpublishedCount: Int = 0) {
        let timeline = (try? JSONSerialization.jsonObject(with: timeline)) as? [JSONObject] ?? []
        let all = timeline + timeline.compactMap { $0["reblog"] as? JSONObject }.filter { $0["content"] != nil }
        listed = timeline.map(Post.init)
        statuses = Dictionary(all.map(Post.init).map { ($0.id, $0.json) }) { $1 }
        let accounts = all.compactMap { $0["account"] as? JSONObject }
        self.accounts = Dictionary(accounts.map { ($0.id, $0.data) }) { $1 }
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
            return response(to: request, page(of: published, request))
        case let parts where parts.count == 3 && parts.first == "accounts" && parts.last == "statuses":
            let id = parts.dropFirst().first.map(String.init)
            return response(to: request, page(of: published.filter { $0.accountID == id }, request))
        case ["statuses"]:
            return response(to: request, request.values(of: "id[]").compactMap { statuses[$0] })
        case let parts where parts.count == 3 && request.method == "POST":
            return try favourite(parts.dropFirst().first.map(String.init) ?? "", parts.last == "favourite", request)
        case ["accounts"]:
            return response(to: request, request.values(of: "id[]").compactMap { accounts[$0] })
        default:
            throw .refused(request.path, status: 404, reason: "not found")
        }
    }

    /// Adds a favourite or takes it back, and answers with the status.
    private func favourite(
        _ id: Status.ID,
        _ isFavourited: Bool,
        _ request: APIRequest
    ) throws(LoadingError) -> Response {
        let status = statuses[id].flatMap { try? JSONSerialization.jsonObject(with: $0) } as? JSONObject
        guard var status else { throw .refused(request.path, status: 404, reason: "not found") }
        let count = status["favourites_count"] as? Int ?? 0
        status["favourites_count"] = count + (isFavourited ? 1 : 0)
        status["favourited"] = isFavourited
        return Response(data: status.data, name: request.path)
    }

    private func response(to request: APIRequest, _ elements: [Data]) -> Response {
        Response(data: Data("[".utf8) + elements.joined(separator: Data(",".utf8)) + Data("]".utf8), name: request.path)
    }

    private func page(of statuses: some Sequence<Post>, _ request: APIRequest) -> [Data] {
        let limit = request.values(of: "limit").first.flatMap(Int.init) ?? pageSize
        let older = request.values(of: "max_id").first
        let newer = request.values(of: "min_id").first
        let candidates = statuses.filter { status in
            (older.map { SampleServer.is(status.id, olderThan: $0) } ?? true)
                && (newer.map { SampleServer.is($0, olderThan: status.id) } ?? true)
        }
        // `min_id` gives what is next to the status it names, which are the last of the newer ones.
        return (newer == nil ? candidates.prefix(limit) : candidates.suffix(limit)).map(\.json)
    }

    /// Identifiers are numbers that grow, written as strings.
    private static func `is`(_ id: Status.ID, olderThan other: Status.ID) -> Bool {
        (id.count, id) < (other.count, other)
    }
}

/// An object as it is in the JSON of a response.
fileprivate typealias JSONObject = [String: Any]

extension JSONObject {
    fileprivate var id: String { self["id"] as? String ?? "" }

    fileprivate var data: Data { (try? JSONSerialization.data(withJSONObject: self)) ?? Data() }
}
