import FlatCache
import Observation
import SeededRandom
import Synchronization
import TestThreads
import Testing

/// Many threads at once; run under the thread sanitizer too.
@Suite("Concurrency", .mayBlock)
struct ConcurrencyTests {
    let cache = FlatCache()

    @Test("N2, N3: However many writers race, an observer sees rising revisions, and the last state at the end")
    func orderedDelivery() async {
        let notified = Recorder<(revision: UInt64, count: Int?)>()
        let subscription = cache.observe(Counter.self, id: 1) { notified.record(($0.revision, $0.value?.count)) }
        await onThreadsAndTasks(4) { [cache] thread in
            for step in 0..<5_000 {
                switch step % 10 {
                case 9: cache.remove(Counter.self, id: 1)
                case 8: cache.set(contentsOf: [Counter(id: 1, count: thread), Counter(id: 2)])
                default: cache.set(Counter(id: 1, count: thread * 10_000 + step))
                }
            }
        }
        let elements = notified.elements
        #expect(zip(elements, elements.dropFirst()).allSatisfy { $0.revision < $1.revision })
        #expect(elements.last?.count == cache.get(Counter.self, id: 1)?.count)
        subscription.cancel()
    }

    @Test("N2: Values never go back: an observer of a growing counter sees it grow")
    func monotonicValues() async {
        cache.set(Counter(id: 1))
        let notified = Recorder<Int>()
        let subscription = cache.observe(Counter.self, id: 1) { notified.record($0.value?.count ?? -1) }
        await onThreadsAndTasks(4) { [cache] _ in
            for _ in 0..<5_000 { cache.update(Counter.self, id: 1) { $0.count += 1 } }
        }
        #expect(zip(notified.elements, notified.elements.dropFirst()).allSatisfy(<))
        #expect(notified.elements.last == 20_000)
        subscription.cancel()
    }

    @Test("N4: The change sets of one observer, put together, lead to the state at the end")
    func changeSetsAddUp() async {
        let keys = (0..<20).map { Counter.flatCacheKey(id: $0) }
        let notified = Recorder<ChangeSet>()
        let subscription = cache.observe(keys, initial: false) { notified.record($0) }
        await onThreadsAndTasks(4) { [cache] thread in
            var random = SeededGenerator(seed: UInt64(thread))
            for step in 0..<3_000 {
                let id = Int.random(in: 0..<20, using: &random)
                switch Int.random(in: 0..<10, using: &random) {
                case 0: cache.remove(Counter.self, id: id)
                case 1: cache.set(contentsOf: (0..<5).map { Counter(id: (id + $0) % 20, count: step) })
                case 2 where step % 100 == 0: cache.removeAll()
                default: cache.set(Counter(id: id, count: thread * 10_000 + step))
                }
            }
        }
        var stored: Set<FlatCacheKey> = []
        var revision: UInt64 = 0
        for changes in notified.elements {
            #expect(changes.revision >= revision)
            #expect(changes.inserted.isDisjoint(with: stored))
            #expect(changes.updated.isSubset(of: stored))
            #expect(changes.removed.isSubset(of: stored))
            stored.formUnion(changes.inserted)
            stored.subtract(changes.removed)
            revision = changes.revision
        }
        #expect(stored == Set(cache.allKeys(of: Counter.self)))
        subscription.cancel()
    }

    @Test("S5: The entities of one commit are stored as a whole")
    func batchesAreAtomic() {
        cache.set(contentsOf: (0..<10).map { Counter(id: $0) })
        let isDone = Atomic(false)
        onThreads(2) { [cache] thread in
            if thread == 0 {
                for count in 1...2_000 { cache.set(contentsOf: (0..<10).map { Counter(id: $0, count: count) }) }
                isDone.store(true, ordering: .releasing)
            } else {
                while !isDone.load(ordering: .acquiring) {
                    let counts = Set(cache.allValues(of: Counter.self).map(\.count))
                    guard counts.count == 1 else {
                        Issue.record("saw half of a commit: \(counts)")
                        return
                    }
                }
            }
        }
    }

