import SeededRandom
import Testing

@testable import FlatCache

@Suite("Results and differences")
struct QueryResultTests {
    let cache = FlatCache()

    @Test("Each result has a higher revision than the result before, in an empty cache too")
    func revisions() {
        let revisions = Recorder<UInt64>()
        let subscription = cache.query(Tracks()).observe { revisions.record($0.revision) }
        for id in 0..<3 { cache.set(Track(id: id)) }
        let all = revisions.elements
        #expect(zip(all, all.dropFirst()).allSatisfy { $0 < $1 }, "\(all)")
        subscription.cancel()
    }

    @Test("A transaction that removes the last entity and stores an equal one doesn't notify")
    func sameAgain() {
        cache.set(contentsOf: [Track(id: 1), Track(id: 2)])
        let follower = ArrayFollower()
        let subscription = cache.query(Tracks().sorted(by: \.id)).observe { follower.apply($0) }
        cache.transaction {
            cache.remove(Track.self, id: 2)
            cache.set(Track(id: 2))
        }
        #expect(follower.results.withLock { $0 } == 1)
        #expect(follower.mistakes.take() == [])
        subscription.cancel()
    }

    @Test("replaceAll by equal entities doesn't notify", arguments: [3, 4_096, 4_097, 10_000])
    func equalReplacement(count: Int) {
        let tracks = (0..<count).map { Track(id: $0, plays: $0) }
        cache.set(contentsOf: tracks)
        let follower = ArrayFollower()
        let changes = Recorder<Int>()
        let watching = cache.observe(all: Track.self) { changes.record($0.updated.count) }
        let subscription = cache.query(Tracks().sorted(by: \.plays, .descending).limit(10)).observe {
            follower.apply($0)
        }
        cache.replaceAll(of: Track.self, with: tracks)
        cache.set(contentsOf: tracks)
        #expect(follower.results.withLock { $0 } == 1)
        #expect(follower.mistakes.take() == [])
        #expect(changes.elements == [])
        subscription.cancel()
        watching.cancel()
    }

    @Test("An iterator that missed more than 4,096 equal writes has no new element, and later one change only")
    func foldedEqualWrites() async {
        cache.set(contentsOf: (0..<3_000).map { Track(id: $0) })
        var iterator = cache.query(Tracks()).updates.makeAsyncIterator()
        _ = await iterator.next()
        for _ in 0..<3 { cache.set(contentsOf: (0..<3_000).map { Track(id: $0) }) }
        cache.set(Track(id: 7, plays: 1))
        let result = await iterator.next()
        #expect(result?.difference.updates == [7], "\(result?.difference.updates.count ?? 0) updates")
    }

    @Test("An iterator that missed more than 4,096 changes, which another one has received, has what is different")
    func foldedChanges() async {
        cache.set(contentsOf: (0..<3_000).map { Track(id: $0) })
        let tracks = cache.query(Tracks())
        var (fast, slow) = (tracks.updates.makeAsyncIterator(), tracks.updates.makeAsyncIterator())
        _ = await (fast.next(), slow.next())
        for plays in [7, 8, 0] {
            cache.set(contentsOf: (0..<3_000).map { Track(id: $0, plays: plays) })
            #expect(await fast.next()?.difference.updates.count == 3_000)
        }
        cache.set(Track(id: 7, plays: 1))
        cache.remove(Track.self, id: 9)
        let result = await slow.next()
        #expect(result?.difference.updates == [7] && result?.difference.removals == [9])
    }

    @Test("A callback that overwrites more than 4,096 entities twice is called for changed ones only")
    func foldedInCallback() {
        cache.set(contentsOf: (0..<3_000).map { Track(id: $0) })
        let follower = ArrayFollower()
        let isDone = Protected(false)
        let subscription = cache.query(Tracks()).observe { [cache] result in
            follower.apply(result)
            if result.isInitial || isDone.withLock({ $0 }) { return }
            isDone.withLock { $0 = true }
            for _ in 0..<3 { cache.set(contentsOf: (0..<3_000).map { Track(id: $0, plays: $0 == 1 ? 1 : 0) }) }
        }
        cache.set(Track(id: 1, plays: 1))
        #expect(follower.results.withLock { $0 } == 2)
        #expect(follower.mistakes.take() == [])
        subscription.cancel()
    }

