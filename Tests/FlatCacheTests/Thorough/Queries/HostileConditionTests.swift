import Foundation
import TestThreads
import Testing

@testable import FlatCache

@Suite("Hostile conditions and callbacks", .mayBlock)
struct HostileConditionTests {
    let cache = FlatCache()

    @Test("A condition that writes its own type, and another one, ends")
    func writing() {
        let answers = Recorder<Int>()
        let isDone = ends { [cache] in
            cache.set(contentsOf: (0..<5).map { Track(id: $0) })
            let query = cache.query(
                Tracks().filter { [cache] track in
                    if track.id < 20 { cache.set(Track(id: track.id + 100)) }
                    cache.set(Author(id: "\(track.id)"))
                    return true
                }
            )
            #expect(query.count == 5)
            let subscription = query.observe { answers.record($0.ids.count) }
            cache.set(Track(id: 6))
            #expect(query.count >= 11)
            subscription.cancel()
        }
        #expect(isDone)
        #expect(answers.elements.last ?? 0 >= 10)
    }

    @Test("A condition that waits for another thread which writes the type")
    func waiting() {
        let isDone = ends { [cache] in
            cache.set(Track(id: 1))
            let query = cache.query(
                Tracks().filter { [cache] track in
                    onThreads(2) { _ in
                        cache.set(Track(id: 1, plays: track.plays))
                        cache.replaceAll(of: Author.self, with: [Author(id: "1")])
                    }
                    return true
                }
            )
            let answers = Recorder<Int>()
            let subscription = query.observe { answers.record($0.ids.count) }
            cache.set(Track(id: 2))
            cache.transaction { _ = query.count }
            #expect(answers.elements == [1, 2])
            subscription.cancel()
        }
        #expect(isDone)
    }

    @Test("A condition that cancels its own subscription")
    func cancellingCondition() {
        let subscription = Protected<CacheSubscription?>(nil)
        let answers = Recorder<[Int]>()
        let isDone = ends { [cache] in
            cache.set(contentsOf: [Track(id: 1), Track(id: 2)])
            let query = Tracks().filter { [cache] track in
                _ = cache.get(Author.self, id: "\(track.id)")
                if track.id == 3 { subscription.withLock { $0 }?.cancel() }
                _ = cache.get(Author.self, id: "x\(track.id)")
                return true
            }
            let new = cache.query(query).observe { answers.record($0.ids) }
            subscription.withLock { $0 = new }
            cache.set(contentsOf: (3..<10).map { Track(id: $0) })
            cache.set(Track(id: 11))
        }
        #expect(isDone)
        #expect(answers.elements == [[1, 2]])
        #expect(!cache.isWatched(Track.self))
        #expect(cache.observedKeyCount(of: Author.self) == 0 && cache.slotCount(of: Author.self) == 0)
    }

    @Test("A callback cancels its own subscription, and releases the query")
    func cancellingCallback() {
        let subscription = Protected<CacheSubscription?>(nil)
        let alive = Protected(0)
        let calls = Recorder<Int>()
        let isDone = ends { [cache] in
            let token = Token(alive)
            let new = cache.query(Tracks()).observe { [token] result in
                withExtendedLifetime(token) {}
                calls.record(result.ids.count)
                if result.ids.count < 2 { return }
                let old = subscription.withLock { subscription in
                    defer { subscription = nil }
                    return subscription
                }
                old?.cancel()
                cache.set(Track(id: 99))
            }
            subscription.withLock { $0 = new }
            for id in 0..<5 { cache.set(Track(id: id)) }
        }
        #expect(isDone)
        #expect(calls.elements == [0, 1, 2])
        #expect(alive.withLock { $0 } == 0)
        #expect(!cache.isWatched(Track.self))
    }

