import Observation
import TestThreads
import Testing

@testable import FlatCache

@Suite("Observers of equal queries", .mayBlock)
struct SharedQueryTests {
    let cache = FlatCache()

    private func taken(_ count: Protected<Int>) -> Int {
        count.withLock { count in
            defer { count = 0 }
            return count
        }
    }

    /// A query that counts how often its condition is asked.
    private func even(_ asked: Protected<Int>) -> FlatCache.Query<Track> {
        Tracks().filter(id: "even") { track in
            asked.withLock { $0 += 1 }
            return track.plays % 2 == 0
        }.sorted(by: \.plays)
    }

    @Test("A commit asks the condition once for all observers of equal queries", arguments: [1, 2, 100])
    func askedOnce(count: Int) async {
        let asked = Protected(0)
        cache.set(contentsOf: (0..<10).map { Track(id: $0, plays: $0) })
        let followers = (0..<count).map { _ in ArrayFollower() }
        let subscriptions = followers.map { follower in cache.query(even(asked)).observe { follower.apply($0) } }
        #expect(taken(asked) == 10)
        #expect(cache.queryShares.count == 1)
        cache.set(Track(id: 3, plays: 20))
        cache.set(Track(id: 4, plays: 5))
        #expect(taken(asked) == 2)
        let expected = cache.query(even(Protected(0))).ids
        for follower in followers {
            #expect(follower.shown.withLock { $0.map(\.id) } == expected)
            #expect(follower.mistakes.take() == [])
        }
        for subscription in subscriptions { subscription.cancel() }
        #expect(cache.queryShares.count == 0)
        #expect(!cache.isWatched(Track.self))
    }

