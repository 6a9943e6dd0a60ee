import Foundation
import Observation
import TestThreads
import Testing

@testable import FlatCache

/// What derived observation, lists and tracked reads leave behind: nothing.
///
/// `FLATCACHE_CYCLES=1000000` observes and cancels a million times, and tracks two
/// hundred thousand reads.
@Suite("Memory of derived observation", .mayBlock)
struct DerivedMemoryTests {
    private let alive = Protected(0)
    private var aliveCount: Int { alive.withLock { $0 } }

    /// Observes three keys, of which one is missing, and a whole type.
    private func observe(_ cache: FlatCache, _ token: Token) -> CacheSubscription {
        cache.observe { [unowned cache] in
            withExtendedLifetime(token) {}
            return cache.get(Counter.self, ids: 1...3).count + cache.count(of: Post.self)
        } onChange: { _ in
            withExtendedLifetime(token) {}
        }
    }

    @Test(
        "N7: A cancelled derived observer releases its captures, although the subscription is kept",
        arguments: [false, true]
    )
    func cancelled(hasRunAgain: Bool) {
        let cache = FlatCache()
        cache.set(Counter(id: 1))
        let subscriptions = (0..<100).map { _ in observe(cache, Token(alive)) }
        if hasRunAgain { cache.set(Counter(id: 2)) }
        #expect(aliveCount == 100)
        for subscription in subscriptions { subscription.cancel() }
        #expect(aliveCount == 0)
        #expect(cache.observedKeyCount(of: Counter.self) == 0)
        #expect(cache.slotCount(of: Counter.self) == cache.count(of: Counter.self))
        #expect(!cache.isWatched(Post.self))
        withExtendedLifetime(subscriptions) {}
    }

    @Test("N7: A derived observer that cancels itself while it runs holds nothing when it has ended")
    func cancelledFromWithin() {
        let cache = FlatCache()
        let own = Protected<CacheSubscription?>(nil)
        let token = Protected<Token?>(Token(alive))
        let subscription = cache.observe { [unowned cache, token = token.withLock { $0 }] in
            withExtendedLifetime(token) {}
            return cache.get(Counter.self, id: 1)?.count
        } onChange: { count in
            if count == 1 { own.withLock { $0 }?.cancel() }
        }
        token.withLock { $0 = nil }
        own.withLock { $0 = subscription }
        #expect(aliveCount == 1)
        cache.set(Counter(id: 1, count: 1))
        #expect(aliveCount == 0)
        own.withLock { $0 = nil }
    }

    @Test(
        "H3, N7: A cache that goes while observers, lists, names, sequences and handles are alive takes all with it",
        .ends
    )
    func cacheGoes() async {
        let holder = Protected<FlatCache?>(FlatCache())
        let notified = Recorder<Int>()
        let (list, name, subscriptions) = fill(holder, notified)
        let reference = list.handle.reference
        var states = list.updates.makeAsyncIterator()
        var values = name.updates.makeAsyncIterator()
        #expect(await states.next()?.values.count == 10)
        #expect(await values.next() != nil)
        let handles = list.handles
        holder.withLock { $0 = nil }
        #expect(reference.object == nil)
        guard reference.object == nil else { return }
        #expect(await states.next() == nil)
        #expect(await values.next() == nil)
        #expect(notified.elements == [10, 1, 11])
        #expect(list.ids.isEmpty && list.values.isEmpty && name.value == nil)
        list.replace(withIDs: [1])
        name.id = 5
        #expect(list.ids.isEmpty && name.id == nil)
        #expect(handles.allSatisfy { $0.value == nil })
        // Iterators keep the last values of their sequences.
        states = list.updates.makeAsyncIterator()
        values = name.updates.makeAsyncIterator()
        #expect(await states.next() == nil)
        #expect(await values.next() == nil)
        #expect(aliveCount == 0)
        for subscription in subscriptions { subscription.cancel() }
    }

    private func fill(
        _ holder: Protected<FlatCache?>,
        _ notified: Recorder<Int>
    ) -> (CachedList<Counted>, CachedReference<Counted>, [CacheSubscription]) {
        let cache = holder.withLock { $0 } ?? FlatCache()
        let list = cache.list("home", of: Counted.self)
        let name = cache.reference("best", of: Counted.self)
        list.append(contentsOf: (0..<10).map { Counted($0, alive) })
        name.set(Counted(99, alive))
        let subscriptions = [
            list.observe { notified.record($0.values.count) },
            name.observe { notified.record($0 == nil ? 0 : 1) },
            cache.observe { [unowned cache] in
                cache.count(of: Counted.self)
            } onChange: {
                notified.record($0)
            },
        ]
        return (list, name, subscriptions)
    }

    @Test("N7: Iterators that are abandoned at any time leave no slot and hold nothing", arguments: 0...3)
    func abandonedIterators(values: Int) async {
        let cache = FlatCache()
        for _ in 0..<1_000 {
            let token = Token(alive)
            var iterator = cache.updates { [unowned cache] in
                withExtendedLifetime(token) {}
                return cache.get(Counter.self, id: 1)?.count
            }.makeAsyncIterator()
            for count in 0..<values {
                cache.set(Counter(id: 1, count: count))
                _ = await iterator.next()
            }
            if values > 1 { cache.remove(Counter.self, id: 1) }
        }
        cache.removeAll()
        #expect(aliveCount == 0)
        #expect(cache.slotCount(of: Counter.self) == 0)
    }

