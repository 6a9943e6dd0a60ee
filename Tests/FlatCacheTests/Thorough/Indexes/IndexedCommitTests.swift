#if DEBUG
import SeededRandom
import TestThreads
import Testing

@testable import FlatCache

/// Commits of one entity, which change the indexes without a transaction.
@Suite("Commits of one indexed entity", .mayBlock)
struct IndexedCommitTests {
    let cache = FlatCache()

    /// The photos: 0 to 3 belong to `a`, the others to `b`.
    private func fill() {
        cache.buildIndex(.init(\Photo.ownerID))
        cache.buildIndex(.init(each: \Photo.tagIDs))
        cache.set(contentsOf: (0..<6).map { Photo(id: $0, ownerID: $0 < 4 ? "a" : "b", tagIDs: ["x", "\($0)"]) })
    }

    /// A commit of another thread.
    enum Intrusion: CaseIterable {
        case sameEntity, sameEntityBack, sameEntityRemoved, sameOldEntry, sameNewEntry, emptiedEntry, otherTag
        case index, customIndex, clearedType, clearedCache, clearedAndFilled, severalEntities, manyEntities

        func run(in cache: FlatCache) {
            switch self {
            case .sameEntity: cache.update(Photo.self, id: 1) { $0.ownerID = "d" }
            case .sameEntityBack:
                cache.update(Photo.self, id: 1) { $0.ownerID = "d" }
                cache.update(Photo.self, id: 1) { $0.ownerID = "a" }
            case .sameEntityRemoved: cache.remove(Photo.self, id: 1)
            case .sameOldEntry: cache.update(Photo.self, id: 2) { $0.ownerID = "d" }
            case .sameNewEntry: cache.update(Photo.self, id: 2) { $0.ownerID = "b" }
            case .emptiedEntry: cache.remove(Photo.self, ids: [4, 5])
            case .otherTag: cache.update(Photo.self, id: 5) { $0.tagIDs = ["moved", "moved", "1"] }
            case .index: cache.buildIndex(.init(\Photo.albumID))
            case .customIndex: cache.buildIndex(.init(\Photo.place))
            case .clearedType: cache.removeAll(of: Photo.self)
            case .clearedCache: cache.removeAll()
            case .clearedAndFilled:
                cache.removeAll()
                cache.set(contentsOf: [Photo(id: 7, ownerID: "b"), Photo(id: 1, ownerID: "a", tagIDs: ["x"])])
            case .severalEntities: cache.set(contentsOf: [Photo(id: 7, ownerID: "b"), Photo(id: 2, ownerID: "c")])
            case .manyEntities: cache.set(contentsOf: (2..<5_000).map { Photo(id: $0, ownerID: "b", tagIDs: ["x"]) })
            }
        }
    }

    /// A commit of one entity.
    enum Write: CaseIterable {
        case update, replacement, insertion

        var id: Int { self == .insertion ? 9 : 1 }

        func run(in cache: FlatCache) {
            switch self {
            case .update:
                cache.update(Photo.self, id: 1) {
                    $0.ownerID = "b"
                    $0.tagIDs = ["moved", "x", "moved"]
                }
            case .replacement, .insertion:
                cache.set(Photo(id: id, ownerID: "b", tagIDs: ["moved", "x", "moved"], place: .init(name: "p")))
            }
        }
    }

