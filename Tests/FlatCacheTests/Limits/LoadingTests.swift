import Testing

@testable import FlatCache

@Suite("Writes that would wait for a store, in a cache without one")
struct LoadingTests {
    private let cache = FlatCache()

    @Test("The body runs once, before another task has a turn, and its result is returned")
    @MainActor func body() async {
        cache.set(Counter(id: 1))
        cache.collect()
        let calls = Protected(0)
        let other = Task { @MainActor in calls.withLock { $0 } }
        let count = await cache.withLoaded(Counter.self, ids: [1, 2]) {
            calls.withLock { $0 += 1 }
            cache.set(Counter(id: 2))
            return cache.count(of: Counter.self)
        }
        #expect(count == 1)
        #expect(await other.value == 1)
        #expect(calls.withLock { $0 } == 1)
    }

    @Test("A cancelled task runs the body")
    func cancelled() async {
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await cache.withLoaded(Counter.self, ids: [1]) { cache.insertIfAbsent(Counter(id: 1)).inserted }
        }
        #expect(await task.value)
    }
}
