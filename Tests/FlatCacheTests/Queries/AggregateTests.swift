import Observation
import TestThreads
import Testing

@testable import FlatCache

@Suite("Aggregates of queries", .mayBlock)
struct AggregateTests {
    let cache = FlatCache()

    @Test("The aggregates of an answer are its least and greatest values, its sum and its different values")
    func values() {
        cache.set(contentsOf: [
            Track(id: 1, name: "Dune", artistID: 3, plays: 5, rating: 2.5, label: "Blue"),
            Track(id: 2, name: "Alba", artistID: 1, plays: 9, label: "Black"),
            Track(id: 3, name: "Cave", artistID: 3, plays: 9, rating: 4),
        ])
        let tracks = cache.query(Tracks())
        #expect(tracks.min(of: \.name).value == "Alba" && tracks.max(of: \.plays).value == 9)
        #expect(tracks.min(of: \.rating).value == 2.5 && tracks.max(of: \.label).value == "Blue")
        #expect(tracks.sum(of: \.plays).value == 23 && tracks.sum(of: \.rating).value == 6.5)
        #expect(Array(tracks.distinct(\.artistID).value) == [3, 1])
        #expect(Array(tracks.distinct(\.label).value) == ["Blue", "Black"])
        #expect("\(tracks.distinct(\.artistID).value)" == "[3, 1]")
        let twoMost = cache.query(Tracks().sorted(by: \.name).offset(1).limit(1))
        #expect(twoMost.sum(of: \.plays).value == 9 && twoMost.max(of: \.name).value == "Cave")
    }

    @Test("The aggregates of no entities, or after the cache is gone, are nil, zero or empty")
    func empty() {
        var cache: FlatCache? = FlatCache()
        cache?.set(Track(id: 1, plays: 1))
        let query = Tracks().filter(\.plays, in: 5...)
        let all = cache.map { [$0.query(query), $0.query(Tracks())] } ?? []
        for (isGone, tracks) in [(false, all[0]), (true, all[1])] {
            if isGone { cache = nil }
            #expect(tracks.min(of: \.plays).value == nil && tracks.max(of: \.plays).value == nil)
            #expect(tracks.sum(of: \.plays).value == 0 && tracks.sum(of: \.rating).value == 0)
            #expect(tracks.distinct(\.plays).value.isEmpty)
        }
        #expect(all[1].sum(of: \.plays).cache == nil)
        let delivered = Recorder<Int?>()
        let subscription = all[1].sum(of: \.plays).observe { delivered.record($0) }
        #expect(delivered.count == 0)
        subscription.cancel()
    }

    @Test("N4: An aggregate is delivered only if it has another value")
    func delivery() {
        cache.set(contentsOf: (1...4).map { Track(id: $0, artistID: $0 % 2, plays: $0) })
        let tracks = cache.query(Tracks().filter(\.plays, in: 0...100))
        let (sums, least, artists) = (Recorder<Int?>(), Recorder<Int?>(), Recorder<[Int]>())
        let subscriptions = [
            tracks.sum(of: \.plays).observe { sums.record($0) },
            tracks.min(of: \.plays).observe { least.record($0) },
            tracks.distinct(\.artistID).observe { artists.record(Array($0)) },
        ]
        #expect(sums.take() == [10] && least.take() == [1] && artists.take() == [[1, 0]])
        cache.update(Track.self, id: 3) { $0.name = "renamed" }
        cache.set(Track(id: 5, plays: 1_000))
        cache.transaction {
            cache.update(Track.self, id: 3) { $0.plays = 2 }
            cache.update(Track.self, id: 2) { $0.plays = 3 }
        }
        #expect(sums.count == 0 && least.count == 0 && artists.count == 0)
        cache.set(Track(id: 6, artistID: 1, plays: 7))
        #expect(sums.take() == [17] && least.count == 0 && artists.count == 0)
        cache.remove(Track.self, id: 1)
        #expect(sums.take() == [16] && least.take() == [2] && artists.take() == [[0, 1]])
        cache.removeAll()
        #expect(sums.take() == [0] && least.take() == [nil] && artists.take() == [[]])
        for subscription in subscriptions { subscription.cancel() }
        cache.set(Track(id: 7, plays: 1))
        #expect(sums.count == 0 && least.count == 0 && artists.count == 0)
    }