    @Test("A condition that asks another query of its own type, and one of another type, is current")
    func nested() {
        cache.set(contentsOf: (0..<30).map { Track(id: $0, plays: $0 % 7) })
        let most = cache.query(Tracks().sorted(by: \.plays, .descending).limit(1))
        let authors = cache.query(FlatCache.Query(Author.self).filter(\.name, hasPrefix: "A"))
        let query = Tracks().filter { $0.plays == most.first?.plays && authors.count % 2 == 0 }
        let follower = ArrayFollower()
        let subscription = cache.query(query).observe { follower.apply($0) }
        func check(_ line: Int = #line) {
            let expected = cache.query(query).ids
            #expect(follower.shown.withLock { $0.map(\.id) } == expected, "line \(line)")
        }
        check()
        cache.set(Track(id: 3, plays: 50))
        check()
        cache.set(Author(id: "1", name: "Ada"))
        check()
        cache.set(Author(id: "2", name: "Alan"))
        check()
        cache.transaction {
            cache.remove(Track.self, id: 3)
            cache.set(Track(id: 40, plays: 6))
        }
        check()
        cache.removeAll(of: Author.self)
        check()
        cache.removeAll()
        check()
        #expect(follower.mistakes.take() == [])
        subscription.cancel()
        #expect(!cache.isWatched(Track.self) && !cache.isWatched(Author.self))
    }

    @Test("A condition that observes another query, and cancels it")
    func observingCondition() {
        let isDone = ends { [cache] in
            cache.set(contentsOf: (0..<5).map { Track(id: $0) })
            let query = Tracks().filter { [cache] track in
                let count = Protected(0)
                let subscription = cache.query(Tracks()).observe { result in count.withLock { $0 = result.ids.count } }
                subscription.cancel()
                return count.withLock { $0 } > track.id
            }
            let answers = Recorder<[Int]>()
            let subscription = cache.query(query).observe { answers.record($0.ids) }
            cache.set(Track(id: 9))
            cache.set(Track(id: 5))
            #expect(answers.elements == [[0, 1, 2, 3, 4], [0, 1, 2, 3, 4, 5]])
            subscription.cancel()
        }
        #expect(isDone)
        #expect(!cache.isWatched(Track.self))
    }

    @Test("A condition that reads another cache, with the same identifiers")
    func otherCache() {
        let other = FlatCache()
        other.set(Author(id: "1", name: "other"))
        cache.set(Author(id: "1", name: "ours"))
        cache.set(Track(id: 1))
        let query = cache.query(
            Tracks().filter { _ in
                FlatCache.current.get(Author.self, id: "1")?.name == "ours"
                    && other.get(Author.self, id: "1")?.name == "other" && other.query(Tracks()).isEmpty
                    && FlatCache.withCurrent(other) { FlatCache.current.get(Author.self, id: "1")?.name == "other" }
            }
        )
        let counts = Recorder<Int>()
        let subscription = query.observe { counts.record($0.ids.count) }
        cache.set(Author(id: "1", name: "theirs"))
        cache.set(Author(id: "1", name: "ours"))
        other.remove(Author.self, id: "1")
        #expect(counts.elements == [1, 0, 1])
        subscription.cancel()
        #expect(other.observedKeyCount(of: Author.self) == 0)
    }

    @Test("A callback that writes its own type is called until the answer is stable")
    func writingCallback() async {
        let counts = Recorder<Int>()
        let observing = Protected<CacheSubscription?>(nil)
        let isDone = ends { [cache] in
            let subscription = cache.query(Tracks().filter(\.plays, in: ..<50)).observe { [cache] result in
                counts.record(result.values.first?.plays ?? -1)
                if let first = result.values.first { cache.set(Track(id: first.id, plays: first.plays + 1)) }
            }
            cache.set(Track(id: 1))
            observing.withLock { $0 = subscription }
        }
        #expect(isDone)
        let isStable = await comes { cache.get(Track.self, id: 1)?.plays == 50 && counts.count >= 52 }
        #expect(isStable)
        observing.withLock { $0 }?.cancel()
        #expect(counts.elements == Array(-1..<50) + [-1])
    }