    @Test(
        "Q2: A commit is made again if another thread has changed its entity, its entries or the indexes",
        arguments: Write.allCases,
        Intrusion.allCases
    )
    func intrusions(_ write: Write, _ intrusion: Intrusion) {
        // The places are those of the preparations, of which a replacement has one more.
        for place in 1...2 {
            let cache = FlatCache()
            cache.buildIndex(.init(\Photo.ownerID))
            cache.buildIndex(.init(each: \Photo.tagIDs))
            cache.set(contentsOf: (0..<6).map { Photo(id: $0, ownerID: $0 < 4 ? "a" : "b", tagIDs: ["x", "\($0)"]) })
            let reached = Protected(0)
            let handler: @Sendable (SyncPoint) -> Void = { point in
                guard point == .listed else { return }
                let count = reached.withLock { count in
                    count += 1
                    return count
                }
                if count == place { RunningThread { intrusion.run(in: cache) }.finish() }
            }
            SyncPoint.$handler.withValue(handler) { write.run(in: cache) }
            #expect(reached.withLock { $0 } >= 1)
            cache.expectExactIndexes("\(write), \(intrusion), \(place)")
            if write != .update { #expect(cache.get(Photo.self, id: write.id)?.ownerID == "b") }
            cache.expectNoSlotsAfterClearing()
        }
    }

    /// Which shards a large commit has in common with the commit that it precedes.
    enum Shared: CaseIterable {
        case entity, entries
    }

    @Test("Q2: A commit waits for a large commit that has begun since its preparation", arguments: Shared.allCases)
    func largeCommit(_ shared: Shared) {
        fill()
        let shard = HashedID(1).shard
        let photos = (0...).lazy.map { Photo(id: $0, ownerID: shared == .entity && $0 < 4 ? "a" : "b", tagIDs: ["y"]) }
            .filter { (HashedID($0.id).shard == shard) == (shared == .entity) }
            .prefix(smallCommit + 1)
        let all = Array(photos)
        let large = Protected<StoppedThread?>(nil)
        let hasWaited = Protected(false)
        let handler: @Sendable (SyncPoint) -> Void = { [cache] point in
            switch point {
            case .listed:
                if large.withLock({ $0 == nil }) {
                    let stopped = StoppedThread(at: .drawn) { cache.set(contentsOf: all) }
                    large.withLock { $0 = stopped }
                }
            case .waiting:
                hasWaited.withLock { $0 = true }
                large.withLock { $0 }?.finish()
            default: break
            }
        }
        SyncPoint.$handler.withValue(handler) {
            #expect(cache.update(Photo.self, id: 1) { $0.ownerID = "b" })
        }
        large.withLock { $0 }?.finish()
        #expect(hasWaited.withLock { $0 })
        cache.expectExactIndexes("\(shared)")
        #expect(cache.get(Photo.self, id: 1)?.ownerID == "b")
        cache.expectNoSlotsAfterClearing()
    }

    @Test("S1: A commit that other commits overtake is made by a transaction, and the body runs once")
    func overtaken() {
        fill()
        let intrusions = Protected(0)
        let isTransaction = Protected(false)
        let handler: @Sendable (SyncPoint) -> Void = { [cache] point in
            if point == .ended { isTransaction.withLock { $0 = true } }
            guard point == .listed, !isTransaction.withLock({ $0 }) else { return }
            let count = intrusions.withLock { count in
                count += 1
                return count
            }
            if count < 100 { RunningThread { cache.set(Photo(id: 100 + count, ownerID: "b")) }.finish() }
        }
        var runs = 0
        SyncPoint.$handler.withValue(handler) {
            cache.update(Photo.self, id: 1) {
                $0.ownerID = "b"
                runs += 1
            }
        }
        #expect(runs == 1)
        #expect(isTransaction.withLock { $0 })
        // The update itself, and each attempt to make the commit with the indexes.
        #expect(intrusions.withLock { $0 } == 1 + 4)
        cache.expectExactIndexes("overtaken")
        cache.expectNoSlotsAfterClearing()
    }

    @Test("A commit waits for the end of a reservation of an entry or the entity", arguments: Shared.allCases)
    func reservation(_ shared: Shared) {
        fill()
        let isEnded = Protected(false)
        let wasEnded = Protected<Bool?>(nil)
        let end = Gate("the reservation may end")
        let holder = Protected<RunningThread?>(nil)
        let reserve: @Sendable () -> Void = { [cache] in
            let begun = Gate("the slot is reserved")
            let thread = RunningThread {
                let reservation = Reservation()
                switch shared {
                case .entity: reservation.add(cache.registry.table(of: Photo.self).takeUnretainedValue())
                case .entries:
                    reservation.add(cache.registry.table(of: IndexEntry<Photo, String>.self).takeUnretainedValue())
                }
                begun.open()
                end.wait()
                isEnded.withLock { $0 = true }
                reservation.end()
            }
            holder.withLock { $0 = thread }
            begun.wait()
        }
        let handler: @Sendable (SyncPoint) -> Void = { point in
            switch point {
            case .listed: if holder.withLock({ $0 == nil }) { reserve() }
            // The transaction that waits.
            case .ended: end.open()
            case .drawn: wasEnded.withLock { $0 = isEnded.withLock { $0 } }
            default: break
            }
        }
        SyncPoint.$handler.withValue(handler) {
            _ = cache.update(Photo.self, id: 1) { $0.ownerID = "b" }
        }
        end.open()
        holder.withLock { $0 }?.finish()
        #expect(wasEnded.withLock { $0 } == true)
        cache.expectExactIndexes("\(shared)")
        cache.expectNoSlotsAfterClearing()
    }

    @Test("The indexes have the writes of a body beside the result of its update")
    func writesInBody() {
        fill()
        for id in 0..<4 {
            cache.update(Photo.self, id: id) { photo in
                cache.set(Photo(id: id, ownerID: "d", tagIDs: ["own"]))
                cache.update(Photo.self, id: (id + 1) % 4) { $0.ownerID = "b" }
                cache.remove(Photo.self, id: 5)
                photo.ownerID = id % 2 == 0 ? "b" : "a"
            }
            cache.expectExactIndexes("\(id)")
        }
        cache.read {
            cache.update(Photo.self, id: 0) { $0.ownerID = "e" }
            cache.set(Photo(id: 20, ownerID: "e"))
            cache.expectExactIndexes("read")
        }
        cache.expectExactIndexes("after the read")
        cache.expectNoSlotsAfterClearing()
    }

    @Test("An entity that returns is the last one of its key, although a handle keeps its slot")
    func returningEntity() {
        fill()
        let handle = Cached(Photo.self, id: 1, in: cache)
        handle.remove()
        cache.set(Photo(id: 1, ownerID: "a", tagIDs: ["x"]))
        #expect(cache.query(FlatCache.Query<Photo>().filter(\.ownerID, equals: "a")).ids == [0, 2, 3, 1])
        cache.expectExactIndexes("returned")
    }

    @Test("Repeated, missing and thousands of keys of one entity leave no slots behind")
    func numbersOfKeys() {
        cache.buildIndex(.init(each: \Photo.tagIDs))
        cache.buildIndex(.init(\Photo.albumID))
        cache.set(Photo(id: 1))
        let many = (0..<smallCommit + 10).map { "\($0)" }
        for tags in [["x", "x"], ["x"], [], ["y", "x", "y"], many, ["y"], many + ["y"], []] {
            cache.update(Photo.self, id: 1) {
                $0.tagIDs = tags
                $0.albumID = tags.isEmpty ? nil : tags.count
            }
            #expect(cache.slotCount(of: IndexEntry<Photo, String>.self) == Set(tags).count)
            #expect(cache.slotCount(of: IndexEntry<Photo, Int?>.self) == 1)
            if tags.count < 10 { cache.expectExactIndexes("\(tags)") }
        }
    }

    @Test("No lock is held while keys are compared, hashed and released")
    func userCode() {
        let isEnded = ends(within: 60) {
            let cache = FlatCache()
            let hook = Hook()
            typealias Entry = IndexEntry<HookedKey, HookedEntity.Identifier>
            cache.buildIndex(.init(\HookedKey.key))
            hook.set { [unowned cache] _ in
                // This takes all locks of both types.
                _ = cache.slotCount(of: HookedKey.self) + cache.slotCount(of: Entry.self)
            }
            for round in 0..<40 {
                cache.set(HookedKey(id: round % 3, key: .init(round % 7, hook)))
                cache.update(HookedKey.self, id: round % 3) { $0.key = .init(round % 5, hook) }
                cache.update(HookedKey.self, id: round % 3) { $0.count += 1 }
            }
            #expect(hook.seen.isSuperset(of: [.hash, .equality, .releaseID]))
            hook.set(nil)
            cache.removeAll()
            #expect(cache.slotCount(of: Entry.self) == 0)
        }
        #expect(isEnded)
    }

    @Test("Q2: Commits of several threads leave exact indexes, which each snapshot sees", arguments: [false, true])
    func threads(hasCustomKeys: Bool) {
        let seed = UInt64.random(in: 0 ..< .max)
        let cache = cache
        let isEnded = ends(within: 200) {
            cache.buildIndex(.init(\Photo.ownerID))
            cache.buildIndex(.init(each: \Photo.tagIDs))
            cache.buildIndex(.init(\Photo.albumID))
            if hasCustomKeys { cache.buildIndex(.init(\Photo.place)) }
            let handles = (0..<6).map { Cached(Photo.self, id: $0, in: cache) }
            onThreads(4) { number in
                var random = SeededGenerator(seed: seed, stream: number)
                for _ in 0..<400 {
                    let id = random.below(12)
                    let keys = (random.below(4), random.below(4), random.below(3))
                    let photo = Photo(
                        id: id,
                        ownerID: "\(keys.0)",
                        albumID: keys.2 == 0 ? nil : keys.2,
                        tagIDs: ["\(keys.0)", "\(keys.1)", "\(keys.0)"],
                        place: .init(name: "\(keys.1)")
                    )
                    switch random.below(8) {
                    case 0, 1: cache.set(photo)
                    case 2: cache.update(Photo.self, id: id) { $0.ownerID = photo.ownerID }
                    case 3: cache.update(Photo.self, id: id) { $0 = photo }
                    case 4: cache.remove(Photo.self, id: id)
                    case 5: cache.transaction { cache.set(contentsOf: [photo, Photo(id: (id + 1) % 12)]) }
                    case 6: cache.update(Photo.self, id: id) { $0.likes += 1 }
                    default: cache.read { cache.expectExactIndexes("seed \(seed)") }
                    }
                }
            }
            cache.expectExactIndexes("seed \(seed)")
            withExtendedLifetime(handles) {}
        }
        #expect(isEnded, "seed \(seed)")
        if isEnded { cache.expectNoSlotsAfterClearing() }
    }
}

/// An entity whose key runs a hook.
private struct HookedKey: Cachable {
    let id: Int
    var key: HookedEntity.Identifier
    var count = 0
}

extension FlatCache {
    /// Expects that queries by indexes find the photos that a filter of all photos finds, and that keys without photos have
    /// no slots.
    fileprivate func expectExactIndexes(_ context: String) {
        let photos = allValues(of: Photo.self, inOrder: true)
        let query = Query<Photo>()
        var strings = Set(["a", "b", "c", "d", "e", "x", "y", "moved", "own", "missing"])
        for photo in photos { strings.formUnion(photo.tagIDs + [photo.ownerID]) }
        for key in strings {
            let owned = photos.filter { $0.ownerID == key }.map(\.id)
            #expect(self.query(query.filter(\.ownerID, equals: key)).ids == owned, "owner \(key), \(context)")
            let tagged = photos.filter { $0.tagIDs.contains(key) }.map(\.id)
            #expect(self.query(query.filter(\.tagIDs, contains: key)).ids == tagged, "tag \(key), \(context)")
        }
        for key in Set([nil, 1] + photos.map(\.albumID)) {
            let expected = photos.filter { $0.albumID == key }.map(\.id)
            #expect(self.query(query.filter(\.albumID, equals: key)).ids == expected, "album, \(context)")
        }
        for place in Set(photos.map(\.place)) {
            let expected = photos.filter { $0.place == place }.map(\.id)
            #expect(self.query(query.filter(\.place, equals: place)).ids == expected, "place, \(context)")
        }
    }

    /// Expects that the indexes need no memory after all entities are removed.
    fileprivate func expectNoSlotsAfterClearing() {
        removeAll()
        #expect(slotCount(of: Photo.self) == 0)
        #expect(slotCount(of: IndexEntry<Photo, String>.self) == 0)
        #expect(slotCount(of: IndexEntry<Photo, Int?>.self) == 0)
        #expect(slotCount(of: IndexEntry<Photo, Photo.Place>.self) == 0)
    }
}
#endif
