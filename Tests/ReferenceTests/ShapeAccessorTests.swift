import FlatCache
import Testing

@Suite("Generated accessors of arrays of arrays, dictionaries and cases")
struct ShapeAccessorTests {
    let cache = FlatCache()
    let ann = Player(id: "ann")
    let bob = Player(id: "bob")

    /// Sets fetchers that answer with an entity for each identifier that is not in `missing`.
    func serve(without missing: Set<String> = []) -> Server {
        let server = Server()
        cache.setFetcher(of: Player.self) { ids in
            server.note(Player.self, ids)
            return ids.subtracting(missing).map { Player(id: $0) }
        }
        cache.setFetcher(of: Cell.self) { ids in
            server.note(Cell.self, ids)
            return ids.filter { !missing.contains("\($0)") }.map { Cell(id: $0, playerID: "of\($0)") }
        }
        return server
    }

    func cells(_ ids: Int...) -> [Cell] { ids.map { Cell(id: $0) } }

    // MARK: Arrays of arrays

    @Test("The getter of rows is flat, in order and without missing entities")
    func rows() throws {
        cache.set(contentsOf: cells(1, 2, 3))
        let board = Board(id: "1", cellIDs: [[3, 9], [], [1, 3]], cornerIDs: [])
        #expect(board.cells(in: cache).map(\.id) == [3, 1, 3])
        #expect(board.missing(\.cells, in: cache) == [9])
        #expect(board.cached(\.cells, in: cache).map(\.id) == [3, 9, 1, 3])
        #expect(board.marks(in: cache) == nil)
        #expect(board.missing(\.marks, in: cache) == [])
        #expect(board.cached(\.marks, in: cache) == nil)
        #expect(Board(id: "1", markedCellIDs: [[2]], cornerIDs: []).marks(in: cache)?.map(\.id) == [2])
        let error = #expect(throws: RelationshipError.self) { try board.require(\.cells, in: cache) }
        #expect(error?.description.hasPrefix("'Board.cellIDs' of ReferenceTests.Board(\"1\") refers to ") == true)
        cache.set(Cell(id: 9))
        #expect(try board.require(\.cells, in: cache).map(\.id) == [3, 9, 1, 3])
        #expect(try board.require(\.marks, in: cache) == nil)
    }

    @Test("The setter of rows takes rows, and keeps them")
    func settingRows() throws {
        var board = Board(id: "1", cornerIDs: [[1], [2]])
        board.setCells([cells(1, 2), [], cells(3)], in: cache)
        #expect(board.cellIDs == [[1, 2], [], [3]])
        #expect(cache.count(of: Cell.self) == 3)
        board.setMarks([cells(4)], in: cache)
        #expect(board.markedCellIDs == [[4]])
        board.setMarks(nil, in: cache)
        #expect(board.markedCellIDs == nil)
        #expect(throws: RelationshipError.self) { try board.setCorners([cells(1, 2)], in: cache) }
        #expect(throws: RelationshipError.self) { try board.setCorners([cells(2), cells(1)], in: cache) }
        try board.setCorners([cells(1), cells(2)], in: cache)
        cache.set(board)
        let handle = Cached(Board.self, id: "1", in: cache)
        try handle.set(\.cells, to: [cells(8), cells(7)])
        #expect(handle.value?.cellIDs == [[8], [7]])
        #expect(handle.cells.map(\.id) == [8, 7])
        #expect(throws: RelationshipError.self) { try handle.set(\.corners, to: []) }
    }

    @Test("Rows are fetched in one request, and the result is flat")
    func fetchingRows() async throws {
        let server = serve()
        let board = Board(id: "1", cellIDs: [[2, 1], [2]], cornerIDs: [])
        #expect(try await board.fetchCells(in: cache).map(\.id) == [2, 1, 2])
        #expect(try await board.fetchMarks(in: cache) == nil)
        #expect(server.requests == ["Cell 1 2"])
        try await cache.prefetch(\.cells.player, for: [board])
        #expect(server.requests == ["Cell 1 2", "Player of1 of2"])
    }

    // MARK: Dictionaries

