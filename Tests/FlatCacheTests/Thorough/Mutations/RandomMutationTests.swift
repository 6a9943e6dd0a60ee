import SeededRandom
import Testing

@testable import FlatCache

/// Random mutations, confirmations, failures and writes, compared with a model that keeps the confirmed state and the layers
/// in the plainest way.
///
/// `FLATCACHE_MUTATIONS=10000` tries more.
@Suite("Random mutations")
struct RandomMutationTests {
    @Test(
        "After each step, readers see the confirmed state with all layers, and transactions the confirmed state",
        arguments: Seeds.first(60, full: 2_000, orAsIn: "FLATCACHE_MUTATIONS")
    )
    func sequences(seed: UInt64) async {
        var random = SeededGenerator(seed: seed)
        let cache = FlatCache()
        // Without queries there are no indexes, and changes of one key aren't transactions.
        let hasQueries = seed % 6 != 0
        if seed % 3 != 0 { cache.buildIndex(.init(\Song.albumID)) }
        if hasQueries, seed % 4 == 0 { cache.buildIndex(.init(\Song.plays), isOrdered: true) }
        var run = MutationRun(
            cache,
            dropsRemoved: seed % 4 == 0,
            comparesOrder: seed % 5 != 0,
            hasQueries: hasQueries
        )
        for step in 0..<60 {
            await run.makeStep(&random)
            run.check("seed \(seed), step \(step)")
        }
        await run.endAll(&random, "seed \(seed), end")
        #expect(cache.pendingMutations.isEmpty)
        #expect(cache.registry.table(of: Song.self).takeUnretainedValue().layeredKeyCount == 0)
    }
}

/// A cache and its model.
private struct MutationRun {
    private let cache: FlatCache
    private let home: CachedList<Song>
    /// Whether the order of insertion is compared.
    ///
    /// The places of entities that one mutation changes several times aren't
    /// specified.
    private let comparesOrder: Bool
    private let hasQueries: Bool
    private var model: LayerModel
    private var pending: [(mutation: Mutation<Void>, answer: ManualAnswer<Void>)] = []
    private let live: CacheSubscription?
    private let liveIDs = Recorder<[Int]>()
    private let follower = Recorder<Song?>()
    private let following: CacheSubscription

    init(_ cache: FlatCache, dropsRemoved: Bool, comparesOrder: Bool, hasQueries: Bool) {
        self.cache = cache
        self.hasQueries = hasQueries
        self.comparesOrder = comparesOrder
        home = cache.list("home", of: Song.self, dropsRemoved: dropsRemoved)
        model = LayerModel(dropsRemoved: dropsRemoved)
        if dropsRemoved { home.replace(withIDs: []) }
        live =
            hasQueries ? cache.query(Self.firstAlbum).observe { [liveIDs] in liveIDs.record($0.values.map(\.id)) } : nil
        following = cache.observe(Song.self, id: 1, initial: true) { [follower] in follower.record($0.value) }
    }

    private static var firstAlbum: FlatCache.Query<Song> { .init(Song.self).filter(\.albumID, equals: 1) }

    mutating func makeStep(_ random: inout SeededGenerator) async {
        switch random.below(20) {
        case 0..<6: begin(&random)
        case 6..<11: await end(&random)
        default: write(&random)
        }
    }

    mutating func endAll(_ random: inout SeededGenerator, _ context: String) async {
        while !pending.isEmpty {
            await end(&random)
            check("\(context), \(pending.count) pending")
        }
    }

    private mutating func begin(_ random: inout SeededGenerator) {
        var steps = (0..<1 + random.below(hasQueries ? 3 : 2)).map { _ in ModelStep(&random) }
        if comparesOrder {
            var ids: Set<Int> = []
            steps.removeAll { step in step.songID.map { !ids.insert($0).inserted } ?? false }
        }
        let answer = ManualAnswer<Void>()
        let home = home
        let mutation = cache.mutate(order: .concurrent) { change in
            for step in steps { step.add(to: &change, home) }
        } send: {
            try await answer()
        }
        pending.append((mutation, answer))
        model.begin(mutation.number, steps)
    }

    private mutating func end(_ random: inout SeededGenerator) async {
        if pending.isEmpty { return }
        let (mutation, answer) = pending.remove(at: random.below(pending.count))
        if random.below(2) == 0 { answer.succeed() } else { answer.fail() }
        let isConfirmed = await mutation.ended()
        model.end(mutation.number, isConfirmed: isConfirmed)
    }