    @Test("Iterators of equal queries ask the condition once for all", .timeLimit(.minutes(30)))
    func iterators() async {
        let asked = Protected(0)
        cache.set(contentsOf: (0..<10).map { Track(id: $0, plays: $0) })
        var iterators = (0..<5).map { _ in cache.query(even(asked)).updates.makeAsyncIterator() }
        for place in iterators.indices { #expect(await iterators[place].next()?.isInitial == true) }
        #expect(taken(asked) == 10)
        for step in 0..<3 {
            cache.set(Track(id: 3, plays: 20 + 2 * step))
            var revisions: Set<UInt64> = []
            for place in iterators.indices {
                let result = await iterators[place].next()
                #expect(result?.ids.last == 3)
                #expect(result?.difference.updates == (step == 0 ? [] : [5]))
                revisions.insert(result?.revision ?? 0)
            }
            #expect(revisions.count == 1)
            #expect(taken(asked) == 1)
        }
    }

    @Test("A later observer is called with its first answer before its observation begins, and others aren't called")
    func later() {
        cache.set(contentsOf: (0..<10).map { Track(id: $0, plays: $0) })
        let asked = Protected(0)
        let calls = Recorder<String>()
        let first = cache.query(even(asked)).observe { calls.record("first \($0.isInitial) \($0.ids.count)") }
        let second = cache.query(even(asked)).observe { calls.record("second \($0.isInitial) \($0.ids.count)") }
        #expect(calls.take() == ["first true 5", "second true 5"])
        cache.set(Track(id: 1, plays: 2))
        #expect(Set(calls.take()) == ["first false 6", "second false 6"])
        first.cancel()
        cache.set(Track(id: 3, plays: 2))
        #expect(calls.take() == ["second false 7"])
        second.cancel()
    }

    @Test("Observers of different queries, caches and threads share nothing")
    func different() async {
        let other = FlatCache()
        let asked = Protected(0)
        let query = even(asked)
        let mine = cache.query(query).observe { _ in }
        let others = other.query(query).observe { _ in }
        let reversed = cache.query(query.limit(3)).observe { _ in }
        #expect(cache.queryShares.count == 2)
        #expect(other.queryShares.count == 1)
        let main = await MainActor.run { [cache] in
            (0..<2).map { _ in cache.query(query).observe(on: MainActor.shared) { _ in } }
        }
        #expect(cache.queryShares.count == 3)
        for subscription in [mine, others, reversed] + main { subscription.cancel() }
        #expect(cache.queryShares.count == 0)
    }

    @Test("A condition can observe an equal query, which is then computed for this observer alone")
    func inItsOwnCondition() {
        let begun = Protected(false)
        let inner = Recorder<[Int]>()
        let subscriptions = Protected<[CacheSubscription]>([])
        let isDone = ends { [cache] in
            cache.set(contentsOf: (0..<4).map { Track(id: $0) })
            let query = Protected<FlatCache.Query<Track>?>(nil)
            let own = Tracks().filter(id: 1) { track in
                let isFirst = begun.withLock { isBegun in
                    defer { isBegun = isBegun || track.id == 9 }
                    return !isBegun && track.id == 9
                }
                guard isFirst, let own = query.withLock({ $0 }) else { return true }
                let subscription = cache.query(own).observe { inner.record($0.ids) }
                subscriptions.withLock { $0.append(subscription) }
                return true
            }
            query.withLock { $0 = own }
            let outer = cache.query(own).observe { _ in }
            cache.set(Track(id: 9))
            cache.set(Track(id: 10))
            subscriptions.withLock { $0.append(outer) }
        }
        #expect(isDone)
        #expect(inner.take() == [[0, 1, 2, 3, 9], [0, 1, 2, 3, 9, 10]])
        for subscription in subscriptions.withLock({ $0 }) { subscription.cancel() }
        #expect(!cache.isWatched(Track.self))
    }

    @Test("An observer that cancels others, or begins one, in its callback")
    func changesInCallback() {
        let calls = Recorder<Int>()
        let all = Protected<[CacheSubscription]>([])
        let isDone = ends { [cache] in
            let query = Tracks().sorted(by: \.plays)
            let subscriptions = (0..<20).map { number in
                cache.query(query).observe { result in
                    calls.record(number)
                    guard result.ids.count == 1 else { return }
                    let ended = all.withLock { all in
                        defer { all = [] }
                        return all
                    }
                    if ended.isEmpty { return }
                    for subscription in ended { subscription.cancel() }
                    let new = cache.query(query).observe { calls.record(100 + $0.ids.count) }
                    all.withLock { $0 = [new] }
                }
            }
            all.withLock { $0 = subscriptions }
            cache.set(Track(id: 1))
            cache.set(Track(id: 2))
        }
        #expect(isDone)
        #expect(calls.take().suffix(3).dropFirst() == [101, 102])
        for subscription in all.withLock({ $0 }) { subscription.cancel() }
        #expect(!cache.isWatched(Track.self))
    }

    @Test("The end of the cache ends all observers of a query")
    func endOfCache() async {
        var cache: FlatCache? = FlatCache()
        let query = cache?.query(Tracks())
        var iterators = (0..<3).compactMap { _ in query?.updates.makeAsyncIterator() }
        let subscriptions = (0..<3).compactMap { _ in query?.observe { _ in } }
        for place in iterators.indices { _ = await iterators[place].next() }
        cache = nil
        for place in iterators.indices { #expect(await iterators[place].next() == nil) }
        for subscription in subscriptions { await subscription.ended() }
        #expect(query?.ids == [])
    }
}

@Suite("Closures that read queries", .mayBlock)
struct DerivedQueryTests {
    let cache = FlatCache()
    private let asked = Protected(0)

    private var even: FlatCache.Query<Track> {
        Tracks().filter(id: "even") { [asked] track in
            asked.withLock { $0 += 1 }
            return track.plays % 2 == 0
        }
    }

    private func takeAsked() -> Int {
        asked.withLock { count in
            defer { count = 0 }
            return count
        }
    }

    @Test("An observed closure asks only changed entities, and runs once for each commit that changes the answer")
    func observed() {
        cache.set(contentsOf: (0..<100).map { Track(id: $0, plays: $0) })
        let runs = Protected(0)
        let counts = Recorder<[Int]>()
        let query = even
        let subscription = cache.observe { [cache] in
            runs.withLock { $0 += 1 }
            let answer = cache.query(query)
            return [answer.count, answer.sum(of: \.plays).value ?? -1, answer.grouped(by: \.artistID).sections.count]
        } onChange: {
            counts.record($0)
        }
        #expect(counts.take() == [[50, 2_450, 1]])
        // The sum and the sections are computed from the same query.
        #expect(takeAsked() == 100)
        #expect(runs.withLock { $0 } == 1)
        cache.set(Track(id: 1, plays: 2))
        #expect(counts.take() == [[51, 2_452, 1]])
        #expect(takeAsked() == 1)
        cache.set(Track(id: 3, plays: 5))
        #expect(counts.take() == [])
        #expect(takeAsked() == 1)
        #expect(runs.withLock { $0 } <= 4)
        cache.transaction {
            cache.set(Track(id: 1, plays: 1))
            cache.set(Track(id: 2, artistID: 1, plays: 2))
        }
        #expect(counts.take() == [[50, 2_450, 2]])
        #expect(takeAsked() == 2)
        subscription.cancel()
        #expect(!cache.isWatched(Track.self))
        #expect(cache.queryShares.count == 0)
    }

    @Test("A closure whose only dependency is a query ends with the cache")
    func endOfCache() async {
        var cache: FlatCache? = FlatCache()
        let updates = cache?.updates { FlatCache.current.query(Tracks()).count }
        var iterator = updates?.makeAsyncIterator()
        #expect(await iterator?.next() == 0)
        cache?.set(Track(id: 1))
        #expect(await iterator?.next() == 1)
        cache = nil
        #expect(await iterator?.next() == nil)
    }

    @Test("A tracked body and a read see their state, and are notified of changes")
    func tracked() {
        cache.set(contentsOf: (0..<10).map { Track(id: $0, plays: $0) })
        let notified = Recorder<Int>()
        let query = even
        withObservationTracking {
            #expect(cache.tracked { $0.query(query).count } == 5)
            cache.read {
                onThreads(1) { [cache] _ in cache.set(Track(id: 1, plays: 2)) }
                #expect(cache.query(query).count == 5)
            }
        } onChange: {
            notified.record(1)
        }
        #expect(cache.query(query).count == 6)
        cache.set(Track(id: 3, plays: 2))
        // The framework can call it twice if two threads notify at the same time.
        #expect(!notified.take().isEmpty)
    }

    @Test("Closures that read queries are right beside writers")
    func besideWriters() async {
        let query = Tracks().filter(\.artistID, equals: 1).sorted(by: \.plays)
        let last = Protected((ids: [Int](), sum: 0))
        let subscription = cache.observe { [cache] in
            let answer = cache.query(query)
            return (Array(answer.values), answer.sum(of: \.plays).value ?? -1)
        } onChange: { (tracks: [Track], sum: Int) in
            #expect(tracks.reduce(0) { $0 + $1.plays } == sum)
            last.withLock { $0 = (tracks.map(\.id), sum) }
        }
        onThreads(3) { [cache] thread in
            for step in 0..<400 {
                let id = (step * 7 + thread) % 20
                cache.set(Track(id: id, artistID: (step + thread) % 2, plays: step))
            }
        }
        let expected = cache.query(query)
        #expect(
            await comes {
                last.withLock { $0 == (expected.ids, expected.values.reduce(0) { $0 + $1.plays }) }
            }
        )
        subscription.cancel()
    }
}