    @Test("A sum of integers out of range is nil, and a number again when it is back in the range")
    func overflow() {
        struct Amounts: Cachable, Equatable {
            let id: Int
            var signed = Int.max
            var unsigned: UInt8? = 200
        }
        let amounts = cache.query(FlatCache.Query(Amounts.self))
        let (signed, unsigned) = (Recorder<Int?>(), Recorder<UInt8?>())
        let subscriptions = [
            amounts.sum(of: \.signed).observe { signed.record($0) },
            amounts.sum(of: \.unsigned).observe { unsigned.record($0) },
        ]
        cache.set(contentsOf: (1...5).map { Amounts(id: $0) })
        #expect(signed.take() == [0, nil] && unsigned.take() == [0, nil])
        cache.set(contentsOf: (6...9).map { Amounts(id: $0, signed: -.max, unsigned: nil) })
        #expect(signed.take() == [.max] && unsigned.count == 0)
        cache.set(Amounts(id: 10, signed: .min))
        #expect(signed.take() == [-1])
        cache.set(Amounts(id: 11, signed: .min))
        #expect(signed.take() == [nil])
        cache.remove(Amounts.self, ids: [2, 3, 4, 5, 10])
        #expect(signed.take().isEmpty && unsigned.count == 0)
        cache.remove(Amounts.self, ids: [6, 7, 8, 11])
        #expect(signed.take() == [0] && unsigned.take() == [200])
        for subscription in subscriptions { subscription.cancel() }
    }

    @Test("Numbers that aren't equal to themselves are no least value, and make a sum NaN once")
    func notNumbers() {
        cache.set(contentsOf: [Track(id: 1, rating: .nan), Track(id: 2, rating: 3), Track(id: 3, rating: .infinity)])
        let tracks = cache.query(Tracks())
        #expect(tracks.min(of: \.rating).value == 3 && tracks.max(of: \.rating).value == .infinity)
        #expect(tracks.distinct(\.rating).value.count == 3)
        let sums = Recorder<Double>()
        let distinct = Recorder<Int>()
        let subscriptions = [
            tracks.sum(of: \.rating).observe { sums.record($0) },
            tracks.distinct(\.rating).observe { distinct.record($0.count) },
        ]
        cache.set(Track(id: 4, rating: 1))
        cache.remove(Track.self, id: 3)
        cache.remove(Track.self, id: 4)
        cache.set(Track(id: 5, rating: .nan))
        cache.remove(Track.self, id: 5)
        #expect(sums.elements.count == 1 && sums.elements[0].isNaN)
        #expect(distinct.elements == [3, 4, 3, 2])
        cache.remove(Track.self, id: 1)
        #expect(sums.elements.last == 3 && distinct.elements.last == 1)
        for subscription in subscriptions { subscription.cancel() }
    }