    @Test("N1: Callbacks that write, clear, subscribe and cancel from several threads do not deadlock")
    func reentrantCallbacks() {
        let subscriptions = Recorder<CacheSubscription>()
        for id in 0..<4 {
            subscriptions.record(
                cache.observe(Counter.self, id: id) { [cache] change in
                    guard let count = change.value?.count, count % 7 != 0 else { return }
                    cache.update(Counter.self, id: (id + 1) % 4) { $0.count = count / 2 }
                    cache.observe(Counter.self, id: (id + 2) % 4) { _ in }.cancel()
                    if count % 5 == 0 { cache.removeAll() }
                    if count % 11 == 0 { cache.set(contentsOf: (0..<4).map { Counter(id: $0, count: 7) }) }
                }
            )
        }
        onThreads(4) { [cache] thread in
            for step in 0..<2_000 { cache.set(Counter(id: (thread + step) % 4, count: step)) }
        }
        for subscription in subscriptions.take() { subscription.cancel() }
        #expect(cache.observedKeyCount(of: Counter.self) == 0)
    }

    @Test("N1, N7: Two callbacks on two threads that cancel each other do not wait for each other")
    func callbacksCancelEachOther() {
        for _ in 0..<500 {
            let subscriptions = Recorder<CacheSubscription>()
            for id in 0..<2 {
                subscriptions.record(
                    cache.observe(Counter.self, id: id) { change in
                        guard change.kind != .initial else { return }
                        subscriptions.elements[1 - id].cancel()
                    }
                )
            }
            onThreads(2) { [cache] thread in cache.set(Counter(id: thread, count: 1)) }
            for subscription in subscriptions.take() { subscription.cancel() }
            cache.removeAll()
        }
    }

    @Test("N7: No call begins after cancel has returned", arguments: [true, false])
    func cancelAgainstDelivery(keySet: Bool) {
        for _ in 0..<300 {
            let calls = Atomic(0)
            let subscription =
                keySet
                ? cache.observe([Counter.flatCacheKey(id: 1)], initial: false) { _ in
                    calls.wrappingAdd(1, ordering: .relaxed)
                }
                : cache.observe(Counter.self, id: 1) { _ in calls.wrappingAdd(1, ordering: .relaxed) }
            onThreads(3) { [cache] thread in
                if thread == 0 {
                    subscription.cancel()
                } else {
                    for step in 0..<20 { cache.set(Counter(id: 1, count: thread * 100 + step)) }
                }
            }
            // Every thread has returned, and with them the calls that had begun.
            let after = calls.load(ordering: .relaxed)
            cache.set(Counter(id: 1, count: -1))
            #expect(calls.load(ordering: .relaxed) == after)
            cache.removeAll()
        }
        #expect(cache.observedKeyCount(of: Counter.self) == 0)
    }

    @Test("H1, H3: Handles made and released while their keys are written and cleared lose nothing")
    func handlesAgainstRemoval() {
        onThreads(4) { [cache] thread in
            for step in 0..<3_000 {
                let handle = Cached(Counter.self, id: step % 8, in: cache)
                switch (step + thread) % 4 {
                case 0: try? handle.set(Counter(id: step % 8, count: step))
                case 1: handle.remove()
                case 2: handle.update { $0.count += 1 }
                default: if step % 50 == 0 { cache.removeAll() }
                }
                _ = handle.value
            }
        }
        cache.removeAll()
        #expect(cache.count == 0)
        let handles = (0..<8).map { Cached(Counter.self, id: $0, in: cache) }
        cache.set(contentsOf: (0..<8).map { Counter(id: $0, count: 1) })
        #expect(handles.allSatisfy { $0.value?.count == 1 })
    }

    @Test("A cache may go while handles, subscriptions and iterators are used on other threads")
    func cacheGoesWhileUsed() {
        for _ in 0..<300 {
            let holder = Protected<FlatCache?>(FlatCache())
            let handle = holder.withLock { $0.map { Cached(Counter.self, id: 1, in: $0) } }
            onThreads(3) { thread in
                switch thread {
                case 0: holder.withLock { $0 = nil }
                case 1:
                    for count in 0..<20 {
                        try? handle?.set(Counter(id: 1, count: count))
                        _ = handle?.value
                    }
                default:
                    let subscription = handle?.observe(initial: false) { _ in }
                    handle?.update { $0.count += 1 }
                    subscription?.cancel()
                }
            }
            #expect(handle?.value == nil)
        }
    }

    @Test("Reads and writes of many types, keys and kinds at once")
    func everythingAtOnce() {
        onThreads(4) { [cache] thread in
            var random = SeededGenerator(seed: UInt64(thread) + 100)
            for step in 0..<3_000 {
                let id = Int.random(in: 0..<50, using: &random)
                switch Int.random(in: 0..<8, using: &random) {
                case 0: cache.set(Counter(id: id, count: step))
                case 1: cache.set(Post(id: "\(id)", likes: step))
                case 2: cache.remove(Post.self, id: "\(id)")
                case 3: cache.update(Post.self, id: "\(id)") { $0.likes += 1 }
                case 4: _ = cache.get(Counter.self, ids: id..<id + 5)
                case 5: cache.set(contentsOf: (0..<5).map { Post(id: "\(id + $0)") })
                case 6: _ = cache.allKeys(of: Post.self).count + cache.count
                default: Cached(Post.self, id: "\(id)", in: cache).update(storing: [Counter(id: id)]) { $0.likes += 1 }
                }
            }
        }
        #expect(cache.allValues(of: Counter.self).count == cache.count(of: Counter.self))
    }

