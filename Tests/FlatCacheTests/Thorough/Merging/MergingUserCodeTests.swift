import TestThreads
import Testing

@testable import FlatCache

/// Merges, and releases of merged entities, that use the cache.
@Suite("Merges that use the cache", .mayBlock)
struct MergingUserCodeTests {
    let cache = FlatCache()

    /// The ways in which a merge runs.
    enum Way: CaseIterable {
        case set, batch, largeBatch, transaction, readInTransaction, list, update

        /// Stores an entity, besides others that aren't merged.
        func store(_ value: Merged, in cache: FlatCache) {
            switch self {
            case .set: cache.set(value)
            case .batch: cache.set(contentsOf: [Merged(7, []), value])
            case .largeBatch: cache.set(contentsOf: (1_000..<6_000).map { Merged($0, []) } + [value])
            case .transaction: cache.transaction { _ = cache.set(value) }
            case .readInTransaction:
                cache.transaction {
                    cache.set(contentsOf: [value])
                    _ = cache.get(Merged.self, id: value.id)
                    _ = cache.count(of: Merged.self)
                }
            case .list: cache.list("list").append(value)
            case .update:
                cache.set(Counter(id: 1))
                Cached(Counter.self, id: 1, in: cache).update(storing: [value]) { $0.count += 1 }
            }
        }
    }

    @Test("N1, P3: A merge may read and write other entities, whole types and the same entity", arguments: Way.allCases)
    func usesCache(_ way: Way) {
        cache.set(Merged(1, [1]))
        let merge = Merged.adding { [cache] call in
            useEverything(of: cache)
            _ = cache.get(Merged.self, id: 1)
            _ = cache.count(of: Merged.self)
            cache.transaction { _ = cache.update(Counter.self, id: 5) { $0.count += 1 } }
            // A body that reads all entities would otherwise run for ever.
            guard call == 1 else { return }
            cache.set(Merged(2, []))
            cache.list("other").append(Merged(3, []))
            cache.set(Merged(1, [2]))
        }
        way.store(Merged(1, [3], merge), in: cache)
        #expect(cache.get(Merged.self, id: 1)?.entries == [1, 2, 3])
        #expect(cache.contains(Merged.self, id: 2) && cache.contains(Merged.self, id: 3))
    }

    @Test("N1, P3: A merge may remove the entity that it merges", arguments: Way.allCases)
    func removes(_ way: Way) {
        cache.set(Merged(1, [1]))
        let merge = Merged.adding { [cache] call in
            if call == 1 { cache.removeAll(of: Merged.self) }
        }
        way.store(Merged(1, [3], merge), in: cache)
        // In a transaction the body has seen the entity, and runs again if it has read it.
        #expect(cache.get(Merged.self, id: 1)?.entries == [3])
    }

    @Test("P3: A merge reads the committed state, and its writes aren't part of a transaction around it")
    func outsideOfTransaction() {
        cache.set(contentsOf: [Counter(id: 1, count: 1)])
        cache.set(Merged(1, [1]))
        let read = Recorder<Int?>()
        try? cache.transaction {
            cache.set(Counter(id: 1, count: 2))
            cache.set(
                Merged(1, [2]) { [cache] _, _ in
                    read.record(cache.get(Counter.self, id: 1)?.count)
                    cache.set(Counter(id: 2, count: 1))
                    return nil
                }
            )
            throw PlannedFailure()
        }
        #expect(read.elements == [1])
        #expect(cache.get(Counter.self, id: 2)?.count == 1 && cache.get(Counter.self, id: 1)?.count == 1)
    }

    /// An entity that uses the cache when it is released.
    struct Releasing: Cachable {
        let id: Int
        var version: Int
        let released: UsesCacheWhenReleased

        static let merge: Merge<Releasing> = .newest(by: \.version)
    }

    @Test("N1, P3: Entities that are kept, replaced, merged again or undone are released with no lock held")
    func releases() {
        let released = Recorder<Int>()
        func value(_ id: Int, _ version: Int) -> Releasing {
            Releasing(id: id, version: version, released: UsesCacheWhenReleased([cache], released))
        }
        for version in [2, 1, 3] {
            cache.set(value(1, version))
            cache.set(contentsOf: [value(1, version), value(2, version), value(1, 0)])
            cache.set(
                contentsOf: (0..<5_000).map { Releasing(id: $0, version: version, released: value(0, 0).released) }
            )
            cache.transaction {
                cache.set(value(1, version))
                cache.set(value(1, version + 1))
                try? cache.transaction {
                    cache.set(value(1, version + 2))
                    cache.set(value(3, version))
                    cache.removeAll(of: Releasing.self)
                    cache.set(value(2, version))
                    throw PlannedFailure()
                }
                onThreads(1) { [cache] _ in cache.update(Releasing.self, id: 1) { $0.version = 0 } }
                cache.remove(Releasing.self, id: 2)
            }
        }
        cache.removeAll()
        #expect(released.count > 15_000)
    }

    @Test("N1, P3: Identifiers that use the cache are compared with no lock held")
    func identifiers() {
        let hook = Hook()
        // It writes another cache, because a body that reads entities written by a merge would run for ever.
        let other = FlatCache()
        hook.set { [cache] _ in
            for id in 0..<64 { _ = cache.contains(Counter.self, id: id) }
            _ = cache.count(of: NosyMerged.self)
            useEverything(of: other)
        }
        let ids = (0..<3).map { NosyID($0, hook) }
        for version in 1...3 {
            cache.set(contentsOf: ids.map { NosyMerged(id: $0, version: version) })
            cache.set(NosyMerged(id: ids[0], version: version))
            cache.transaction {
                cache.set(NosyMerged(id: ids[1], version: 0))
                cache.set(NosyMerged(id: ids[1], version: version))
                _ = cache.get(NosyMerged.self, id: ids[1])
            }
        }
        #expect(cache.get(NosyMerged.self, ids: ids).map(\.version) == [3, 3, 3])
        #expect(hook.seen.isSuperset(of: [.hash, .equality]))
        hook.set(nil)
    }

    typealias NosyID = HookedEntity.Identifier

    struct NosyMerged: Cachable {
        let id: NosyID
        var version: Int

        static let merge: Merge<NosyMerged> = .newest(by: \.version)
    }
}
