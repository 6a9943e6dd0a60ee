import Foundation
import Observation
import Testing

@testable import FlatCache

/// What tests of derived observation have found, each as short as it can be.
@Suite("Found in derived observation")
struct FoundInDerivedTests {
    let cache = FlatCache()

    /// A value that can't be compared: each run that isn't superfluous is told.
    private struct Incomparable: Sendable {
        let count: Int?
    }

    private func observeCount(
        _ told: Recorder<Int?>,
        then action: @escaping @Sendable () -> Void
    ) -> CacheSubscription {
        cache.observe { [cache] in
            Incomparable(count: cache.get(Counter.self, id: 1)?.count)
        } onChange: { value in
            told.record(value.count)
            // A mistake that tells for ever shall not hang the tests.
            if told.count < 10 { action() }
        }
    }

    @Test(
        "N4: Equal writes of the callback's own are not told, after the first call as after others",
        arguments: [1, 2]
    )
    func equalWrites(writes: Int) {
        cache.set(Counter(id: 1))
        let told = Recorder<Int?>()
        let subscription = observeCount(told) { [cache] in
            for _ in 0..<writes {
                if let counter = cache.get(Counter.self, id: 1) { cache.set(counter) }
            }
        }
        cache.set(Counter(id: 1, count: 1))
        #expect(told.elements == [0, 1])
        subscription.cancel()
    }

    @Test("N4: Clearing a type and storing the same in one transaction is no change for who reads the whole type")
    func clearedAndStored() {
        cache.set(Counter(id: 1))
        let runs = Recorder<Int>()
        let subscription = cache.observe { [cache] in
            runs.record(1)
            return cache.allValues(of: Counter.self).count
        } onChange: { _ in
        }
        cache.transaction {
            cache.removeAll(of: Counter.self)
            cache.set(Counter(id: 1))
        }
        #expect(runs.count == 1)
        subscription.cancel()
    }

    @Test("N4: What changes nothing in a list that was never filled wakes nobody", arguments: 0..<4)
    func unchangedList(number: Int) {
        let list = cache.list("home", of: Counter.self)
        let told = Recorder<Int>()
        withObservationTracking {
            _ = list.ids
        } onChange: {
            told.record(1)
        }
        switch number {
        case 0: list.remove(9)
        case 1: list.move(9, before: nil)
        case 2: list.append(ids: [])
        default: list.update { $0.reverse() }
        }
        #expect(told.count == 0)
    }

    @Test("N7: What was tracked and has never changed goes with the cache")
    func trackedCacheGoes() {
        let alive = Protected(0)
        var cache: FlatCache? = FlatCache()
        func track() {
            guard let cache else { return }
            let token = Counted(1, alive)
            withObservationTracking {
                _ = cache.tracked { $0.get(Counter.self, id: 1) }
                _ = Cached(Counter.self, id: 2, in: cache).count
                _ = cache.list("home", of: Counter.self).values
            } onChange: {
                withExtendedLifetime(token) {}
            }
        }
        track()
        #expect(alive.withLock { $0 } == 1)
        cache = nil
        #expect(alive.withLock { $0 } == 0)
    }

    @Test(
        "N3: A sequence whose run is out of date and gives an equal value runs again, without another commit",
        .timeLimit(.minutes(1))
    )
    func outdatedAndEqual() async {
        cache.set(Counter(id: 1))
        let runs = Protected(0)
        let next: @Sendable () -> Int = {
            runs.withLock { runs in
                runs += 1
                return runs
            }
        }
        var iterator = cache.updates { [cache] in
            let run = next()
            let count = cache.get(Counter.self, id: 1)?.count
            // The run before has taken the signal of its own commit: the one that comes now is taken before the third run.
            if run == 2 { onThreads(1) { _ in cache.set(Counter(id: 1, count: 2)) } }
            if run == 3 { onThreads(1) { _ in cache.set(Counter(id: 2, count: 7)) } }
            return count == 2 ? cache.get(Counter.self, id: 2)?.count ?? 0 : 0
        }.makeAsyncIterator()
        #expect(await iterator.next() == 0)
        cache.set(Counter(id: 1, count: 1))
        #expect(await iterator.next() == 7)
    }

    #if DEBUG
    @Test("N2, N3: A change that is put into the mailbox only when its state is being read doesn't hide a later one")
    func latePost() {
        let ids = cache.counterIDsInDifferentShards(2)
        cache.set(contentsOf: ids.map { Counter(id: $0) })
        let told = Recorder<[Int?]>()
        let runs = Protected(0)
        let hasBegun = Gate("the second run has begun")
        let subscription = cache.observe { [cache] in
            let run = runs.withLock { runs in
                runs += 1
                return runs
            }
            if run == 2 { hasBegun.open() }
            let first = cache.get(Counter.self, id: ids[0])?.count
            if run == 2 { RunningThread { cache.set(Counter(id: ids[0])) }.finish() }
            return [first, cache.get(Counter.self, id: ids[1])?.count]
        } onChange: {
            told.record($0)
        }
        // It is found to be news before the run begins, and is in the mailbox when the run reads the key.
        let late = StoppedThread(at: .posting) { [cache] in cache.set(Counter(id: ids[0], count: 1)) }
        let other = RunningThread { [cache] in cache.set(Counter(id: ids[1], count: 1)) }
        hasBegun.wait()
        late.finish()
        other.finish()
        #expect(told.elements.last == [0, 1])
        #expect(told.elements.first == [0, 0])
        subscription.cancel()
    }
    #endif

    #if compiler(>=6.2) && (os(macOS) || os(Linux))
    @Test(
        "N1: Entities that read and write the cache when they are released may do so, whatever a derived observer lets go of",
        arguments: [1, 2, 3]
    )
    func releasedEntities(writes: Int) async {
        // A process of its own, because a mistake ends in a deadlock.
        await #expect(processExitsWith: .success) { [writes] in
            let isDone = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                let cache = FlatCache()
                cache.set(Releasing(id: 1, count: 0, cache))
                let subscription = cache.observe {
                    cache.get(Releasing.self, id: 1)?.count
                } onChange: { count in
                    guard count == 0 else { return }
                    for count in 1...writes { cache.set(Releasing(id: 1, count: count, cache)) }
                }
                var iterator: CacheUpdates<Int?>.AsyncIterator? =
                    cache.updates { cache.get(Releasing.self, id: 1)?.count }.makeAsyncIterator()
                for count in 10...12 { cache.set(Releasing(id: 1, count: count, cache)) }
                iterator = nil
                withExtendedLifetime(iterator) {}
                subscription.cancel()
                cache.removeAll()
                isDone.signal()
            }
            if isDone.wait(timeout: .now() + 20) == .timedOut { exit(1) }
        }
    }
    #endif
}

/// An entity that uses the cache when it is released.
struct Releasing: Cachable {
    let id: Int
    let count: Int
    private let user: User

    init(id: Int, count: Int, _ cache: FlatCache) {
        self.id = id
        self.count = count
        user = User(cache, count)
    }

    private final class User: Sendable {
        private let cache: WeakCache
        private let count: Int

        init(_ cache: FlatCache, _ count: Int) {
            self.cache = WeakCache(cache)
            self.count = count
        }

        deinit {
            guard let cache = cache.cache else { return }
            _ = cache.contains(Releasing.self, id: 1)
            cache.set(Counter(id: count))
        }
    }

    private final class WeakCache: @unchecked Sendable {  // Is set only by the initializer.
        private(set) weak var cache: FlatCache?

        init(_ cache: FlatCache) {
            self.cache = cache
        }
    }
}