    @Test("A callback that never returns keeps no other thread from writing, reading, observing or cancelling")
    func stuckCallback() {
        let stop = Stop()
        let subscription = Protected<CacheSubscription?>(nil)
        let new = cache.query(Tracks()).observe { if !$0.isInitial { stop.pass() } }
        subscription.withLock { $0 = new }
        let writer = RunningThread { [cache] in cache.set(Track(id: 1)) }
        stop.waitForArrival()
        let isDone = ends { [cache] in
            cache.set(contentsOf: (0..<10_000).map { Track(id: $0) })
            cache.replaceAll(of: Track.self, with: (0..<10_000).map { Track(id: $0, plays: 1) })
            let other = Recorder<Int>()
            let second = cache.query(Tracks()).observe { other.record($0.ids.count) }
            cache.removeAll()
            #expect(other.elements == [10_000, 0])
            second.cancel()
            subscription.withLock { $0 }?.cancel()
        }
        #expect(isDone)
        stop.letThrough()
        writer.finish()
        #expect(!cache.isWatched(Track.self))
    }

    @Test("The cache is released in a callback, in a condition, and while a task iterates")
    func deallocation() async {
        final class Box: Sendable {
            let cache = Protected<FlatCache?>(FlatCache())
            func release() {
                let old = cache.withLock { cache in
                    defer { cache = nil }
                    return cache
                }
                withExtendedLifetime(old) {}
            }
        }
        for place in 0..<2 {
            let box = Box()
            weak var weakCache: FlatCache?
            var subscription: CacheSubscription?
            let calls = Recorder<Int>()
            do {
                let cache = box.cache.withLock { $0 }
                weakCache = cache
                subscription = cache?.query(
                    Tracks().filter { track in
                        if place == 0, track.id == 1 { box.release() }
                        return true
                    }
                ).observe { result in
                    calls.record(result.ids.count)
                    if place == 1, result.ids.count == 1 { box.release() }
                }
                let isDone = ends { box.cache.withLock { $0 }?.set(Track(id: 1)) }
                #expect(isDone)
            }
            #expect(calls.elements == [0, 1])
            let isGone = await comes { weakCache == nil }
            #expect(isGone)
            await subscription?.ended()
            subscription = nil
        }
        let box = Box()
        weak var weakCache: FlatCache?
        let updates: CacheUpdates<QueryResult<Track>>?
        let changes: CacheUpdates<TypeChanges<Track>>?
        do {
            let cache = box.cache.withLock { $0 }
            weakCache = cache
            cache?.set(Track(id: 1))
            updates =
                cache?.query(Tracks().filter { FlatCache.current.get(Author.self, id: "\($0.id)") == nil }).updates
            changes = cache?.changes(ofAll: Track.self)
        }
        let elements = Recorder<Int>()
        let first = Task { for await result in updates! { elements.record(result.ids.count) } }
        let second = Task { for await _ in changes! {} }
        let hasBegun = await comes { elements.count == 1 }
        #expect(hasBegun)
        box.release()
        await first.value
        await second.value
        #expect(weakCache == nil)
    }

    @Test("A main-actor observer is called before a main-actor commit returns, and not after it is cancelled")
    @MainActor func mainActor() async {
        let counts = Recorder<Int>()
        let onMain = Recorder<Bool>()
        let query = cache.query(
            Tracks().filter { _ in
                onMain.record(MainActor.isRunning)
                return true
            }
        )
        let subscription = query.observe(on: MainActor.shared) { counts.record($0.ids.count) }
        let changes = Recorder<Int>()
        let all = cache.observe(all: Track.self, on: MainActor.shared) { changes.record($0.inserted.count) }
        #expect(counts.elements == [0])
        cache.set(Track(id: 1))
        #expect(counts.elements == [0, 1] && changes.elements == [1])
        onThreads(2) { [cache] thread in for id in 0..<50 { cache.set(Track(id: 100 + thread * 50 + id)) } }
        #expect(counts.elements == [0, 1])
        let isLast = await comes { counts.elements.last == 101 }
        #expect(isLast)
        #expect(changes.elements.reduce(0, +) == 101)
        #expect(onMain.elements.allSatisfy { $0 })
        onThreads(1) { [cache] _ in cache.set(Track(id: 500)) }
        subscription.cancel()
        all.cancel()
        let (before, beforeAll) = (counts.count, changes.count)
        for _ in 0..<1_000 { await Task.yield() }
        #expect(counts.count == before && changes.count == beforeAll)
    }
}