    @Test("S2: In a transaction or a read an aggregate is that of the state which the body sees")
    func transactions() throws {
        cache.set(contentsOf: [Track(id: 1, plays: 1), Track(id: 2, plays: 2)])
        let sum = cache.query(Tracks()).sum(of: \.plays)
        let sums = Recorder<Int?>()
        let subscription = sum.observe { sums.record($0) }
        cache.transaction {
            cache.set(Track(id: 3, plays: 3))
            #expect(sum.value == 6)
            cache.remove(Track.self, id: 1)
            #expect(sum.value == 5)
        }
        #expect(sums.elements == [3, 5])
        #expect(throws: ServerError.self) {
            try cache.transaction {
                cache.set(Track(id: 4, plays: 4))
                #expect(sum.value == 9)
                throw ServerError()
            }
        }
        #expect(sums.elements == [3, 5])
        cache.read {
            onThreads(1) { [cache] _ in cache.set(Track(id: 9, plays: 9)) }
            #expect(sum.value == 5)
        }
        #expect(sum.value == 14)
        subscription.cancel()
    }

    @Test("A computed property that reads the cache is computed once for each change, and again when its reads change")
    func reading() {
        let computed = Recorder<Int>()
        FlatCache.$computedTracks.withValue(computed) {
            cache.set(contentsOf: (0..<100).map { Track(id: $0, artistID: $0 % 10) })
            cache.set(contentsOf: (0..<10).map { Author(id: "\($0)", name: "\($0)") })
            let names = Recorder<String?>()
            let subscription = cache.query(Tracks()).max(of: \.nameOfArtist).observe { names.record($0) }
            #expect(computed.take().count == 100)
            cache.set(Author(id: "3", name: "z"))
            #expect(computed.take().sorted() == (0..<10).map { $0 * 10 + 3 })
            cache.set(Track(id: 5, artistID: 3))
            #expect(computed.take() == [5])
            cache.set(Author(id: "77"))
            #expect(computed.count == 0)
            cache.set(Author(id: "3", name: "0"))
            #expect(names.elements == ["9", "z", "9"])
            subscription.cancel()
        }
    }

    @Test("An aggregate can be observed on the main actor, as a sequence, and by the Observation framework")
    @MainActor func ways() async {
        cache.set(Track(id: 1, plays: 1))
        let sum = cache.query(Tracks()).sum(of: \.plays)
        let onMain = Recorder<Int?>()
        let subscription = sum.observe(on: MainActor.shared) { onMain.record($0) }
        var updates = sum.updates.makeAsyncIterator()
        #expect(await updates.next(isolation: MainActor.shared) == 1)
        let changed = Recorder<Int>()
        withObservationTracking {
            #expect(sum.value == 1)
        } onChange: {
            changed.record(1)
        }
        cache.set(Track(id: 2))
        cache.update(Track.self, id: 1) { $0.name = "renamed" }
        #expect(changed.count == 0)
        cache.set(Track(id: 3, plays: 3))
        #expect(await updates.next(isolation: MainActor.shared) == 4)
        #expect(changed.count == 1)
        #expect(sum.value == 4)
        subscription.cancel()
        #expect(onMain.elements == [1, 4])
    }

    @Test("N1: An observer of an aggregate may write, and is called again")
    func writing() {
        let sums = Recorder<Int?>()
        let subscription = cache.query(Tracks()).sum(of: \.plays).observe { [cache] sum in
            sums.record(sum)
            if let sum, sum < 3 { cache.set(Track(id: sum, plays: 1)) }
        }
        #expect(sums.elements == [0, 1, 2, 3])
        subscription.cancel()
    }

    @Test("N7: A cancelled observer of an aggregate releases its closure and its values")
    func release() {
        let alive = Protected(0)
        cache.set(Track(id: 1))
        let tracks = cache.query(Tracks())
        do {
            let token = Token(alive)
            let subscription = tracks.sum(of: \.plays).observe { _ in withExtendedLifetime(token) {} }
            subscription.cancel()
        }
        #expect(alive.withLock { $0 } == 0)
        do {
            let token = Token(alive)
            let subscription = tracks.grouped(by: \.plays).observe { _ in withExtendedLifetime(token) {} }
            subscription.cancel()
        }
        #expect(alive.withLock { $0 } == 0)
    }
}

extension FlatCache {
    @TaskLocal fileprivate static var computedTracks: Recorder<Int>?
}

extension Track {
    fileprivate var nameOfArtist: String? {
        FlatCache.computedTracks?.record(id)
        return FlatCache.current.get(Author.self, id: "\(artistID)")?.name
    }
}
