import Foundation

/// A server in this program, which has the sample timeline: with it, everything can be seen and tested without a network.
///
/// It answers what servers of Mastodon do: timelines in pages, statuses and accounts by identifiers, favourites, boosts and
/// new posts. Unlike them it answers tersely. What is nested in a status, its account and the boosted status, is an identifier
/// alone, so that there is something to fetch.
final class SampleServer: Sendable {
    fileprivate struct State {
        /// What the timeline lists, newest first.
        var listed: [Post]
        var statuses: [Status.ID: Data]
        var unpublishedCount: Int
        /// The greatest identifier of a status.
        var newestID: Int
        /// The posts of the reader by their keys.
        var posted: [String: Status.ID] = [:]
        var requests: [APIRequest] = []
        var failures: [String: LoadingError] = [:]
    }

    /// A status as the server answers it.
    fileprivate struct Post: Sendable {
        let id: Status.ID
        let accountID: Account.ID
        fileprivate(set) var json: Data

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
        let accounts = all.compactMap { $0["account"] as? JSONObject } + [SampleServer.reader]
        self.accounts = Dictionary(accounts.map { ($0.id, $0.data) }) { $1 }
        self.pageSize = pageSize
        let statuses = Dictionary(all.map(Post.init).map { ($0.id, $0.json) }) { $1 }
        state = Locked(
            State(
                listed: timeline.map(Post.init),
                statuses: statuses,
                unpublishedCount: unpublishedCount,
                newestID: statuses.keys.compactMap(Int.init).max() ?? 0
            )
        )
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
        let state = state.withLock { state in
            state.requests.append(request)
            return state
        }
        if let failure = state.failures[request.path] { throw failure }
        if request.method == .post { return try change(request) }
        let published = state.listed.dropFirst(state.unpublishedCount)
        switch request.path.split(separator: "/").dropFirst(2) {
        case ["timelines", "public"]:
            return response(to: request, page(of: published, request))
        case let parts where parts.count == 3 && parts.first == "accounts" && parts.last == "statuses":
            let id = parts.dropFirst().first.map(String.init)
            return response(to: request, page(of: published.filter { $0.accountID == id }, request))
        case ["statuses"]:
            return response(to: request, request.values(of: "id[]").compactMap { state.statuses[$0] })
        case ["accounts", "verify_credentials"]:
            return Response(data: SampleServer.reader.data, name: request.path)
        case ["accounts"]:
            return response(to: request, request.values(of: "id[]").compactMap { accounts[$0] })
        default:
            throw .refused(request.path, status: 404, reason: "not found")
        }
    }

    /// Changes a status, or adds one, and answers with it.
    private func change(_ request: APIRequest) throws(LoadingError) -> Response {
        let parts = request.path.split(separator: "/").dropFirst(3).map(String.init)
        let data = state.withLock { state in
            if let id = parts.first, let verb = parts.last { return state.change(id, verb) }
            return state.post(request.values(of: "status").first ?? "", key: request.idempotencyKey ?? "")
        }
        guard let data else { throw .refused(request.path, status: 404, reason: "not found") }
        return Response(data: data, name: request.path)
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

extension SampleServer {
    /// The account of the person who is signed in.
    fileprivate static var reader: JSONObject { ["id": "1", "username": "you", "acct": "you", "display_name": "You"] }
}

extension SampleServer.State {
    /// Favourites or boosts a status, or takes it back; the status is `nil` if there is none.
    fileprivate mutating func change(_ id: Status.ID, _ verb: String) -> Data? {
        guard var status = statuses[id].flatMap(JSONObject.init) else { return nil }
        let (mark, count) =
            verb.hasSuffix("favourite") ? ("favourited", "favourites_count") : ("reblogged", "reblogs_count")
        let isWanted = !verb.hasPrefix("un")
        if (status[mark] as? Bool ?? false) != isWanted {
            status[mark] = isWanted
            status[count] = (status[count] as? Int ?? 0) + (isWanted ? 1 : -1)
        }
        statuses[id] = status.data
        for index in listed.indices where listed[index].id == id { listed[index].json = status.data }
        // A boost is a status, too.
        return verb == "reblog" ? newStatus(["reblog": ["id": id], "content": ""]).json : status.data
    }

    /// Posts a text, unless it was posted with the key before.
    fileprivate mutating func post(_ text: String, key: String) -> Data {
        if let json = posted[key].flatMap({ statuses[$0] }) { return json }
        let post = newStatus(["content": "<p>\(text)</p>", "idempotency_key": key])
        statuses[post.id] = post.json
        listed.insert(post, at: unpublishedCount)
        posted[key] = post.id
        return post.json
    }

    private mutating func newStatus(_ members: JSONObject) -> SampleServer.Post {
        newestID += 1
        let usual: JSONObject = [
            "id": String(newestID), "account": SampleServer.reader, "created_at": "2026-03-14T17:00:00.000Z",
            "visibility": "public", "spoiler_text": "", "sensitive": false,
            "media_attachments": [String](), "tags": [String](), "mentions": [String](),
            "replies_count": 0, "reblogs_count": 0, "favourites_count": 0,
        ]
        return SampleServer.Post(usual.merging(members) { $1 })
    }
}

/// An object as it is in the JSON of a response.
fileprivate typealias JSONObject = [String: Any]

extension JSONObject {
    fileprivate init?(_ data: Data) {
        guard let object = (try? JSONSerialization.jsonObject(with: data)) as? JSONObject else { return nil }
        self = object
    }

    fileprivate var id: String { self["id"] as? String ?? "" }

    fileprivate var data: Data { (try? JSONSerialization.data(withJSONObject: self)) ?? Data() }
}
