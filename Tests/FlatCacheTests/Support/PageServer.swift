import Testing

@testable import FlatCache

/// An entity of lists that load.
struct Clip: Cachable, Codable, Equatable {
    let id: Int
    var title = ""
}

/// A server whose answers come when the test says so.
final class PageServer: Sendable {
    typealias Page = ListPage<Clip, Int>

    private struct State {
        var cursors: [Int?] = []
        var requests: [String] = []
        var waiting: [Int: CheckedContinuation<Page, any Error>] = [:]
        var cancelled: Set<Int> = []
    }

    private let state = Protected(State())

    /// The cursors of all calls.
    var cursors: [Int?] { state.withLock { $0.cursors } }

    /// The requests of a loader that takes them, as texts.
    var requests: [String] { state.withLock { $0.requests } }

    /// The number of calls that were cancelled.
    var cancelledCount: Int { state.withLock { $0.cancelled.count } }

    /// Waits for the answer to a call in any direction.
    func page(for request: ListPageRequest<Clip, Int>) async throws -> Page {
        let (text, cursor): (String, Int?) =
            switch request {
            case .first: ("first", nil)
            case .after(let cursor): ("after \(cursor)", cursor)
            case .before(let cursor): ("before \(cursor)", cursor)
            case .around(let id): ("around \(id)", nil)
            }
        state.withLock { $0.requests.append(text) }
        return try await load(cursor)
    }

    /// Waits for the answer to a call.
    func load(_ cursor: Int?) async throws -> Page {
        let call = state.withLock { state in
            state.cursors.append(cursor)
            return state.cursors.count - 1
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isCancelled = state.withLock { state in
                    if state.cancelled.contains(call) { return true }
                    state.waiting[call] = continuation
                    return false
                }
                if isCancelled { continuation.resume(throwing: CancellationError()) }
            }
        } onCancel: {
            let continuation = state.withLock { state in
                state.cancelled.insert(call)
                return state.waiting.removeValue(forKey: call)
            }
            continuation?.resume(throwing: CancellationError())
        }
    }

    /// Waits until there were some calls.
    func hasCalls(_ count: Int) async -> Bool {
        await eventually { self.cursors.count >= count && self.areWaiting(count) }
    }

    private func areWaiting(_ count: Int) -> Bool {
        state.withLock { state in (0..<count).contains { state.waiting[$0] != nil || state.cancelled.contains($0) } }
            || count == 0
    }

    /// Answers a call with entities, or with an error.
    ///
    /// - Returns: Whether it was waiting.
    @discardableResult
    func answer(
        _ call: Int,
        _ ids: [Int],
        next: Int?,
        previous: Int? = nil,
        title: String = ""
    ) async -> Bool {
        await resume(call, .success(Page(ids.map { Clip(id: $0, title: title) }, next: next, previous: previous)))
    }

    @discardableResult
    func fail(_ call: Int) async -> Bool { await resume(call, .failure(RejectedError())) }

    private func resume(_ call: Int, _ result: Result<Page, any Error>) async -> Bool {
        var continuation: CheckedContinuation<Page, any Error>?
        _ = await eventually {
            continuation = state.withLock { $0.waiting.removeValue(forKey: call) }
            return continuation != nil || state.withLock { $0.cancelled.contains(call) }
        }
        continuation?.resume(with: result)
        return continuation != nil
    }
}

extension PageServer {
    /// Answers the call that a body makes, and expects that the page joins.
    ///
    /// - Parameter meanwhile: A closure that runs before the answer.
    func deliver(
        _ ids: [Int],
        next: Int?,
        meanwhile: () -> Void = {},
        _ body: @escaping @Sendable () async throws -> Bool
    ) async throws {
        let call = cursors.count
        let loading = Task { try await body() }
        #expect(await hasCalls(call + 1))
        meanwhile()
        await answer(call, ids, next: next)
        #expect(try await loading.value)
    }
}

extension ListLoader {
    /// The number of those who wait, by the number of the call.
    var waiterCounts: [UInt64: Int] {
        lock.withLock { Dictionary(uniqueKeysWithValues: calls.values.map { ($0.number, $0.waiterCount) }) }
    }
}
