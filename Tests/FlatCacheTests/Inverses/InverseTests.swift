import Testing

@testable import FlatCache

@Suite("Inverses")
struct InverseTests {
    @Test("A setter changes both sides in one commit", arguments: InversePair.all, [true, false])
    func oneCommit(of pair: InversePair, byHandle: Bool) throws {
        let cache = FlatCache()
        pair.forward.store(cache, 1)
        pair.back.store(cache, 2)
        let keys = [pair.forward.key(1), pair.back.key(2)]
        let commits = Recorder<Set<FlatCacheKey>>()
        let subscription = cache.observe(keys, initial: false) { commits.record(Set($0.updated)) }
        try pair.forward.set(cache, 1, [2], [:], byHandle)
        #expect(pair.forward.ids(cache, 1) == [2])
        #expect(pair.back.ids(cache, 2) == [1])
        try pair.back.set(cache, 2, [], [:], byHandle)
        #expect(pair.forward.ids(cache, 1) == [])
        #expect(pair.back.ids(cache, 2) == [])
        #expect(commits.elements == [Set(keys), Set(keys)])
        withExtendedLifetime(subscription) {}
    }

    @Test("If one side holds one identifier, the entity that had it before loses it", arguments: InversePair.all)
    func previousOwner(of pair: InversePair) throws {
        let cache = FlatCache()
        for number in 1...3 { pair.forward.store(cache, number) }
        for number in 4...5 { pair.back.store(cache, number) }
        try pair.forward.set(cache, 1, [4], [:], true)
        try pair.forward.set(cache, 2, [4], [:], true)
        #expect(pair.forward.ids(cache, 1) == (pair.back.holdsOne ? [] : [4]))
        #expect(pair.back.ids(cache, 4).sorted() == (pair.back.holdsOne ? [2] : [1, 2]))
        // A given copy with another owner makes no difference.
        try pair.forward.set(cache, 3, [4], pair.back.holdsOne ? [4: [1]] : [:], true)
        #expect(pair.forward.ids(cache, 2) == (pair.back.holdsOne ? [] : [4]))
        #expect(cache.inconsistencies() == [])
    }

    @Test("A setter of an entity that refers to itself changes both of its sides", arguments: InversePair.all)
    func toItself(of pair: InversePair) throws {
        guard pair.forward.key(1) == pair.back.key(1) else { return }
        let cache = FlatCache()
        for number in 1...2 { pair.forward.store(cache, number) }
        try pair.forward.set(cache, 1, [2], [:], true)
        try pair.forward.set(cache, 1, [1], [:], true)
        #expect(pair.forward.ids(cache, 1) == [1] && pair.back.ids(cache, 1) == [1])
        #expect(pair.back.ids(cache, 2) == [])
        try pair.forward.set(cache, 1, [], [:], true)
        #expect(pair.forward.ids(cache, 1) == [] && pair.back.ids(cache, 1) == [])
    }

