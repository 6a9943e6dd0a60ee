#if DEBUG
import TestThreads
import Testing

@testable import FlatCache

/// What belongs to a body, and to which cache a callback belongs.
@Suite("What belongs to a body or callback", .mayBlock)
struct BodyContextTests {
    let cache = FlatCache()

    @Test("S2: A task that begins at once inside of a transaction is no part of it, neither before it waits nor after")
    func immediateTaskInTransaction() async {
        cache.set(Counter(id: 1, count: 1))
        let seen = Recorder<Int?>()
        struct Stop: Error {}
        let task = Protected<Task<Void, Never>?>(nil)
        try? cache.transaction {
            cache.set(Counter(id: 1, count: 2))
            let begun = Task.immediate { [cache] in
                seen.record(cache.get(Counter.self, id: 1)?.count)
                cache.set(Counter(id: 2, count: 1))
                await Task.yield()
                seen.record(cache.get(Counter.self, id: 1)?.count)
                cache.set(Counter(id: 3, count: 1))
            }
            task.withLock { $0 = begun }
            #expect(cache.get(Counter.self, id: 1)?.count == 2)
            throw Stop()
        }
        await task.withLock { $0 }?.value
        #expect(seen.elements == [1, 1])
        // What the task has written is not undone with the transaction.
        #expect(cache.contains(Counter.self, id: 2) && cache.contains(Counter.self, id: 3))
        #expect(cache.get(Counter.self, id: 1)?.count == 1)
    }

    @Test("S3: A task that begins at once inside of a read reads the newest state")
    func immediateTaskInRead() async {
        cache.set(Counter(id: 1, count: 1))
        let seen = Recorder<Int?>()
        let task = Protected<Task<Void, Never>?>(nil)
        cache.read {
            RunningThread { [cache] in cache.set(Counter(id: 1, count: 2)) }.finish()
            let begun = Task.immediate { [cache] in
                seen.record(cache.get(Counter.self, id: 1)?.count)
                seen.record(cache.read { cache.get(Counter.self, id: 1)?.count })
            }
            task.withLock { $0 = begun }
            #expect(cache.get(Counter.self, id: 1)?.count == 1)
        }
        await task.withLock { $0 }?.value
        #expect(seen.elements == [2, 2])
    }

    @Test("S2: In tasks, too, everything that a body reads and writes goes through its transaction")
    func bodyInTask() async {
        await Task.detached { [cache] in
            await onOwnThreads {
                cache.transaction {
                    cache.set(Counter(id: 1, count: 2))
                    #expect(cache.get(Counter.self, id: 1)?.count == 2)
                    RunningThread { #expect(cache.get(Counter.self, id: 1) == nil) }.finish()
                }
            }
        }.value
        #expect(cache.get(Counter.self, id: 1)?.count == 2)
    }

    @Test("S1: An update doesn't swallow what an observer writes that it calls for another thread")
    func observerOfAnotherThread() {
        cache.set(Counter(id: 1))
        // Writes the counter that is updated, for each change of the counter 2.
        let subscription = Cached(Counter.self, id: 2, in: cache).observe(initial: false) { [cache] _ in
            cache.update(Counter.self, id: 1) { $0.count += 100 }
        }
        let runs = Protected(0)
        let other = StoppedThread(at: .committed) { [cache] in cache.set(Counter(id: 2, count: 1)) }
        cache.update(Counter.self, id: 1) { counter in
            let run = runs.withLock {
                $0 += 1
                return $0
            }
            // Has the turn to call the observer with what the other thread has committed, and with this.
            if run == 1 { cache.set(Counter(id: 2, count: 2)) }
            counter.count += 1
        }
        other.finish()
        #expect(cache.get(Counter.self, id: 1)?.count == 101)
        subscription.cancel()
    }

    @Test(
        "H4: In a callback its own cache is the current one, whichever was current for the writer",
        arguments: [true, false]
    )
    func currentCache(writerHasAnother: Bool) async {
        let current = Recorder<ObjectIdentifier>()
        let note: @Sendable () -> Void = { current.record(ObjectIdentifier(FlatCache.current)) }
        let subscriptions = [
            cache.observe(Counter.self, id: 1) { _ in note() },
            cache.observe([Counter.flatCacheKey(id: 1)], initial: false) { _ in note() },
            cache.observe {
                cache.get(Counter.self, id: 1)?.count
            } onChange: { _ in
                note()
            },
            Cached(Counter.self, id: 1, in: cache).observe(initial: false) { _ in note() },
        ]
        let write: @Sendable () -> Void = { [cache] in cache.set(Counter(id: 1, count: 1)) }
        if writerHasAnother { FlatCache.withCurrent(FlatCache(), write) } else { write() }
        #expect(current.count == 6)
        #expect(Set(current.elements) == [ObjectIdentifier(cache)])
        for subscription in subscriptions { subscription.cancel() }
    }

    @Test("H4: A callback that writes another cache is followed by that cache's callbacks, each in its own")
    func twoCaches() {
        let other = FlatCache()
        let notified = Recorder<String>()
        let names = [ObjectIdentifier(cache): "cache", ObjectIdentifier(other): "other"]
        let note: @Sendable (Int) -> Void = {
            notified.record("\($0) in \(names[ObjectIdentifier(FlatCache.current)] ?? "none")")
        }
        let subscriptions = [
            Cached(Counter.self, id: 1, in: cache).observe(initial: false) { _ in
                note(1)
                other.set(Counter(id: 2))
            },
            Cached(Counter.self, id: 2, in: other).observe(initial: false) { [cache] _ in
                note(2)
                cache.set(Counter(id: 3))
            },
            Cached(Counter.self, id: 3, in: cache).observe(initial: false) { _ in note(3) },
        ]
        cache.set(Counter(id: 1))
        #expect(notified.elements == ["1 in cache", "2 in other", "3 in cache"])
        for subscription in subscriptions { subscription.cancel() }
    }
}
#endif
