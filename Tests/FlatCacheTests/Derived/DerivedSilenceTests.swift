import FlatCache
import TestThreads
import Testing

/// Writes that change nothing, for closures whose values can't be compared.
@Suite("Equal writes beside derived observers", .mayBlock)
struct DerivedSilenceTests {
    let cache = FlatCache()
    private let page = (0..<40).map { Counter(id: $0, count: $0) }
    private let runs = Recorder<Int>()
    private let calls = Recorder<[Int]>()

    /// Not `Equatable`.
    private struct Row: Sendable {
        let counts: [Int]
    }

    /// Observes all counters of the page.
    ///
    /// - Parameters:
    ///   - before: What happens in the first run before anything is read.
    ///   - during: What happens in the first call.
    private func observe(
        before: @escaping @Sendable () -> Void = {},
        during: @escaping @Sendable () -> Void = {}
    ) -> CacheSubscription {
        cache.observe { [cache, runs] in
            runs.record(1)
            if runs.count == 1 { before() }
            return Row(counts: cache.get(Counter.self, ids: 0..<40).map(\.count))
        } onChange: { [calls] row in
            calls.record(row.counts)
            if calls.count == 1 { during() }
        }
    }

    @Test("N4: Equal writes of many entities don't run the closure, however many are folded", arguments: [1, 2, 5])
    func folded(commits: Int) {
        cache.set(contentsOf: page)
        let subscription = observe(during: { [cache, page] in
            onThreads(1) { _ in
                for _ in 0..<commits { cache.set(contentsOf: page) }
            }
        })
        #expect(runs.count == 1)
        #expect(calls.elements == [Array(0..<40)])
        cache.set(Counter(id: 0, count: 7))
        #expect(calls.elements.last == [7] + Array(1..<40))
        #expect(runs.count == 2)
        subscription.cancel()
    }

    @Test("N4: A change that is undone by a folded commit doesn't run the closure")
    func undone() {
        cache.set(contentsOf: page)
        let subscription = observe(during: { [cache, page] in
            onThreads(1) { _ in
                cache.set(contentsOf: page.map { Counter(id: $0.id, count: -1) })
                cache.set(contentsOf: page)
            }
        })
        #expect(runs.count == 1)
        subscription.cancel()
    }

    @Test("N3, N4: A write between the state that a run reads and its first read counts only if it changes something")
    func beforeReading() {
        cache.set(contentsOf: page)
        let subscription = observe(before: { [cache, page] in onThreads(1) { _ in cache.set(contentsOf: page) } })
        #expect(runs.count == 1)
        subscription.cancel()
        _ = (runs.take(), calls.take())
        let second = observe(before: { [cache] in onThreads(1) { _ in cache.set(Counter(id: 9, count: 0)) } })
        #expect(runs.count == 2)
        #expect(calls.elements == [Array(0..<40), Array(0..<9) + [0] + Array(10..<40)])
        second.cancel()
    }

    @Test("N4: Two writes there of which the second undoes the first don't count, and a later change is delivered")
    func undoneBeforeReading() {
        cache.set(contentsOf: page)
        let subscription = observe(before: { [cache] in
            onThreads(1) { _ in
                cache.set(Counter(id: 9, count: 0))
                cache.set(Counter(id: 9, count: 9))
            }
        })
        #expect(runs.count == 1)
        cache.remove(Counter.self, id: 39)
        #expect(calls.elements == [Array(0..<40), Array(0..<39)])
        subscription.cancel()
    }

    @Test("A closure that stores what it reads, unchanged, runs no more than twice")
    func storesItself() {
        cache.set(contentsOf: page)
        let subscription = cache.observe { [cache, page, runs] in
            runs.record(1)
            if runs.count < 10 { cache.set(contentsOf: page) }
            return Row(counts: cache.get(Counter.self, ids: 0..<40).map(\.count))
        } onChange: { [calls] in
            calls.record($0.counts)
        }
        #expect(runs.count <= 2)
        subscription.cancel()
    }
}