    @Test("Differences of large and unordered answers", arguments: Seeds.first(1, full: 3, orAsIn: "FLATCACHE_QUERIES"))
    func large(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let cache = cache
        func track(_ id: Int) -> Track {
            Track(id: id, plays: random.below(9), rating: random.below(3) == 0 ? .nan : Double(random.below(50)))
        }
        cache.set(contentsOf: (0..<300).map(track))
        let queries = [
            Tracks().sorted(by: \.rating), Tracks().sorted(by: \.rating, .descending, nils: .first).limit(100),
            Tracks().sorted(by: \.rating).offset(500).limit(700), Tracks().offset(37).limit(1),
            Tracks().filter(\.plays, in: 3...).sorted(by: \.plays).offset(64), Tracks().sorted(by: \.plays).limit(0),
            Tracks().filter { $0.rating?.isNaN != true }.sorted(by: \.rating).limit(64),
        ]
        let followers = queries.map { _ in ArrayFollower() }
        let subscriptions = zip(queries, followers).map { query, follower in
            cache.query(query).observe { follower.apply($0) }
        }
        for _ in 0..<30 {
            switch random.below(8) {
            case 0: cache.set(contentsOf: (0..<random.below(400)).map(track))
            case 1: cache.remove(Track.self, ids: (0..<random.below(200)).map { _ in random.below(400) })
            case 2 where random.below(4) == 0: cache.replaceAll(of: Track.self, with: (0..<500).map(track))
            case 3 where random.below(8) == 0: cache.removeAll(of: Track.self)
            case 4:
                let removed = random.below(9)
                cache.remove(Track.self) { $0.plays == removed }
            default: cache.set(track(random.below(400)))
            }
        }
        for (query, follower) in zip(queries, followers) {
            #expect(Set(follower.mistakes.take()) == [], "seed \(seed)")
            // Numbers without order have no single right order.
            if query != queries[0], query != queries[1], query != queries[2] {
                let expected = cache.query(query).ids
                #expect(follower.shown.withLock { $0.map(\.id) } == expected, "seed \(seed)")
            }
        }
        for subscription in subscriptions { subscription.cancel() }
    }

    @Test(
        "A query that is observed in a transaction, and one in a read, has the state of one commit and misses nothing"
    )
    func observedInBodies() {
        cache.set(Track(id: 1))
        let answers = Recorder<[Int]>()
        let subscriptions = Protected<[CacheSubscription]>([])
        cache.transaction {
            cache.set(Track(id: 2))
            let new = cache.query(Tracks()).observe { answers.record($0.ids) }
            subscriptions.withLock { $0.append(new) }
            cache.set(Track(id: 3))
        }
        #expect(answers.take() == [[1], [1, 2, 3]])
        cache.read {
            cache.set(Track(id: 4))
            let new = cache.query(Tracks()).observe { answers.record($0.ids) }
            subscriptions.withLock { $0.append(new) }
        }
        #expect(answers.take() == [[1, 2, 3, 4], [1, 2, 3, 4]])
        subscriptions.withLock { $0 = [] }
        cache.set(Track(id: 5))
        #expect(answers.count == 0)
    }

    @Test("A condition whose result changes each time still gives differences that lead to the values")
    func moody() {
        let mood = Protected(0)
        let query = Tracks().filter { track in
            mood.withLock { mood in
                mood += 1
                return (mood &* 7 + track.id) % 3 != 0
            }
        }.sorted(by: \.plays).limit(20)
        let follower = ArrayFollower()
        let subscription = cache.query(query).observe { follower.apply($0) }
        var random = SeededGenerator(seed: 3)
        for _ in 0..<300 {
            cache.set(
                contentsOf: (0..<random.below(5)).map { _ in Track(id: random.below(60), plays: random.below(9)) }
            )
        }
        #expect(follower.mistakes.take() == [])
        subscription.cancel()
    }
}
