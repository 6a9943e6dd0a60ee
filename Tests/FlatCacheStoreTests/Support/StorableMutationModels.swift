import Foundation

@testable import FlatCache
@testable import FlatCacheStore

/// The server of a test as a process reaches it.
///
/// It receives mutations, and answers when the test says so.
final class MutationServer: Sendable {
    /// What the server has received.
    struct Request: Equatable, Sendable {
        var text: String
        var key: String
        var isReplay: Bool
    }

    private typealias Waiter = (count: Int, continuation: CheckedContinuation<Void, Never>)

    private struct State {
        var requests: [Request] = []
        var answers: [String: UnsafeContinuation<Void, any Error>] = [:]
        var waiters: [Waiter] = []
    }

    private let state: Protected<State>
    private let hasEnded = Protected(false)

    init() {
        state = Protected(State())
    }

    private init(_ state: Protected<State>) {
        self.state = state
    }

    /// The server as the next process reaches it, after the end of this one, whose later requests aren't answered.
    func nextProcess() -> MutationServer {
        hasEnded.withLock { $0 = true }
        return MutationServer(state)
    }

    /// The server of the test that runs the task.
    @TaskLocal static var current = MutationServer()

    /// All requests in their order.
    var requests: [Request] { state.withLock { $0.requests } }

    /// The texts of all requests, sorted, because tasks begin in any order.
    var texts: [String] { requests.map(\.text).sorted() }

    func receive(_ text: String, _ context: MutationContext) async throws {
        try await withUnsafeThrowingContinuation { answer in
            let reached = state.withLock { state in
                let request = Request(text: text, key: context.idempotencyKey, isReplay: context.isReplay)
                state.requests.append(request)
                // It must not take the place of the request of the next process, which would never be answered.
                if !hasEnded.withLock({ $0 }) { state.answers[context.idempotencyKey] = answer }
                let reached = state.waiters.filter { $0.count <= state.requests.count }
                state.waiters.removeAll { $0.count <= state.requests.count }
                return reached
            }
            for waiter in reached { waiter.continuation.resume() }
        }
    }

    /// Waits until the server has received a number of requests.
    func received(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isReached = state.withLock { state in
                if state.requests.count >= count { return true }
                state.waiters.append((count, continuation))
                return false
            }
            if isReached { continuation.resume() }
        }
    }

    /// Answers the last request with a text.
    func answer(_ text: String, with error: (any Error)? = nil) {
        let answer = state.withLock { state in
            let key = state.requests.last { $0.text == text }?.key
            return key.flatMap { state.answers.removeValue(forKey: $0) }
        }
        if let error { answer?.resume(throwing: error) } else { answer?.resume() }
    }
}

/// An error of the server.
struct RefusedError: Error, Equatable {}

/// Appends to the text of a memo.
struct Appending: StorableMutation {
    static let storedName = "append"

    var number: Int
    var text: String
    var order = MutationOrder.concurrent

    private enum CodingKeys: CodingKey { case number, text }

    init(_ number: Int, _ text: String, order: MutationOrder = .concurrent) {
        self.number = number
        self.text = text
        self.order = order
    }

    func change(_ change: inout MutationChanges) {
        let text = text
        change.update(Memo.self, id: Memo(number).id) { $0.text += text }
    }

    func send(_ context: MutationContext) async throws { try await MutationServer.current.receive(text, context) }
}

/// Adds a memo to the beginning of a list, and returns what the server makes of it.
struct Writing: StorableMutation {
    static let storedName = "write"

    var memo: Memo
    var order = MutationOrder.concurrent

    private enum CodingKeys: CodingKey { case memo }

    init(_ memo: Memo, order: MutationOrder = .concurrent) {
        self.memo = memo
        self.order = order
    }

    func change(_ change: inout MutationChanges) {
        change.set(memo)
        change.prepend(memo.id, to: FlatCache.current.list("a", of: Memo.self))
    }

    func send(_ context: MutationContext) async throws -> Memo {
        try await MutationServer.current.receive(memo.text, context)
        var answer = memo
        answer.text += " (server)"
        return answer
    }
}

/// A mutation under the name of ``Appending`` with other arguments.
struct OtherAppending: StorableMutation {
    static let storedName = "append"

    var newArgument: String

    func change(_ change: inout MutationChanges) {}

    func send(_ context: MutationContext) async throws {
        try await MutationServer.current.receive(newArgument, context)
    }
}

/// A mutation without arguments.
struct ClearingAll: StorableMutation {
    static let storedName = "clear"

    func change(_ change: inout MutationChanges) { change.remove(Memo.self, id: Memo(1).id) }

    func send(_ context: MutationContext) async throws { try await MutationServer.current.receive("clear", context) }
}

extension FlatCache {
    /// The text of a memo that readers see.
    func text(_ number: Int) -> String? { get(Memo.self, id: Memo(number).id)?.text }

    /// The confirmed text of a memo.
    func confirmedText(_ number: Int) -> String? { confirmed { text(number) } }
}

/// A store in memory, a server, and the processes that use them one after the other.
final class MutationFixture: @unchecked Sendable {  // The place and the server change only between two processes.
    private(set) var place = MemoryPlace()
    private(set) var server = MutationServer()
    let errors = Errors()
    private let time = TestTime()

    func open(_ access: StoreAccess = .readWrite) async throws -> FlatCache {
        try await openCache(MemoryStore(in: place), access, time: time, errors: errors)
    }

    /// Writes what has changed, and goes on with a new process.
    func restart(_ cache: FlatCache) async throws -> FlatCache {
        try await cache.store?.close()
        server = server.nextProcess()
        return try await open()
    }

    /// Goes on with a new process and the batches that are written.
    func crash() async throws -> FlatCache {
        let crashed = MemoryPlace()
        crashed.exists = true
        crashed.contents = place.contents
        place = crashed
        server = server.nextProcess()
        return try await open()
    }

    @discardableResult
    func begin<Stored: StorableMutation>(_ mutation: Stored, in cache: FlatCache) -> Mutation<Stored.StoredAnswer> {
        MutationServer.$current.withValue(server) { cache.mutate(mutation) }
    }

    func register(_ types: any StorableMutation.Type..., in cache: FlatCache) {
        MutationServer.$current.withValue(server) { for type in types { cache.registerMutations(type) } }
    }

    func discard(_ mutation: KeptMutation, in cache: FlatCache) -> Bool {
        MutationServer.$current.withValue(server) { cache.discard(mutation) }
    }

    /// The number of mutations that the store has.
    var storedCount: Int { place.contents.counts[RecordGroup(.entities, of: StoredMutation.storedName)] ?? 0 }
}

/// Inserts a memo under a temporary identifier, for which the server has the number 100 more.
struct Creating: StorableMutation {
    static let storedName = "create"

    var memo: Memo
    var order = MutationOrder.concurrent

    private enum CodingKeys: CodingKey { case memo }

    init(memo: Memo, order: MutationOrder = .concurrent) {
        self.memo = memo
        self.order = order
    }

    func change(_ change: inout MutationChanges) { change.insert(temporary: memo) }

    func send(_ context: MutationContext) async throws -> Memo {
        try await MutationServer.current.receive("create", context)
        return Memo(memo.id.number + 100, memo.text)
    }
}