    @Test("The getter of a dictionary has the keys of stored entities")
    func dictionaries() throws {
        cache.set(ann)
        let board = Board(
            id: "1",
            cornerIDs: [],
            playerIDs: [.white: "ann", .black: "bob"],
            refereeIDs: [.judge: "ann", .clerk: "ann"]
        )
        #expect(board.players(in: cache) == [.white: ann])
        #expect(board.referees(in: cache) == [.judge: ann, .clerk: ann])
        #expect(board.missing(\.players, in: cache) == [.black: "bob"])
        #expect(board.cached(\.players, in: cache).mapValues(\.id) == board.playerIDs)
        #expect(board.guests(in: cache) == nil)
        #expect(board.cached(\.guests, in: cache) == nil)
        #expect(board.missing(\.guests, in: cache) == [:])
        #expect(
            throws: RelationshipError.relatedMissing(
                property: "Board.playerIDs",
                owner: Board.flatCacheKey(id: "1"),
                missing: [Player.flatCacheKey(id: "bob")]
            )
        ) { try board.require(\.players, in: cache) }
        cache.set(bob)
        #expect(try board.require(\.players, in: cache) == [.white: ann, .black: bob])
        #expect(try board.require(\.guests, in: cache) == nil)
    }

    @Test("A dictionary of entities can be assigned, and stores them")
    func settingDictionaries() throws {
        try FlatCache.withCurrent(cache) {
            var board = Board(id: "1", cornerIDs: [], refereeIDs: [.judge: "ann"])
            board.players = [.white: ann]
            board.players[.black] = bob
            #expect(board.playerIDs == [.white: "ann", .black: "bob"])
            board.players[.white] = nil
            #expect(board.playerIDs == [.black: "bob"])
            board.setGuests(["a": ann])
            #expect(board.guestIDs == ["a": "ann"])
            board.guests = nil
            #expect(board.guestIDs == nil)
            #expect(throws: RelationshipError.self) { try board.setReferees([.judge: bob]) }
            #expect(throws: RelationshipError.self) { try board.setReferees([.clerk: ann]) }
            try board.setReferees([.judge: ann])
            #expect(cache.count(of: Player.self) == 2)
            cache.set(board)
            let handle = Cached(Board.self, id: "1")
            try handle.set(\.players, to: [.white: Player(id: "eve")])
            #expect(handle.players == [.white: Player(id: "eve")])
            #expect(handle.value?.playerIDs == [.white: "eve"])
        }
    }

    @Test("A dictionary is fetched in one request, and a missing entity is an error")
    func fetchingDictionaries() async throws {
        let server = serve(without: ["lost"])
        var board = Board(id: "1", cornerIDs: [], playerIDs: [.white: "ann", .black: "ann"])
        #expect(try await board.fetchPlayers(in: cache) == [.white: ann, .black: ann])
        #expect(try await board.fetchGuests(in: cache) == nil)
        board.playerIDs[.black] = "bob"
        #expect(try await board.fetchPlayers(.networkOnly, in: cache) == [.white: ann, .black: bob])
        #expect(server.requests == ["Player ann", "Player ann bob"])
        board.guestIDs = ["x": "lost"]
        await #expect(throws: FetchError.self) { try await board.fetchGuests(in: cache) }
        try await cache.prefetch(\.guests, \.players.boards, for: [board])
    }

    @Test("A handle without its owner has empty collections")
    func missingOwner() throws {
        let handle = Cached(Board.self, id: "1", in: cache)
        #expect(handle.cells == [])
        #expect(handle.marks == nil)
        #expect(handle.players == [:])
        #expect(handle.guests == nil)
        #expect(handle.cached(\.cells).isEmpty)
        #expect(handle.cached(\.players).isEmpty)
        #expect(handle.missing(\.cells) == [])
        #expect(handle.missing(\.players) == [:])
        #expect(throws: RelationshipError.ownerMissing(handle.key)) { try handle.require(\.players) }
        cache.set(Board(id: "1", cellIDs: [[1]], cornerIDs: [], playerIDs: [.white: "ann"]))
        #expect(handle.missing(\.cells) == [1])
        #expect(handle.missing(\.players) == [.white: "ann"])
        #expect(handle.cached(\.players)[.white]?.id == "ann")
    }

    @Test("Observers are notified of entities in rows and dictionaries")
    func observation() {
        let board = Board(id: "1", cellIDs: [[1]], cornerIDs: [], playerIDs: [.white: "ann"])
        let changes = Commits()
        let cache = cache
        let subscription = cache.observe {
            board.cells(in: cache).count + board.players(in: cache).count
        } onChange: { _ in
            changes.add(1)
        }
        cache.set(Cell(id: 1))
        cache.set(ann)
        cache.set(bob)
        subscription.cancel()
        // The initial value and two changes.
        #expect(changes.counts.count == 3)
    }

    // MARK: Cases

    @Test("The accessors of a case are nil if the value is another case")
    func cases() throws {
        cache.set(ann)
        let owner = Owner.player("ann")
        #expect(owner.player(in: cache) == ann)
        #expect(owner.members(in: cache) == nil)
        #expect(try owner.require(\.player, in: cache) == ann)
        #expect(owner.cached(\.player, in: cache)?.id == "ann")
        for other in [Owner.nobody, .team(["ann"]), .other(name: "ann", rank: 1)] {
            #expect(other.player(in: cache) == nil)
            #expect(try other.require(\.player, in: cache) == nil)
            #expect(other.cached(\.player, in: cache) == nil)
            #expect(other.missing(\.player, in: cache) == [])
        }
        let lost = Owner.player("lost")
        #expect(lost.player(in: cache) == nil)
        #expect(lost.missing(\.player, in: cache) == ["lost"])
        #expect(
            throws: RelationshipError.relatedMissing(
                property: "Owner.player",
                owner: nil,
                missing: [Player.flatCacheKey(id: "lost")]
            )
        ) { try lost.require(\.player, in: cache) }
    }

    @Test("The cases of collections have the accessors of optional collections")
    func collections() {
        cache.set(contentsOf: [ann, bob])
        cache.set(contentsOf: cells(1, 2))
        #expect(Owner.team(["bob", "x", "ann"]).members(in: cache) == [bob, ann])
        #expect(Owner.pair(["ann"]).partners(in: cache) == [ann])
        #expect(Owner.cells([[2], [1]]).cells(in: cache)?.map(\.id) == [2, 1])
        #expect(Owner.default([.black: "ann", .white: "x"]).default(in: cache) == [.black: ann])
        #expect(Owner.default([.white: "x"]).missing(\.default, in: cache) == [.white: "x"])
        #expect(Owner.nobody.default(in: cache) == nil)
    }

    @Test("A setter stores the entities, and makes the value its case")
    func settingCases() {
        var owner = Owner.nobody
        owner.setPlayer(ann, in: cache)
        #expect(owner == .player("ann"))
        owner.setMembers([bob, ann], in: cache)
        #expect(owner == .team(["bob", "ann"]))
        owner.setPartners([ann], in: cache)
        #expect(owner == .pair(["ann"]))
        owner.setCells([cells(1), cells(2)], in: cache)
        #expect(owner == .cells([[1], [2]]))
        owner.setDefault([.white: bob], in: cache)
        #expect(owner == .default([.white: "bob"]))
        #expect(cache.count(of: Player.self) == 2)
        #expect(cache.count(of: Cell.self) == 2)
    }

    @Test("A case is fetched, and another case needs no request")
    func fetchingCases() async throws {
        let server = serve(without: ["lost"])
        #expect(try await Owner.player("ann").fetchPlayer(in: cache) == ann)
        #expect(try await Owner.team(["bob", "ann"]).fetchMembers(in: cache) == [bob, ann])
        #expect(try await Owner.nobody.fetchPlayer(in: cache) == nil)
        #expect(try await Owner.nobody.fetchDefault(in: cache) == nil)
        #expect(server.requests == ["Player ann", "Player bob"])
        await #expect(throws: FetchError.self) { try await Owner.player("lost").fetchPlayer(in: cache) }
    }

    @Test("The values of an enum are prefetched with one request for each type")
    func prefetchingCases() async throws {
        let server = serve()
        let owners: [Owner] = [.player("ann"), .team(["bob", "ann"]), .nobody, .cells([[1]]), .player("eve")]
        try await cache.prefetch(\.player, \.members, \.cells.player, for: owners)
        #expect(server.requests.prefix(2).sorted() == ["Cell 1", "Player ann bob eve"])
        #expect(server.requests.dropFirst(2) == ["Player of1"])
    }

    @Test("An entity can be an enum, whose handle reads its cases")
    func entity() throws {
        cache.set(contentsOf: [ann, bob])
        cache.set(Sole.playerID("ann"))
        let handle = Cached(Sole.self, id: "ann", in: cache)
        #expect(handle.player == ann)
        #expect(throws: RelationshipError.self) { try handle.set(\.player, to: bob) }
        try handle.set(\.player, to: ann)
    }

    @Test("Accessors don't hide the cases")
    func names() {
        let makers: [(String) -> Owner] = [Owner.player]
        let owners = ["ann"].map(Owner.player) + makers.map { $0("bob") }
        #expect(owners == [.player("ann"), .player("bob")])
        if case .player = owners[0] {} else { Issue.record("The case is not found.") }
    }
}
