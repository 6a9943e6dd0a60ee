import TestThreads
import Testing

@testable import FlatCache

@Suite("Indexes", .mayBlock)
struct IndexTests {
    let cache = FlatCache()
    typealias Photos = FlatCache.Query<Photo>

    private func ids(ofOwner id: String) -> [Int] { cache.query(Photos().filter(\.ownerID, equals: id)).ids }

    @Test("Q2: An index has all entities that were stored before it was built, and all later changes")
    func changes() throws {
        cache.set(contentsOf: (0..<10).map { Photo(id: $0, ownerID: $0 < 4 ? "a" : "b") })
        cache.buildIndex(.init(\Photo.ownerID))
        #expect(ids(ofOwner: "a") == [0, 1, 2, 3])
        cache.set(Photo(id: 2, ownerID: "b"))
        #expect(ids(ofOwner: "a") == [0, 1, 3])
        #expect(ids(ofOwner: "b") == [2, 4, 5, 6, 7, 8, 9])
        cache.update(Photo.self, id: 9) { $0.ownerID = "a" }
        cache.set(Photo(id: 10))
        #expect(ids(ofOwner: "a") == [0, 1, 3, 9, 10])
        cache.remove(Photo.self, id: 1)
        cache.update(Photo.self, id: 3) { $0.likes += 1 }
        #expect(ids(ofOwner: "a") == [0, 3, 9, 10])
        cache.set(contentsOf: [Photo(id: 1), Photo(id: 0, ownerID: "c"), Photo(id: 11)])
        #expect(ids(ofOwner: "a") == [3, 9, 10, 1, 11])
        #expect(ids(ofOwner: "c") == [0])
        cache.removeAll(of: Photo.self)
        #expect(ids(ofOwner: "a") == [])
        cache.set(contentsOf: (0..<5_000).map { Photo(id: $0, ownerID: "\($0 % 3)") })
        #expect(ids(ofOwner: "1") == (0..<5_000).filter { $0 % 3 == 1 })
        cache.removeAll()
        #expect(ids(ofOwner: "1") == [])
        #expect(cache.count == 0)
    }

    @Test("A query with a condition on an indexed property asks only the entities with the key")
    func cost() {
        cache.set(contentsOf: (0..<1_000).map { Photo(id: $0, ownerID: "\($0 % 100)") })
        let asked = Protected(0)
        let query = Photos().filter(\.ownerID, equals: "7").filter { _ in
            asked.withLock { $0 += 1 }
            return true
        }
        #expect(cache.query(query).count == 10)
        #expect(asked.withLock { $0 } == 10)
        let other = Photos().filter { _ in
            asked.withLock { $0 += 1 }
            return true
        }
        .filter(\.ownerID, equals: "7")
        cache.buildIndex(.init(\Photo.ownerID))
        asked.withLock { $0 = 0 }
        #expect(cache.query(other).count == 10)
        #expect(cache.read { cache.query(other).count } == 10)
        #expect(cache.transaction { cache.query(other).count } == 10)
        #expect(asked.withLock { $0 } == 30)
    }

    @Test(
        "A condition of several values asks only the entities with one of the keys, also while it is observed",
        arguments: [[], ["7"], ["7", "8", "x"], (0..<30).map { "\($0)" }]
    )
    func severalKeys(owners: [String]) {
        cache.buildIndex(.init(\Photo.ownerID))
        cache.set(contentsOf: (0..<1_000).map { Photo(id: $0, ownerID: "\($0 % 100)") })
        let asked = Protected(0)
        let query = Photos().filter(\.ownerID, in: owners).filter(id: 0) { _ in
            asked.withLock { $0 += 1 }
            return true
        }
        func taken() -> Int {
            asked.withLock { asked in
                defer { asked = 0 }
                return asked
            }
        }
        func scan() -> [Int] {
            cache.allValues(of: Photo.self, inOrder: true).filter { owners.contains($0.ownerID) }.map(\.id)
        }
        let count = scan().count
        #expect(cache.query(query).ids == scan())
        #expect(taken() == count)
        cache.transaction {
            cache.set(Photo(id: 7, ownerID: "1000"))
            cache.set(Photo(id: 2_000, ownerID: "7"))
            #expect(cache.query(query).ids == scan())
        }
        _ = taken()
        let results = Recorder<[Int]>()
        let subscription = cache.query(query).observe { results.record($0.ids) }
        var shown = scan()
        #expect(results.take() == [shown])
        // The observation of at most 16 keys hangs on them; that of more is asked for each change.
        let first = taken()
        #expect(owners.count > 16 || first == scan().count)
        cache.set(Photo(id: 3, ownerID: "1000"))
        #expect(taken() == 0 || owners.count > 16)
        for (id, owner) in [(8, "7"), (8, "x"), (7, "8"), (7, "1000"), (2_000, "7"), (2_001, "29"), (9, "7")] {
            cache.set(Photo(id: id, ownerID: owner))
            shown = results.take().last ?? shown
            #expect(shown == scan())
            #expect(cache.query(query).ids == scan())
        }
        cache.transaction {
            cache.set(Photo(id: 8, ownerID: "7"))
            cache.remove(Photo.self, id: 9)
            cache.set(Photo(id: 9, ownerID: "x"))
        }
        shown = results.take().last ?? shown
        #expect(shown == scan())
        subscription.cancel()
    }

