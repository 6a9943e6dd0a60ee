import Testing

@testable import FlatCache

/// Entities that layers show only while no confirmed entity is stored.
@Suite("Entities that layers show after a removal")
struct ShownAgainTests {
    struct Disk: Cachable {
        let id: Int
    }

    /// A track, which is removed with its disk.
    struct Track: Cachable, RelationshipOwner {
        let id: Int
        var title = "a"
        var diskID: Int

        struct Relationships: Sendable {
            var disk: FlatCache.Relationship<Track, FlatCache.ToOne<Disk>> {
                .init("Track.diskID", { $0.diskID }, set: { $0.diskID = $1 })
            }
        }
        static var relationships: Relationships { Relationships() }
        static var deleteRules: [FlatCache.DeleteRule<Track>] { [.init(\.disk, .cascade)] }
        static let indexes: [FlatCache.Index<Track>] = [.init(\.title)]
    }

    /// How the confirmed entities are removed.
    enum Removal: CaseIterable {
        case replaceAll, removeAll, byID, byIDs, afterOthers
    }

    @Test("They have places of their own in the order of insertion, also in indexes", arguments: Removal.allCases)
    func places(removal: Removal) async {
        let cache = FlatCache()
        let answer = ManualAnswer<Void>()
        cache.set(Disk(id: 1))
        // What is removed stays removed for a mutation that was sent.
        let turn = ManualAnswer<Void>()
        cache.mutate(order: .serial("drafts")) { _ in
        } send: {
            try await turn()
        }
        let drafts = [7, 8].map { id in
            cache.mutate(order: .serial("drafts")) {
                $0.insert(temporary: Track(id: id, diskID: 2))
            } send: {
                try await answer()
            }
        }
        cache.set(contentsOf: [7, 8].map { Track(id: $0, diskID: 1) })
        cache.set(Track(id: 1, diskID: 2))
        let hiding = cache.mutate(order: .concurrent) {
            $0.remove(Disk.self, id: 1)
        } send: {
            try await answer()
        }
        let query = FlatCache.Query(Track.self).filter(\.title, equals: "a")
        #expect(cache.query(query).ids == [1])
        let others = [1, 2].map { Track(id: $0, diskID: 2) }
        switch removal {
        case .replaceAll: cache.replaceAll(of: Track.self, with: others)
        case .removeAll: cache.removeAll(of: Track.self)
        case .byID: for id in [7, 8] { cache.remove(Track.self, id: id) }
        case .byIDs: cache.remove(Track.self, ids: [7, 8])
        case .afterOthers:
            cache.transaction {
                cache.set(contentsOf: others)
                cache.remove(Track.self, ids: [7, 8])
            }
        }
        cache.set(Track(id: 9, diskID: 2))
        let ids = cache.allValues(of: Track.self, inOrder: true).map { $0.id }
        #expect(cache.query(query).ids == ids)
        let before = removal == .removeAll ? [] : removal == .byID || removal == .byIDs ? [1] : [1, 2]
        #expect(ids.starts(with: before) && ids.last == 9)
        #expect(ids.dropFirst(before.count).dropLast().sorted() == [7, 8])
        let table = cache.registry.table(of: Track.self).takeUnretainedValue()
        #expect(Set(ids.map { table.ordinal(of: $0) }).count == ids.count)
        turn.succeed()
        let mutations = drafts + [hiding]
        for _ in mutations { answer.succeed() }
        for mutation in mutations { await mutation.ended() }
    }
}