    @Test("N7: A slow sequence holds no more than what one commit has replaced")
    func slowSequence() async {
        let cache = FlatCache()
        cache.set(Counted(1, alive))
        var iterator = cache.updates { [unowned cache] in cache.contains(Counted.self, id: 1) }.makeAsyncIterator()
        #expect(await iterator.next() == true)
        for _ in 0..<1_000 { cache.set(Counted(1, alive)) }
        #expect(aliveCount <= 2)
        cache.removeAll()
        #expect(await iterator.next() == false)
        #expect(aliveCount == 0)
    }

    @Test("N7: Tracked reads leave no slot after their notification, and nothing that their readers hold")
    func notifiedReads() {
        let cache = FlatCache()
        let list = cache.list("home", of: Counter.self)
        for count in 1...1_000 {
            let token = Token(alive)
            withObservationTracking {
                _ = cache.tracked { $0.get(Counter.self, id: 1) }
                _ = list.values
                _ = Cached(Counter.self, id: 2, in: cache).value
            } onChange: {
                withExtendedLifetime(token) {}
            }
            switch count % 3 {
            case 0: cache.set(Counter(id: 1, count: count))
            case 1: cache.set(Counter(id: 2, count: count))
            default: list.append(ids: [count])
            }
        }
        #expect(aliveCount == 0)
        cache.removeAll()
        #expect(cache.observedKeyCount(of: Counter.self) == 0)
        #expect(cache.observedKeyCount(of: ListContents<Counter>.self) == 0)
    }

    #if compiler(>=6.2) && (os(macOS) || os(Linux))
    @Test("N7: Many derived observers, one after the other or many at once, return memory to where it was")
    func manyObservers() async {
        // A process of its own, because tests that run beside this one need memory too.
        await #expect(processExitsWith: .success) {
            let cache = FlatCache()
            func observe(_ step: Int) -> CacheSubscription {
                cache.observe { [unowned cache] in
                    cache.get(Counter.self, id: step & 0xFFFF)?.count
                        ?? cache.get(Counter.self, id: -1 - step & 0xFF)?.count
                } onChange: { _ in
                }
            }
            func cycle(_ count: Int) {
                for step in 0..<count {
                    let subscription = observe(step)
                    if step & 0xF == 0 { cache.set(Counter(id: step & 0xFFFF, count: step)) }
                    if step & 0xF == 8 { cache.remove(Counter.self, id: (step - 8) & 0xFFFF) }
                    subscription.cancel()
                }
                cache.removeAll()
            }
            cycle(10_000)
            let count = ProcessMemory.cycleCount / 4
            var grown = try ProcessMemory.leastGrowth(of: 4) { cycle(count) }
            #expect(grown < 1 << 20, "\(count) cycles leave \(grown) bytes each time")
            grown = try ProcessMemory.leastGrowth(of: 3) {
                let subscriptions = (0..<20_000).map(observe)
                for subscription in subscriptions { subscription.cancel() }
            }
            #expect(grown < 1 << 20, "20,000 observers leave \(grown) bytes each time")
            #expect(cache.slotCount(of: Counter.self) == 0)
        }
    }

    @Test("N7: Many tracked reads with notifications, and untracked reads, return memory to where it was")
    func manyTrackedReads() async {
        await #expect(processExitsWith: .success) {
            let cache = FlatCache()
            let handle = Cached(Counter.self, id: 1, in: cache)
            func cycle(_ count: Int) {
                for step in 0..<count {
                    withObservationTracking {
                        _ = handle.value
                        _ = cache.tracked { $0.get(Counter.self, id: 2 + step & 0xFF) }
                    } onChange: {
                    }
                    _ = handle.value
                    cache.set(Counter(id: 1, count: step))
                }
            }
            // Each is notified once more on the main actor, by tasks that need their turns there.
            cycle(2_000)
            await MainActor.run {}
            let count = ProcessMemory.cycleCount / 20
            let grown = try await ProcessMemory.leastGrowth(of: 4) {
                cycle(count)
                await MainActor.run {}
            }
            #expect(grown < 1 << 20, "\(count) tracked reads leave \(grown) bytes each time")
            #expect(cache.observedKeyCount(of: Counter.self) == 0)
            #expect(cache.slotCount(of: Counter.self) == 1)
        }
    }

    @Test("S9: However often readers are woken while the main actor is busy, one turn of it is waited for")
    func busyMainActor() async {
        await #expect(processExitsWith: .success) {
            let grown = try await MainActor.run {
                let cache = FlatCache()
                let handle = Cached(Counter.self, id: 1, in: cache)
                func cycle(_ count: Int) {
                    for step in 0..<count {
                        withObservationTracking {
                            _ = handle.value
                        } onChange: {
                        }
                        cache.set(Counter(id: 1, count: step))
                    }
                }
                cycle(2_000)
                let count = ProcessMemory.cycleCount / 20
                return try ProcessMemory.leastGrowth(of: 4) { cycle(count) }
            }
            #expect(grown < 1 << 20, "wakes leave \(grown) bytes each time")
        }
    }

    @Test("N7: Tracked bodies that read nothing leave nothing with who tracks them")
    func trackedWithoutReads() async {
        await #expect(processExitsWith: .success) {
            let cache = FlatCache()
            func cycle(_ count: Int) {
                for _ in 0..<count {
                    withObservationTracking {
                        cache.tracked { _ in }
                    } onChange: {
                    }
                }
            }
            cycle(2_000)
            let count = ProcessMemory.cycleCount / 20
            let grown = try ProcessMemory.leastGrowth(of: 4) { cycle(count) }
            #expect(grown < 1 << 20, "\(count) tracked bodies leave \(grown) bytes each time")
        }
    }
    #endif
}
