@testable import FlatCache

/// A server with posts, the newest first, in pages, which are those of the time of the request.
///
/// Posts are removed and raised to the beginning, as if they were pinned or had a new date. No page ends with two raised posts on
/// the side where others follow: such a page can be the same as one that repeats them at their old places.
final class GrowingServer: Sendable {
    typealias Request = ListPageRequest<Clip, Int>

    struct Call {
        let number: Int
        /// The node of the loader's call.
        let node: ObjectIdentifier?
        let request: Request
        let ids: [Int]
        /// The posts that had been removed then.
        let removed: Set<Int>
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var ids: [Int] = []
        var count = 0
        /// The places of the posts in time, of which a cursor is one.
        var times: [Int: Int] = [:]
        var lastTime = -1
        var raised: Set<Int> = []
        var added: Set<Int> = []
        var removed: Set<Int> = []
        var calls: [Call] = []
        var lastNumber = 0
        var cancelled: Set<Int> = []
        var answersAtOnce = false

        mutating func insert(_ id: Int) {
            lastTime += 1
            times[id] = lastTime
            ids.insert(id, at: 0)
        }

        /// The posts of a page.
        func places(of request: Request, _ size: Int) -> Range<Int> {
            var first = 0
            var last = ids.count
            switch request {
            case .first: last = min(size, last)
            case .after(let time):
                first = ids.firstIndex { times[$0, default: 0] < time } ?? last
                last = min(first + size, last)
            case .before(let time):
                last = ids.firstIndex { times[$0, default: 0] <= time } ?? last
                first = max(last - size, 0)
            case .around(let id):
                first = max((ids.firstIndex { times[$0, default: 0] <= times[id, default: 0] } ?? 0) - size / 2, 0)
                last = min(first + size, last)
            }
            guard first < last else { return first..<first }
            let (goesUp, goesDown) =
                switch request {
                case .first, .after: (false, true)
                case .before: (true, false)
                case .around: (true, true)
                }
            while goesDown, last < ids.count, ids[first..<last].suffix(2).allSatisfy(raised.contains) { last += 1 }
            while goesUp, first > 0, ids[first..<last].prefix(2).allSatisfy(raised.contains) { first -= 1 }
            return first..<last
        }
    }

    private let state = Protected(State())
    private let pageSize: Int

    init(count: Int, pageSize: Int) {
        self.pageSize = pageSize
        grow(count)
    }

    var ids: [Int] { state.withLock { $0.ids } }

    /// The posts that were raised at some time.
    var raised: Set<Int> { state.withLock { $0.raised } }

    /// The calls without an answer, in the order in which they began.
    var waiting: [Call] { state.withLock { $0.calls } }

    func grow(_ count: Int) {
        state.withLock { state in
            for _ in 0..<count {
                state.insert(state.count)
                state.count += 1
            }
        }
    }

    /// The posts that were removed.
    var removed: Set<Int> { state.withLock { $0.removed } }

    func remove(_ id: Int) {
        state.withLock { state in
            state.ids.removeAll { $0 == id }
            state.removed.insert(id)
        }
    }

    func raise(_ id: Int) {
        state.withLock { state in
            state.ids.removeAll { $0 == id }
            state.insert(id)
            state.raised.insert(id)
        }
    }

    /// The identifier of a post that comes later, or never, and so has no place among the others.
    func reserve() -> Int {
        state.withLock { state in
            state.raised.insert(state.count)
            state.added.insert(state.count)
            state.count += 1
            return state.count - 1
        }
    }

    /// The posts that were reserved.
    var added: Set<Int> { state.withLock { $0.added } }

    /// Puts a reserved post at the beginning.
    func add(_ id: Int) { state.withLock { $0.insert(id) } }

    func answersAtOnce() { state.withLock { $0.answersAtOnce = true } }

    func answer(_ call: Call) {
        remove(call)
        call.continuation.resume()
    }

    func fail(_ call: Call) {
        remove(call)
        call.continuation.resume(throwing: RejectedError())
    }

    private func remove(_ call: Call) { state.withLock { $0.calls.removeAll { $0.number == call.number } } }

    func page(for request: Request) async throws -> ListPage<Clip, Int> {
        let node = FetchGraphNode.current.map { ObjectIdentifier($0) }
        let (number, ids, removed, next, previous) = state.withLock { state in
            state.lastNumber += 1
            let places = state.places(of: request, pageSize)
            let ids = Array(state.ids[places])
            return (
                state.lastNumber, ids, state.removed,
                places.upperBound < state.ids.count ? ids.last.flatMap { state.times[$0] } : nil,
                places.lowerBound > 0 ? ids.first.flatMap { state.times[$0] } : nil
            )
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let result: Result<Void, any Error>? = state.withLock { state in
                    if state.cancelled.contains(number) { return .failure(CancellationError()) }
                    if state.answersAtOnce { return .success(()) }
                    state.calls.append(
                        Call(
                            number: number,
                            node: node,
                            request: request,
                            ids: ids,
                            removed: removed,
                            continuation: continuation
                        )
                    )
                    return nil
                }
                if let result { continuation.resume(with: result) }
            }
        } onCancel: {
            let call = state.withLock { state in
                state.cancelled.insert(number)
                return state.calls.firstIndex { $0.number == number }.map { state.calls.remove(at: $0) }
            }
            call?.continuation.resume(throwing: CancellationError())
        }
        return ListPage(ids.map { Clip(id: $0) }, next: next, previous: previous)
    }
}
