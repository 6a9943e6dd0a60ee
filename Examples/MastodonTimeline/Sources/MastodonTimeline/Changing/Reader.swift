import FlatCache
import Foundation

/// The person who is signed in on a server, and what they do there.
///
///     let reader = try await Reader.signIn(on: server, in: cache)
///     reader.setFavourited("7", true)                 // All screens show it before the server has answered.
///     try await reader.post("Hello", to: home).value  // It waits for the answer.
///
/// Each change is a mutation. If the server refuses it, it disappears from all screens, and what has changed meanwhile stays.
struct Reader: Sendable {
    let account: Account
    private let server: Server
    private let cache: FlatCache

    /// Asks the server who the reader is.
    static func signIn(on server: Server, in cache: FlatCache) async throws(LoadingError) -> Reader {
        do {
            var name = ""
            let stored = try await cache.load {
                let answer = try await server.answer(.ownAccount)
                name = answer.name
                return try answer.payload(of: Account.self)
            }
            guard let account = stored.value else { throw LoadingError.empty(name) }
            return Reader(account: account, server: server, cache: cache)
        } catch {
            throw error as? LoadingError ?? .unreachable("The own account", reason: "\(error)")
        }
    }

    /// Adds a favourite to a status, or takes it back.
    @discardableResult
    func setFavourited(_ id: Status.ID, _ isFavourited: Bool) -> Mutation<StoredPayload<Status>> {
        cache.mutate(Status.self, id: id) {
            $0.setFavourited(isFavourited)
        } send: { [server] status in
            try await server.change(.favourite(status.id, isFavourited))
        }
    }

    /// Boosts a status, or takes the boost back.
    @discardableResult
    func setBoosted(_ id: Status.ID, _ isBoosted: Bool) -> Mutation<StoredPayload<Status>> {
        cache.mutate(Status.self, id: id) {
            $0.setBoosted(isBoosted)
        } send: { [server] status in
            try await server.change(.boost(status.id, isBoosted))
        }
    }

    /// Posts a text.
    ///
    /// If a page brings the post before the answer, it is recognized by its key, and shown once.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - list: The list that shows the post.
    ///   - key: By this the server recognizes the post, and it is shown under this identifier until the server gives it another.
    ///   - time: The time that is shown until the server gives another.
    @discardableResult
    func post(
        _ text: String,
        to list: CachedList<Status>,
        key: String = "draft-\(UUID())",
        at time: Date = .now
    ) -> Mutation<StoredPayload<Status>> {
        // The server receives several posts in the order in which they were written.
        cache.mutate(order: .serial("posts")) { change in
            let draft = Status(draft: key, text: text, by: account.id, at: time)
            change.insert(temporary: draft, matching: \.idempotencyKey)
            change.prepend(key, to: list)
        } send: { [server] in
            try await server.change(.post(text, key: key))
        }
    }
}

extension Server {
    /// Sends a change, and sends it again if no answer comes.
    ///
    /// The server does each of the changes once, however often it is sent: a favourite and a boost because there is at most
    /// one, and a post because of its key. A refusal is an answer.
    fileprivate func change(_ request: APIRequest) async throws(LoadingError) -> Payload<Status> {
        let response: Response
        do {
            response = try await answer(request)
        } catch .noAnswer, .timedOut {
            response = try await answer(request)
        }
        return try response.payload(of: Status.self)
    }
}
