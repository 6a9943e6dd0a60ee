import Testing

@testable import FlatCache

@Suite("Folding of removals and insertions")
struct FoldedQueryTests {
    let cache = FlatCache()

    @Test("An entity that is removed and stored again by two commits is one net change for a slow iterator")
    func changes() async {
        cache.set(contentsOf: [Track(id: 1), Track(id: 2)])
        var iterator = cache.changes(ofAll: Track.self).makeAsyncIterator()
        cache.remove(Track.self, id: 1)
        cache.set(Track(id: 1))
        cache.remove(Track.self, id: 2)
        cache.set(Track(id: 2, plays: 5))
        let changes = await iterator.next()
        #expect(changes?.inserted == [] && changes?.removed == [])
        #expect(changes?.updated.map(\.value) == [Track(id: 2, plays: 5)])
    }

    @Test("A new entity that is removed, stored and removed again is no change for a slow iterator")
    func insertedAndRemoved() async {
        var iterator = cache.changes(ofAll: Track.self).makeAsyncIterator()
        cache.set(Track(id: 1))
        cache.remove(Track.self, id: 1)
        cache.set(Track(id: 1))
        cache.remove(Track.self, id: 1)
        cache.set(Track(id: 3))
        let changes = await iterator.next()
        #expect(changes?.inserted == [Track(id: 3)] && changes?.removed == [] && changes?.updated.isEmpty == true)
    }

    @Test("A search index that follows the guide's order of steps has all entities")
    func searchIndex() async {
        cache.set(Track(id: 1))
        var index: Set<Int> = [1]
        var iterator = cache.changes(ofAll: Track.self).makeAsyncIterator()
        cache.remove(Track.self, id: 1)
        cache.set(Track(id: 1, plays: 1))
        if let changes = await iterator.next() {
            for track in changes.inserted { index.insert(track.id) }
            for update in changes.updated { index.insert(update.value.id) }
            for track in changes.removed { index.remove(track.id) }
        }
        #expect(index == [1])
    }

    @Test("A callback that removes and stores an entity again is called with the net change")
    func callback() {
        cache.set(Track(id: 1))
        let recorded = Recorder<String>()
        let subscription = cache.observe(all: Track.self) { [cache] changes in
            recorded.record(
                "+\(changes.inserted.map(\.id)) ~\(changes.updated.map(\.value.id)) -\(changes.removed.map(\.id))"
            )
            if recorded.count == 1 {
                cache.remove(Track.self, id: 1)
                cache.set(Track(id: 1))
            }
        }
        cache.set(Track(id: 2))
        #expect(recorded.elements == ["+[2] ~[] -[]"])
        subscription.cancel()
    }

    @Test("An entity is in both answers if it was removed and stored again between two results")
    func query() async {
        cache.set(contentsOf: (0..<3).map { Track(id: $0, plays: $0) })
        var iterator = cache.query(Tracks().sorted(by: \.plays)).updates.makeAsyncIterator()
        _ = await iterator.next()
        cache.remove(Track.self, id: 1)
        cache.set(Track(id: 1, plays: 1, label: "new"))
        let difference = await iterator.next()?.difference
        #expect(difference?.removals == [] && difference?.insertions == [] && difference?.updates == [1])
    }

    @Test("An entity that is stored again as it was isn't an update", arguments: [true, false], [true, false])
    func unchanged(keepsSlot: Bool, usesIndex: Bool) async {
        let tracks = (0..<3).map { Track(id: $0, artistID: 1, plays: $0) }
        cache.set(contentsOf: tracks)
        if usesIndex { cache.buildIndex(.init(\Track.artistID)) }
        let handle = keepsSlot ? Cached(Track.self, id: 1, in: cache) : nil
        let query = Tracks().filter(\.artistID, equals: 1)
        var inserted = cache.query(query).updates.makeAsyncIterator()
        var sorted = cache.query(query.sorted(by: \.plays)).updates.makeAsyncIterator()
        _ = (await inserted.next(), await sorted.next())
        cache.remove(Track.self, id: 1)
        cache.set(tracks[1])
        cache.set(Track(id: 2, artistID: 5))
        cache.set(tracks[2])
        let moved = await inserted.next()?.difference
        #expect(moved?.updates == [] && moved?.removals == [] && moved?.insertions == [])
        #expect(moved?.moves.count == 1)
        cache.set(Track(id: 0, artistID: 1, plays: 0, label: "new"))
        #expect(await sorted.next()?.difference.updates == [0])
        withExtendedLifetime(handle) {}
    }

    @Test("Q1: A slow iterator has the difference of more changes than are kept")
    func manyChanges() async {
        cache.set(contentsOf: (0..<10).map { Track(id: $0, plays: $0) })
        let follower = ArrayFollower()
        var iterator = cache.query(Tracks().sorted(by: \.plays)).updates.makeAsyncIterator()
        if let result = await iterator.next() { follower.apply(result) }
        // Three updates, which have more changes together than the mail keeps.
        cache.set(contentsOf: (5..<3_000).map { Track(id: $0, plays: -$0) })
        cache.set(contentsOf: (2_000..<5_000).map { Track(id: $0, plays: $0) })
        cache.remove(Track.self, ids: 0..<3)
        if let result = await iterator.next() { follower.apply(result) }
        #expect(follower.mistakes.elements == [])
        #expect(follower.shown.withLock { $0.map(\.id) } == cache.query(Tracks().sorted(by: \.plays)).ids.map { $0 })
    }

    @Test("Q1: An entity that goes from one of several keys to another stays in the answer", arguments: [false, true])
    func otherKey(isRead: Bool) {
        cache.buildIndex(.init(\Track.artistID))
        cache.set(contentsOf: (0..<4).map { Track(id: $0, artistID: $0 % 2, plays: $0) })
        let follower = ArrayFollower()
        var query = Tracks().filter(\.artistID, in: [0, 1]).sorted(by: \.plays)
        if isRead { query = query.filter { $0.authorName != "left out" } }
        let differences = Recorder<QueryDifference<Track>>()
        let subscription = cache.query(query).observe {
            follower.apply($0)
            differences.record($0.difference)
        }
        _ = differences.take()
        cache.update(Track.self, id: 1) { $0.artistID = 0 }
        let difference = differences.take().first
        #expect(difference?.updates == [1] && difference?.removals == [] && difference?.insertions == [])
        cache.transaction {
            cache.update(Track.self, id: 2) { $0.artistID = 1 }
            cache.update(Track.self, id: 3) { $0.artistID = 9 }
        }
        #expect(follower.mistakes.elements == [])
        #expect(follower.shown.withLock { $0.map(\.id) } == [0, 1, 2])
        cache.set(Author(id: "1", name: "left out"))
        #expect(follower.shown.withLock { $0.map(\.id) } == (isRead ? [0, 1] : [0, 1, 2]))
        subscription.cancel()
    }

    @Test("A transaction that clears a type and stores the entities again has the order that is committed")
    func orderAfterClearing() {
        cache.set(contentsOf: [Track(id: 1), Track(id: 2)])
        let inside = cache.transaction {
            cache.removeAll(of: Track.self)
            cache.set(contentsOf: [Track(id: 2), Track(id: 1)])
            return cache.query(Tracks()).ids
        }
        #expect(inside == cache.query(Tracks()).ids)
        let replaced = cache.transaction {
            cache.replaceAll(of: Track.self, with: [Track(id: 2), Track(id: 1)])
            return cache.allValues(of: Track.self, inOrder: true).map(\.id)
        }
        #expect(replaced == [1, 2])
    }
}