    @Test(
        "N1: The main thread waits for a writer whose commit notifies callbacks, sequences and views of the main actor",
        .ends
    )
    @MainActor func mainThreadWaits() async {
        let handle = Cached(Counter.self, id: 1, in: cache)
        let notified = Recorder<Int?>()
        let onMain = Recorder<Int?>()
        withObservationTracking {
            _ = handle.value
        } onChange: {
            notified.record(nil)
            Task { @MainActor in onMain.record(handle.value?.count) }
        }
        let subscription = handle.observe(initial: false) { change in
            notified.record(change.value?.count)
            Task { @MainActor in onMain.record(change.value?.count) }
        }
        var values = handle.updates.makeAsyncIterator()
        #expect(await values.next() == .some(nil))
        // Blocks the main thread until the writer is done.
        onThreads(1) { [cache] _ in cache.set(Counter(id: 1, count: 1)) }
        #expect(notified.count == 2)
        #expect(handle.value?.count == 1)
        #expect(await values.next() == Counter(id: 1, count: 1))
        while onMain.count < 2 { await Task.yield() }
        #expect(onMain.elements == [1, 1])
        subscription.cancel()
    }

    @Test("N7: Subscriptions may be released on other threads while their observers are called")
    func releasedOnOtherThreads() {
        let isDone = Atomic(false)
        onThreads(4) { [cache] thread in
            if thread == 0 {
                for count in 0..<3_000 { cache.set(contentsOf: (0..<4).map { Counter(id: $0, count: count) }) }
                isDone.store(true, ordering: .releasing)
                return
            }
            final class Screen: Sendable {
                let subscriptions: [CacheSubscription]
                init(_ subscriptions: [CacheSubscription]) { self.subscriptions = subscriptions }
            }
            while !isDone.load(ordering: .acquiring) {
                let keys = (0..<4).map { Counter.flatCacheKey(id: $0) }
                let screen = Screen(
                    (0..<4).map { cache.observe(Counter.self, id: $0) { _ in } } + [
                        cache.observe(keys, initial: false) { _ in }
                    ]
                )
                withExtendedLifetime(screen) {}
            }
        }
        #expect(cache.observedKeyCount(of: Counter.self) == 0)
    }

    @Test(
        "S1: removeAll also removes the first entity of a type that another thread stores meanwhile",
        arguments: [false, true]
    )
    func removeAllAgainstNewType(inTransaction: Bool) {
        let caches = (0..<Extent.count(400, full: 2_000)).map { _ in FlatCache() }
        for cache in caches { cache.set(Counter(id: 1)) }
        let orders = Recorder<FlatCache>()
        let barrier = SpinningBarrier(of: 2)
        onThreads(2) { thread in
            for cache in caches {
                barrier.wait()
                if thread == 0 {
                    if inTransaction { cache.transaction { cache.removeAll() } } else { cache.removeAll() }
                } else {
                    cache.set(Post(id: "1"))
                    // The post is stored before the counter is removed, so removeAll removes both.
                    if cache.contains(Counter.self, id: 1) { orders.record(cache) }
                }
            }
        }
        #expect(orders.elements.filter { $0.contains(Post.self, id: "1") }.isEmpty)
    }

    @Test("S2: A transaction that removes everything locks the types that were first used while it ran")
    func removeAllAgainstWritersOfNewType() {
        for _ in 0..<Extent.count(30, full: 100) {
            let cache = FlatCache()
            let ids = (0..<200).map { "\($0)" }
            let hasBegun = Atomic(false)
            onThreads(2) { thread in
                if thread == 0 {
                    cache.transaction {
                        cache.removeAll()
                        while !hasBegun.load(ordering: .acquiring) {}
                    }
                } else {
                    for id in ids {
                        cache.set(Post(id: id))
                        hasBegun.store(true, ordering: .releasing)
                    }
                }
            }
            let stored = ids.filter { cache.contains(Post.self, id: $0) }
            // The missing posts were stored before the remaining ones.
            #expect(stored == ids.suffix(stored.count))
            #expect(cache.count(of: Post.self) == stored.count)
        }
    }
}