    @Test("nil, elements and keys with their own comparison are keys")
    func keys() {
        cache.buildIndex(.init(\Photo.albumID))
        cache.buildIndex(.init(each: \Photo.tagIDs))
        cache.buildIndex(.init(\Photo.place))
        cache.set(contentsOf: [
            Photo(id: 1, albumID: 7, tagIDs: ["x", "y", "x"], place: .init(name: "ab")),
            Photo(id: 2, tagIDs: ["y"], place: .init(name: "cd")),
            Photo(id: 3, albumID: 8),
        ])
        #expect(cache.query(Photos().filter(\.albumID, equals: nil)).ids == [2])
        #expect(cache.query(Photos().filter(\.albumID, equals: 7)).ids == [1])
        #expect(cache.query(Photos().filter(\.place, equals: .init(name: "cd"))).ids == [2])
        cache.update(Photo.self, id: 1) {
            $0.albumID = nil
            $0.place.name = "cd"
        }
        #expect(cache.query(Photos().filter(\.albumID, equals: nil)).ids == [1, 2])
        #expect(cache.query(Photos().filter(\.albumID, equals: 7)).ids == [])
        #expect(cache.query(Photos().filter(\.place, equals: .init(name: "cd"))).ids == [1, 2])
    }

    @Test("A body sees its own state: that of a read's beginning, and a transaction's changes")
    func bodies() throws {
        struct Stop: Error {}
        cache.buildIndex(.init(\Photo.ownerID))
        cache.set(contentsOf: (0..<4).map { Photo(id: $0, ownerID: $0 < 2 ? "a" : "b") })
        cache.read {
            #expect(ids(ofOwner: "a") == [0, 1])
            cache.set(Photo(id: 0, ownerID: "b"))
            cache.remove(Photo.self, id: 1)
            cache.set(Photo(id: 4))
            #expect(ids(ofOwner: "a") == [0, 1])
            #expect(ids(ofOwner: "b") == [2, 3])
        }
        #expect(ids(ofOwner: "a") == [4])
        cache.transaction {
            cache.set(Photo(id: 0, ownerID: "a"))
            cache.set(Photo(id: 5))
            #expect(ids(ofOwner: "a") == [0, 4, 5])
            #expect(throws: Stop.self) {
                try cache.transaction {
                    cache.remove(Photo.self, id: 4)
                    #expect(ids(ofOwner: "a") == [0, 5])
                    throw Stop()
                }
            }
            #expect(ids(ofOwner: "a") == [0, 4, 5])
            cache.removeAll(of: Photo.self)
            #expect(ids(ofOwner: "a") == [])
            cache.set(contentsOf: [Photo(id: 9), Photo(id: 4)])
            #expect(ids(ofOwner: "a") == [4, 9])
        }
        #expect(ids(ofOwner: "a") == [4, 9])
        #expect(ids(ofOwner: "b") == [])
        try? cache.transaction {
            cache.set(Photo(id: 0))
            throw Stop()
        }
        #expect(ids(ofOwner: "a") == [4, 9])
    }

    @Test("An index that is first needed in a body is built, and the body reads its own state")
    func firstUseInBody() {
        for id in 0..<3 { cache.set(IndexedPhoto(id: id, ownerID: "a")) }
        let query = FlatCache.Query(IndexedPhoto.self).filter(\.ownerID, equals: "a")
        cache.read {
            cache.remove(IndexedPhoto.self, id: 0)
            #expect(cache.query(query).ids == [0, 1, 2])
        }
        cache.transaction {
            cache.set(IndexedPhoto(id: 7, ownerID: "a"))
            #expect(cache.query(query).ids == [1, 2, 7])
        }
        #expect(cache.query(query).ids == [1, 2, 7])
    }

    @Test("A transaction that reads one key runs again after a change of this key, and not of others")
    func conflicts() {
        cache.buildIndex(.init(\Photo.ownerID))
        cache.set(contentsOf: [Photo(id: 1), Photo(id: 2, ownerID: "b")])
        func runs(_ write: @Sendable @escaping () -> Void) -> Int {
            var runs = 0
            cache.transaction {
                runs += 1
                let ids = ids(ofOwner: "a")
                if runs == 1 { onThreads(1) { _ in write() } }
                cache.set(Counter(id: 1, count: ids.count))
            }
            return runs
        }
        let cache = cache
        #expect(runs { cache.set(Photo(id: 3, ownerID: "b")) } == 1)
        #expect(runs { cache.update(Photo.self, id: 2) { $0.likes += 1 } } == 1)
        #expect(runs { cache.set(Photo(id: 4)) } == 2)
        #expect(runs { cache.update(Photo.self, id: 1) { $0.likes += 1 } } == 2)
        #expect(runs { cache.remove(Photo.self, id: 4) } == 2)
        #expect(runs { cache.update(Photo.self, id: 2) { $0.ownerID = "a" } } == 2)
    }

    @Test("A derived value that reads one key is not computed again after changes of others")
    func derived() {
        cache.buildIndex(.init(\Photo.ownerID))
        cache.set(contentsOf: [Photo(id: 1), Photo(id: 2, ownerID: "b")])
        let computed = Protected(0)
        let seen = Recorder<[Int]>()
        let cache = cache
        let subscription = cache.observe {
            computed.withLock { $0 += 1 }
            return cache.query(Photos().filter(\.ownerID, equals: "a")).ids
        } onChange: {
            seen.record($0)
        }
        cache.set(Photo(id: 3, ownerID: "b"))
        cache.remove(Photo.self, id: 2)
        #expect(computed.withLock { $0 } == 1)
        cache.set(Photo(id: 4))
        cache.set(Photo(id: 3, ownerID: "a"))
        #expect(seen.take() == [[1], [1, 4], [1, 3, 4]])
        #expect(computed.withLock { $0 } == 3)
        subscription.cancel()
    }

    @Test("A live query for one key is called for changes of its entities, and isn't asked about others")
    func liveQuery() {
        cache.buildIndex(.init(\Photo.ownerID))
        cache.set(contentsOf: (0..<6).map { Photo(id: $0, ownerID: $0 < 3 ? "a" : "b") })
        let asked = Protected(0)
        let query = Photos().filter(\.ownerID, equals: "a").filter { _ in
            asked.withLock { $0 += 1 }
            return true
        }
        let seen = Recorder<[Int]>()
        let subscription = cache.query(query).observe { seen.record($0.ids) }
        #expect(seen.take() == [[0, 1, 2]])
        asked.withLock { $0 = 0 }
        cache.set(contentsOf: (100..<200).map { Photo(id: $0, ownerID: "c") })
        cache.update(Photo.self, id: 4) { $0.likes = 1 }
        cache.remove(Photo.self, id: 3)
        #expect(!cache.isWatched(Photo.self))
        #expect(asked.withLock { $0 } == 0)
        #expect(seen.take() == [])
        cache.update(Photo.self, id: 1) { $0.likes = 1 }
        cache.update(Photo.self, id: 5) { $0.ownerID = "a" }
        cache.update(Photo.self, id: 0) { $0.ownerID = "b" }
        cache.update(Photo.self, id: 0) { $0.likes = 1 }
        cache.update(Photo.self, id: 5) { $0.likes = 2 }
        cache.remove(Photo.self, id: 5)
        cache.set(Photo(id: 5))
        #expect(seen.take() == [[0, 1, 2], [0, 1, 2, 5], [1, 2, 5], [1, 2, 5], [1, 2], [1, 2, 5]])
        cache.transaction {
            cache.remove(Photo.self, id: 5)
            cache.set(contentsOf: [Photo(id: 7), Photo(id: 0)])
        }
        #expect(seen.take() == [[0, 1, 2, 7]])
        cache.removeAll(of: Photo.self)
        cache.set(contentsOf: (0..<5_000).map { Photo(id: $0, ownerID: "\($0 % 2 == 0 ? "a" : "b")") })
        #expect(seen.take() == [[], (0..<5_000).filter { $0 % 2 == 0 }])
        subscription.cancel()
        #expect(cache.observedKeyCount(of: Photo.self) == 0)
        cache.removeAll(of: Photo.self)
        #expect(cache.slotCount(of: Photo.self) == 0)
        #expect(cache.slotCount(of: IndexEntry<Photo, String>.self) == 0)
    }

    @Test("An entity that a merge makes is found by its merged key")
    func merges() {
        cache.buildIndex(.init(\Versioned.version))
        cache.set(Versioned(id: 1, version: 3))
        cache.set(Versioned(id: 1, version: 2))
        let query = FlatCache.Query(Versioned.self)
        #expect(cache.query(query.filter(\.version, equals: 3)).ids == [1])
        #expect(cache.query(query.filter(\.version, equals: 2)).ids == [])
        cache.set(contentsOf: [
            Versioned(id: 1, version: 5), Versioned(id: 1, version: 4), Versioned(id: 2, version: 5),
        ])
        #expect(cache.query(query.filter(\.version, equals: 5)).ids == [1, 2])
        #expect(cache.query(query.filter(\.version, equals: 3)).ids == [])
    }

    @Test("A key that isn't equal to itself finds nothing, and leaves nothing behind")
    func notANumber() {
        cache.buildIndex(.init(\Track.rating))
        for plays in 0..<20 { cache.set(Track(id: 1, plays: plays, rating: .nan)) }
        #expect(cache.query(FlatCache.Query(Track.self).filter(\.rating, equals: .nan)).ids == [])
        #expect(cache.slotCount(of: IndexEntry<Track, Double?>.self) == 0)
        cache.set(Track(id: 1, rating: 2))
        #expect(cache.query(FlatCache.Query(Track.self).filter(\.rating, equals: 2)).ids == [1])
        cache.set(Track(id: 1, rating: .nan))
        #expect(cache.slotCount(of: IndexEntry<Track, Double?>.self) == 0)
    }

    @Test("Entities with equal values of a unique index are listed, for each index in order of insertion")
    func duplicates() {
        let pages = [(1, "x", nil), (2, "y", nil), (3, "x", "u"), (4, "y", "u"), (5, "z", "w"), (6, "x", nil)]
        for (id, slug, url) in pages { cache.set(Page(id: id, slug: slug, url: url)) }
        #expect(cache.duplicates(of: Page.self).map { $0.map(\.id) } == [[1, 3, 6], [2, 4], [3, 4]])
        cache.remove(Page.self, ids: [3, 4])
        #expect(cache.duplicates(of: Page.self).map { $0.map(\.id) } == [[1, 6]])
        #expect(cache.duplicates(of: Photo.self).isEmpty)
    }

    @Test("A key without entities takes no memory")
    func emptyKeys() {
        cache.buildIndex(.init(\Photo.ownerID))
        for round in 0..<100 { cache.set(Photo(id: 1, ownerID: "\(round)")) }
        cache.transaction { for round in 100..<200 { cache.set(Photo(id: 1, ownerID: "\(round)")) } }
        #expect(cache.slotCount(of: IndexEntry<Photo, String>.self) == 1)
        cache.remove(Photo.self, id: 1)
        #expect(cache.slotCount(of: IndexEntry<Photo, String>.self) == 0)
    }
}

/// An entity that declares its index.
struct IndexedPhoto: Cachable, Equatable {
    let id: Int
    var ownerID = ""

    static let indexes: [FlatCache.Index<IndexedPhoto>] = [.init(\.ownerID)]
}

/// An entity with unique indexes.
private struct Page: Cachable {
    let id: Int
    let slug: String
    let url: String?

    static let indexes: [FlatCache.Index<Page>] = [.init(\.slug, isUnique: true), .init(\.url, isUnique: true)]
}
