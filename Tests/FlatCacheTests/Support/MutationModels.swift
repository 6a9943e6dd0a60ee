import FlatCache

/// An entity with two properties that mutations change, and an index.
struct Song: Cachable, Codable, Equatable {
    let id: Int
    var title = ""
    var plays = 0
    var isFavourite = false
    var albumID: Int?

    static let indexes: [FlatCache.Index<Song>] = [.init(\.albumID), .init(\.plays)]
}

/// An error of a server.
struct RejectedError: Error, Equatable {
    var code = 500
}

/// The answer of a server, which comes when the test says so.
final class ManualAnswer<Value: Sendable>: Sendable {
    private let stream = AsyncStream<Result<Value, any Error>>.makeStream()
    private let begun = AsyncStream<Void>.makeStream()

    /// Waits for the answer.
    func callAsFunction() async throws -> Value {
        begun.continuation.yield()
        for await result in stream.stream { return try result.get() }
        throw CancellationError()
    }

    func succeed(_ value: Value) { stream.continuation.yield(.success(value)) }

    func fail(_ error: any Error = RejectedError()) { stream.continuation.yield(.failure(error)) }

    /// Waits until the answer is asked for.
    func hasBegun() async { for await _ in begun.stream { break } }
}

extension ManualAnswer<Void> {
    func succeed() { succeed(()) }
}

extension Mutation {
    /// Waits until the mutation has ended, and returns whether it was confirmed.
    @discardableResult
    func ended() async -> Bool {
        do {
            _ = try await value
            return true
        } catch {
            return false
        }
    }
}

extension FlatCache {
    /// The song that readers see.
    func song(_ id: Int = 1) -> Song? { get(Song.self, id: id) }

    /// The song without pending changes.
    func confirmedSong(_ id: Int = 1) -> Song? { confirmed { get(Song.self, id: id) } }

    /// A change of the first song that needs no index.
    @discardableResult
    func favourite(_ answer: ManualAnswer<Void>) -> Mutation<Void> {
        mutate(Song.self, id: 1) {
            $0.isFavourite = true
        } send: {
            try await answer()
        }
    }
}