    @Test("If the owner isn't stored, a setter throws and stores nothing", arguments: InversePair.all, [true, false])
    func missingOwner(of pair: InversePair, byHandle: Bool) {
        let cache = FlatCache()
        #expect(throws: RelationshipError.ownerMissing(pair.forward.key(1))) {
            try pair.forward.set(cache, 1, [2], [:], byHandle)
        }
        #expect(cache.count == 0)
    }

    @Test("The other side keeps its order, and a new identifier is the last")
    func order() throws {
        let cache = FlatCache()
        var team = Team(id: 1)
        team.playerIDs = [5, 3, 4, 3]
        cache.set(team)
        cache.set(contentsOf: [3, 4, 5, 6].map { Player(id: $0) })
        for number in [3, 4, 5] { cache.update(Player.self, id: number) { $0.teamID = 1 } }
        try cache.set(Player.self, id: 6, \.team, to: team)
        #expect(cache.get(Team.self, id: 1)?.playerIDs == [5, 3, 4, 3, 6])
        try cache.set(Player.self, id: 3, \.team, to: nil)
        #expect(cache.get(Team.self, id: 1)?.playerIDs == [5, 4, 6])
    }

    @Test("A commit that changes nothing on the other side doesn't write it")
    func nothingToDo() throws {
        let cache = FlatCache()
        cache.set(contentsOf: [Player(id: 1), Player(id: 2)])
        let (first, second) = (Cached(Player.self, id: 1, in: cache), Cached(Player.self, id: 2, in: cache))
        try first.set(\.friends, to: [second.value ?? Player(id: 2)])
        let changes = Recorder<EntityChange<Player>>()
        let subscription = second.observe(initial: false) { changes.record($0) }
        try first.set(\.friends, to: [second.value ?? Player(id: 2)])
        #expect(changes.count == 0)
        withExtendedLifetime(subscription) {}
    }

    @Test("Related entities that aren't stored are skipped")
    func missingRelated() throws {
        let cache = FlatCache()
        var team = Team(id: 1)
        team.playerIDs = [7, 8]
        team.captainID = 7
        cache.set(team)
        try cache.set(Team.self, id: 1, \.players, to: [Player(id: 8)])
        try cache.set(Team.self, id: 1, \.captain, to: nil)
        #expect(cache.count == 2)
        #expect(cache.get(Player.self, id: 8)?.teamID == 1)
    }

    @Test("A setter in a transaction is part of it")
    func transaction() throws {
        struct Abort: Error {}
        let cache = FlatCache()
        cache.set(Team(id: 1))
        cache.set(Player(id: 2))
        #expect(throws: Abort.self) {
            try cache.transaction {
                try cache.set(Player.self, id: 2, \.team, to: Team(id: 1))
                #expect(cache.get(Team.self, id: 1)?.playerIDs == [2])
                throw Abort()
            }
        }
        #expect(cache.get(Team.self, id: 1) == Team(id: 1))
        #expect(cache.get(Player.self, id: 2) == Player(id: 2))
    }

    @Test("Without a cache, a handle can't set a relationship with an inverse")
    func deallocatedCache() {
        let handle = Cached(Player.self, id: 1, in: FlatCache())
        #expect(throws: RelationshipError.ownerMissing(handle.key)) { try handle.set(\.team, to: nil) }
    }

    // MARK: Sides that can't be changed

    @Test("A dictionary and an array of arrays lose identifiers, but get none")
    func withoutPlace() throws {
        let cache = FlatCache()
        var (first, second) = (Venue(id: 1), Venue(id: 2))
        first.rowIDs = [[1], [2, 1], []]
        second.rowIDs = [[3]]
        cache.set(contentsOf: [first, second])
        cache.set(contentsOf: [1, 2].map { Seat(id: $0, venueID: 1, bestOfID: nil) })
        try cache.set(Seat.self, id: 1, \.venue, to: second)
        #expect(cache.get(Venue.self, id: 1)?.rowIDs == [[], [2], []])
        #expect(cache.get(Venue.self, id: 2)?.rowIDs == [[3]])
        #expect(cache.inconsistencies().map(\.property) == ["Seat.venueID"])
        // Their own setters keep the other side.
        let seat = try #require(cache.get(Seat.self, id: 1))
        try cache.set(Venue.self, id: 2, \.rows, to: [[], [seat]])
        #expect(cache.inconsistencies() == [])
        try cache.set(Venue.self, id: 1, \.rows, to: [])
        #expect(cache.get(Seat.self, id: 2)?.venueID == nil)
    }

    @Test("A constant and a required identifier remain as they are")
    func constants() throws {
        let cache = FlatCache()
        cache.set(contentsOf: [Venue(id: 1), Venue(id: 2)])
        cache.set(contentsOf: [Seat(id: 1, bestOfID: nil, seasonID: 1), Seat(id: 2, bestOfID: nil, seasonID: 2)])
        let seats = cache.allValues(of: Seat.self, inOrder: true)
        try cache.set(Venue.self, id: 1, \.best, to: ["A": seats[0]])
        #expect(cache.get(Seat.self, id: 1)?.bestOfID == nil)
        try cache.set(Venue.self, id: 1, \.seasons, to: seats)
        #expect(cache.get(Seat.self, id: 2)?.seasonID == 1)
        try cache.set(Venue.self, id: 1, \.seasons, to: [])
        #expect(cache.get(Seat.self, id: 2)?.seasonID == 1)
        #expect(cache.get(Venue.self, id: 2)?.seasonIDs == [])
    }

    @Test("A given copy whose constant leads elsewhere doesn't undo the setter")
    func otherConstant() throws {
        let cache = FlatCache()
        cache.set(contentsOf: [Venue(id: 5), Venue(id: 6)])
        cache.set(Seat(id: 1, bestOfID: 5))
        try cache.set(Venue.self, id: 5, \.best, to: ["A": Seat(id: 1, bestOfID: 6)])
        #expect(cache.get(Venue.self, id: 5)?.bestIDs == ["A": 1])
        #expect(cache.inconsistencies().map(\.property) == ["Venue.bestIDs", "Seat.bestOfID"])
        // The seat didn't lead to the first venue, which keeps it.
        try cache.set(Venue.self, id: 6, \.best, to: ["A": Seat(id: 1, bestOfID: 6)])
        #expect(cache.inconsistencies().map(\.owner) == [Venue.flatCacheKey(id: 5)])
    }

    @Test("A constant relationship stores its entity and changes the other side, or throws and stores nothing")
    func constantRelationship() throws {
        let cache = FlatCache()
        cache.set(Seat(id: 1, bestOfID: 5))
        var venue = Venue(id: 5)
        venue.bestIDs = ["A": 1]
        try cache.set(Seat.self, id: 1, \.bestOf, to: venue)
        #expect(cache.get(Venue.self, id: 5) == venue)
        #expect(throws: RelationshipError.self) { try cache.set(Seat.self, id: 1, \.bestOf, to: Venue(id: 6)) }
        #expect(!cache.contains(Venue.self, id: 6))
    }
}
