import SeededRandom
import Testing

@testable import FlatCache

/// Random mutations, confirmations, failures and writes, compared with a model that keeps the confirmed state and the layers
/// in the plainest way.
///
/// `FLATCACHE_MUTATIONS=10000 swift test --filter RandomMutationTests` tries more.
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
        await run.endAll(&random)
        run.check("seed \(seed), end")
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

    mutating func endAll(_ random: inout SeededGenerator) async {
        while !pending.isEmpty { await end(&random) }
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

/// Entities and a list.
private struct ModelState: Equatable {
    var songs: [Int: Song] = [:]
    var home: [Int] = []
    var dropsRemoved = false
    /// The songs that are stored, in the order of their insertion since the last look.
    var inserted: [Int] = []
    /// The songs that are written or removed.
    var written: Set<Int> = []
    /// Whether all songs are removed, before others are written.
    var isCleared = false

    mutating func set(_ song: Song) {
        written.insert(song.id)
        if songs.updateValue(song, forKey: song.id) == nil { inserted.append(song.id) }
    }

    mutating func update(_ id: Int, _ change: (inout Song) -> Void) {
        guard var song = songs[id] else { return }
        change(&song)
        set(song)
    }

    mutating func removeAll(except kept: [Int]) {
        isCleared = true
        written = Set(0..<5)
        for id in songs.keys.sorted() where !kept.contains(id) { remove(id) }
    }

    mutating func remove(_ id: Int) {
        written.insert(id)
        songs[id] = nil
        inserted.removeAll { $0 == id }
        if dropsRemoved { home.removeAll { $0 == id } }
    }
}

/// The change of one key.
private enum ModelStep: Sendable {
    case plays(Int), album(Int, Int?), set(Song), remove(Int), append(Int), prepend(Int), unlist(Int)
    /// What a delete rule makes of the list.
    case drop(Int)

    init(_ random: inout SeededGenerator) {
        let id = random.below(5)
        self =
            switch random.below(8) {
            case 0, 1: .plays(id)
            case 2: .album(id, random.below(3))
            case 3: .set(Song(id: id, title: "m\(random.below(9))", plays: random.below(5), albumID: random.below(3)))
            case 4: .remove(id)
            case 5: .append(id)
            case 6: .prepend(id)
            default: .unlist(id)
            }
    }

    func add(to change: inout MutationChanges, _ home: CachedList<Song>) {
        switch self {
        case .plays(let id): change.update(Song.self, id: id) { $0.plays += 1 }
        case .album(let id, let album): change.update(Song.self, id: id) { $0.albumID = album }
        case .set(let song): change.set(song)
        case .remove(let id): change.remove(Song.self, id: id)
        case .append(let id): change.append(id, to: home)
        case .prepend(let id): change.prepend(id, to: home)
        case .unlist(let id): change.remove(id, from: home)
        case .drop: break
        }
    }

    /// The song that is changed, or `nil` for a change of the list.
    var songID: Int? {
        switch self {
        case .plays(let id), .album(let id, _), .remove(let id): id
        case .set(let song): song.id
        case .append, .prepend, .unlist, .drop: nil
        }
    }

    /// The song that it stores.
    var song: Song? { if case .set(let song) = self { song } else { nil } }

    /// - Parameter isConfirmed: Whether the rules for removed entities are applied.
    func make(in state: inout ModelState, isConfirmed: Bool = false) {
        switch self {
        case .plays(let id): state.songs[id]?.plays += 1
        case .album(let id, let album): state.songs[id]?.albumID = album
        case .set(let song): state.set(song)
        case .remove(let id) where isConfirmed: state.remove(id)
        case .remove(let id): if state.songs.removeValue(forKey: id) != nil { state.inserted.removeAll { $0 == id } }
        case .append(let id): if !state.home.contains(id) { state.home.append(id) }
        case .prepend(let id): if !state.home.contains(id) { state.home.insert(id, at: 0) }
        case .unlist(let id): state.home.removeAll { $0 == id }
        case .drop(let id): if !isConfirmed { state.home.removeAll { $0 == id } }
        }
    }
}

/// The confirmed state and the layers over it.
///
/// All mutations are sent at once.
private struct LayerModel {
    private(set) var confirmed: ModelState
    private(set) var visible: ModelState
    /// The places of songs in the order of insertion.
    private(set) var confirmedPlaces: [Int: Int] = [:]
    private(set) var visiblePlaces: [Int: Int] = [:]
    private var layers: [ModelLayer] = []
    private var lastPlace = 0

    init(dropsRemoved: Bool) {
        confirmed = ModelState(dropsRemoved: dropsRemoved)
        visible = confirmed
    }

    mutating func begin(_ number: UInt64, _ steps: [ModelStep]) {
        for step in steps {
            layers.append(ModelLayer(number: number, step: step))
            // The lists that refer to a removed song when the mutation begins lose it, until it ends.
            if case .remove(let id) = step, visible.dropsRemoved, visible.home.contains(id) {
                layers.append(ModelLayer(number: number, step: .drop(id)))
            }
        }
        update(changing: steps)
    }

    mutating func end(_ number: UInt64, isConfirmed: Bool) {
        let ended = layers.filter { $0.number == number }
        if isConfirmed { for layer in ended { confirm(layer) } }
        layers.removeAll { $0.number == number && !$0.isSettled }
        // Confirmed changes wait for those of earlier mutations of the key.
        for key in Set(ended.map(\.step.songID)) {
            while let place = layers.firstIndex(where: { $0.step.songID == key }), layers[place].isSettled {
                let layer = layers.remove(at: place)
                change(layer, from: key.flatMap { confirmed.songs[$0] })
            }
        }
        update(changing: ended.map(\.step))
    }

    private mutating func confirm(_ layer: ModelLayer) {
        let key = layer.step.songID
        if layers.contains(where: { $0.step.songID == key && $0.number < layer.number }) {
            for place in layers.indices where layers[place].number == layer.number && layers[place].step.songID == key {
                layers[place].isSettled = true
            }
            // A removal doesn't wait.
            guard case .remove(let id) = layer.step, !layer.isRemoved else { return }
            write(below: layer.number) { $0.remove(id) }
        } else {
            let first = layers.first { $0.number == layer.number && $0.step.songID == key }
            change(first.map { layer.with($0) } ?? layer, from: key.flatMap { first?.before ?? confirmed.songs[$0] })
        }
    }

    /// Makes a change to the confirmed state, which keeps what others have written since the mutation was sent.
    private mutating func change(_ layer: ModelLayer, from song: Song?) {
        guard let id = layer.step.songID else {
            return layer.step.make(in: &confirmed, isConfirmed: !layer.isSettled)
        }
        if layer.isRemoved { return }
        let old = confirmed.songs[id]
        if layers.first(where: { $0.number == layer.number && $0.step.songID == id })?.before == nil {
            for place in layers.indices where layers[place].number == layer.number && layers[place].step.songID == id {
                layers[place].before = .some(song)
            }
        }
        layer.step.make(in: &confirmed, isConfirmed: !layer.isSettled)
        guard let changed = confirmed.songs[id] else { return }
        if layer.isWritten, let song, let base = layer.base ?? layer.step.song {
            confirmed.songs[id] = changed.with(base, song)
        }
        // Later mutations know the change.
        guard let old, let new = confirmed.songs[id] else { return }
        for place in layers.indices where layers[place].number > layer.number && layers[place].step.songID == id {
            layers[place].base = layers[place].base?.with(old, new)
        }
    }

    mutating func write(_ body: (inout ModelState) -> Void) {
        write(below: .max, body)
        update()
    }

    private mutating func write(below number: UInt64, _ body: (inout ModelState) -> Void) {
        let old = confirmed.songs
        confirmed.written = []
        confirmed.isCleared = false
        body(&confirmed)
        for id in confirmed.written {
            let new = confirmed.songs[id]
            let count = layers.count
            if new == nil || confirmed.isCleared {
                layers.removeAll { $0.step.songID == id && $0.number < number && $0.isSettled }
            }
            if new == nil, old[id] == nil, layers.count == count { continue }
            for place in layers.indices where layers[place].step.songID == id && layers[place].number < number {
                if !layers[place].isWritten { layers[place].base = old[id] }
                layers[place].isWritten = true
                layers[place].isRemoved = new == nil
            }
        }
    }

    /// - Parameter steps: The changes of the mutation that begins or ends, which has its entities in their order.
    private mutating func update(changing steps: [ModelStep] = []) {
        let before = visiblePlaces
        visible = confirmed
        for layer in layers where !layer.isRemoved { layer.step.make(in: &visible) }
        // A song keeps its place while it is confirmed, or else while it is shown.
        for id in confirmedPlaces.keys where confirmed.songs[id] == nil { confirmedPlaces[id] = nil }
        for id in confirmed.inserted where confirmedPlaces[id] == nil {
            confirmedPlaces[id] = before[id] ?? nextPlace()
        }
        visiblePlaces = [:]
        for id in visible.songs.keys { visiblePlaces[id] = confirmedPlaces[id] ?? before[id] }
        for id in steps.compactMap(\.songID) + visible.inserted
        where visible.songs[id] != nil && visiblePlaces[id] == nil {
            visiblePlaces[id] = nextPlace()
        }
        confirmed.inserted = []
    }

    private mutating func nextPlace() -> Int {
        lastPlace += 1
        return lastPlace
    }

    func ordered(_ state: ModelState, _ places: [Int: Int]) -> [Song] {
        state.songs.values.sorted { places[$0.id] ?? 0 < places[$1.id] ?? 0 }
    }
}

/// A change that isn't confirmed, or that waits for earlier ones.
private struct ModelLayer {
    let number: UInt64
    let step: ModelStep
    /// Whether the server has confirmed it.
    var isSettled = false
    /// Whether others have written the song since.
    var isWritten = false
    /// Whether their last write has removed it.
    var isRemoved = false
    /// The song before their first write.
    var base: Song?
    /// The confirmed song before the first change of the mutation, while it is confirmed.
    var before: Song??

    /// The layer with what has happened since the first one of the mutation was made.
    func with(_ first: ModelLayer) -> ModelLayer {
        var layer = self
        (layer.isWritten, layer.isRemoved, layer.base) = (first.isWritten, first.isRemoved, first.base)
        return layer
    }
}

extension Song {
    /// The song with the members in which another one differs from its base.
    fileprivate func with(_ base: Song, _ other: Song) -> Song {
        var song = self
        if base.title != other.title { song.title = other.title }
        if base.plays != other.plays { song.plays = other.plays }
        if base.isFavourite != other.isFavourite { song.isFavourite = other.isFavourite }
        if base.albumID != other.albumID { song.albumID = other.albumID }
        return song
    }
}
