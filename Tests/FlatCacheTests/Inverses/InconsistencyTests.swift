import Testing

@testable import FlatCache

@Suite("Inconsistent inverses")
struct InconsistencyTests {
    @Test("A plain write leaves the other side, and each difference is listed once", arguments: InversePair.all)
    func plainWrites(of pair: InversePair) {
        let cache = FlatCache()
        for number in 1...3 {
            pair.forward.store(cache, number)
            pair.back.store(cache, number)
        }
        pair.forward.write(cache, 1, [2])
        #expect(pair.back.ids(cache, 2) == [])
        let forward = FlatCache.Inconsistency(
            property: pair.forward.property,
            owner: pair.forward.key(1),
            inverse: pair.back.property,
            related: pair.back.key(2)
        )
        #expect(cache.inconsistencies() == [forward])
        pair.back.write(cache, 3, [3])
        let back = FlatCache.Inconsistency(
            property: pair.back.property,
            owner: pair.back.key(3),
            inverse: pair.forward.property,
            related: pair.forward.key(3)
        )
        #expect(Set(cache.inconsistencies()) == (pair.isSymmetric ? [forward] : [forward, back]))
        #expect(cache.inconsistencies().count == (pair.isSymmetric ? 1 : 2))
        pair.back.write(cache, 2, [1])
        pair.back.write(cache, 3, [])
        #expect(cache.inconsistencies() == [])
    }

    @Test("They are in the order of insertion, without repeated identifiers and without missing entities")
    func order() {
        let cache = FlatCache()
        cache.set(contentsOf: [3, 1, 2].map { Player(id: $0) })
        var (first, second) = (Team(id: 9), Team(id: 8))
        first.coachIDs = [1, 2, 3, 7]
        first.playerIDs = [2, 2, 7, 1]
        second.playerIDs = [3]
        cache.set(contentsOf: [first, second])
        let found = cache.inconsistencies()
        #expect(
            found.map(\.property) == ["Team.playerIDs", "Team.playerIDs", "Team.playerIDs"]
                + Array(repeating: "Team.coachIDs", count: 3)
        )
        #expect(found.map(\.owner) == [9, 9, 8, 9, 9, 9].map { Team.flatCacheKey(id: $0) })
        #expect(found.map(\.related) == [1, 2, 3, 3, 1, 2].map { Player.flatCacheKey(id: $0) })
    }

    @Test("A body reads its own state")
    func states() {
        let cache = FlatCache()
        cache.set(Team(id: 1))
        cache.set(Player(id: 2))
        cache.read {
            cache.update(Player.self, id: 2) { $0.teamID = 1 }
            #expect(cache.inconsistencies() == [])
        }
        cache.transaction {
            #expect(cache.inconsistencies().count == 1)
            cache.update(Team.self, id: 1) { $0.playerIDs = [2] }
            #expect(cache.inconsistencies() == [])
        }
    }

    @Test("The description names both entities and properties")
    func description() {
        let inconsistency = FlatCache.Inconsistency(
            property: "Player.teamID",
            owner: Player.flatCacheKey(id: 2),
            inverse: "Team.playerIDs",
            related: Team.flatCacheKey(id: 1)
        )
        #expect(
            "\(inconsistency)" == """
                FlatCacheTests.Player(2) refers to FlatCacheTests.Team(1) in 'Player.teamID', but 'Team.playerIDs' of \
                FlatCacheTests.Team(1) doesn't refer back
                """
        )
    }
}
