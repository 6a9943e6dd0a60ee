import SeededRandom

@testable import FlatCache

/// Entities and a list.
struct ModelState: Equatable {
    var songs: [Int: Song] = [:]
    var home: [Int] = []
    var dropsRemoved = false
    /// The songs that are stored, in the order of their insertion since the last look.
    var inserted: [Int] = []
    /// The songs that are written or removed.
    var written: Set<Int> = []
    /// Whether all songs are removed, before others are written.
    var isCleared = false
    /// The removed songs to which delete rules are applied.
    var ruled: Set<Int> = []

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
        if dropsRemoved { ruled.insert(id) }
        if dropsRemoved { home.removeAll { $0 == id } }
    }
}

/// The change of one key.
enum ModelStep: Sendable {
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

    func make(in state: inout ModelState) {
        switch self {
        case .plays(let id): state.songs[id]?.plays += 1
        case .album(let id, let album): state.songs[id]?.albumID = album
        case .set(let song): state.set(song)
        case .remove(let id): if state.songs.removeValue(forKey: id) != nil { state.inserted.removeAll { $0 == id } }
        case .append(let id): if !state.home.contains(id) { state.home.append(id) }
        case .prepend(let id): if !state.home.contains(id) { state.home.insert(id, at: 0) }
        case .unlist(let id), .drop(let id): state.home.removeAll { $0 == id }
        }
    }
}