    private mutating func write(_ random: inout SeededGenerator) {
        let id = random.below(5)
        let song = Song(id: id, title: "s\(random.below(9))", plays: random.below(9), albumID: random.below(3))
        switch random.below(11) {
        case 0, 1:
            cache.set(song)
            model.write { $0.set(song) }
        case 2:
            cache.update(Song.self, id: id) { $0.plays += 3 }
            model.write { $0.update(id) { $0.plays += 3 } }
        case 3:
            cache.remove(Song.self, id: id)
            model.write { $0.remove(id) }
        case 4:
            let songs = (0..<3).map { Song(id: (id + $0) % 5, title: "b", plays: $0, albumID: 1) }
            cache.set(contentsOf: songs)
            model.write { for song in songs { $0.set(song) } }
        case 5:
            cache.transaction {
                if var song = cache.get(Song.self, id: id) {
                    song.title += "t"
                    cache.set(song)
                } else {
                    cache.set(song)
                }
                cache.remove(Song.self, id: (id + 1) % 5)
            }
            model.write {
                if $0.songs[id] != nil { $0.update(id) { $0.title += "t" } } else { $0.set(song) }
                $0.remove((id + 1) % 5)
            }
        case 6:
            home.append(ids: [id])
            model.write { if !$0.home.contains(id) { $0.home.append(id) } }
        case 7:
            home.prepend(song)
            model.write {
                $0.set(song)
                if !$0.home.contains(id) { $0.home.insert(id, at: 0) }
            }
        case 8:
            if random.below(3) > 0 { return }
            cache.removeAll(of: Song.self)
            model.write { $0.removeAll(except: []) }
        case 9:
            let songs = [song, Song(id: (id + 1) % 5, title: "r")]
            if random.below(3) > 0 { return }
            cache.replaceAll(of: Song.self, with: songs)
            model.write { state in
                state.removeAll(except: songs.map(\.id))
                for song in songs { state.set(song) }
            }
        default:
            cache.insertIfAbsent(song)
            model.write { if $0.songs[id] == nil { $0.set(song) } }
        }
    }

    func check(_ context: String) {
        let (visible, confirmed) = (model.visible, model.confirmed)
        expectSame(cache.allValues(of: Song.self, inOrder: true), model.ordered(visible, model.visiblePlaces), context)
        #expect(Array(home.ids) == visible.home, "\(context)")
        #expect(cache.count(of: Song.self) == visible.songs.count, "\(context)")
        cache.confirmed {
            let all = cache.allValues(of: Song.self, inOrder: true)
            expectSame(all, model.ordered(confirmed, model.confirmedPlaces), context)
            #expect(Array(home.ids) == confirmed.home, "\(context)")
            #expect(cache.count(of: Song.self) == confirmed.songs.count, "\(context)")
            checkQueries(confirmed, model.confirmedPlaces, context)
        }
        checkQueries(visible, model.visiblePlaces, context)
        cache.read { checkQueries(visible, model.visiblePlaces, context) }
        if hasQueries {
            let expected = model.ordered(visible, model.visiblePlaces).filter { $0.albumID == 1 }.map(\.id)
            let shown = liveIDs.elements.last ?? []
            #expect(comparesOrder ? shown == expected : shown.sorted() == expected.sorted(), "\(context)")
        }
        #expect(follower.elements.last ?? nil == visible.songs[1], "\(context)")
    }

    private func expectSame(_ found: [Song], _ expected: [Song], _ context: String) {
        if comparesOrder { return #expect(found == expected, "\(context)") }
        #expect(found.sorted { $0.id < $1.id } == expected.sorted { $0.id < $1.id }, "\(context)")
    }

    private func checkQueries(_ state: ModelState, _ places: [Int: Int], _ context: String) {
        guard hasQueries else { return }
        let ordered = model.ordered(state, places)
        expectSame(Array(cache.query(Self.firstAlbum).values), ordered.filter { $0.albumID == 1 }, context)
        guard comparesOrder else { return }
        let top = FlatCache.Query(Song.self).sorted(by: \.plays, .descending).limit(2)
        let sorted = ordered.enumerated().sorted { ($1.element.plays, $0.offset) < ($0.element.plays, $1.offset) }
        #expect(Array(cache.query(top).values) == sorted.prefix(2).map(\.element), "\(context)")
    }
}
