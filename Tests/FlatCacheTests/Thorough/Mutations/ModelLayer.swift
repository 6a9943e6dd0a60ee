/// A change that isn't confirmed, or that waits for earlier ones.
struct ModelLayer {
    let number: UInt64
    let step: ModelStep
    /// Whether the server has confirmed it.
    var isSettled = false
    /// What others have written since.
    var overwritten = ModelChanges()
    /// What others have written since the mutation was sent, `nil` for nothing.
    private(set) var others: ModelChanges?
    /// The song that they have removed last.
    private var removed: Song?
    /// Whether their last write has removed the song.
    private(set) var isRemoved = false
    /// The songs that the list loses, if it is a change of the list.
    var dropped: Set<Int> = []

    init(number: UInt64, step: ModelStep) {
        self.number = number
        self.step = step
    }

    func make(in state: inout ModelState) {
        let listed = state.home
        step.make(in: &state)
        state.home.removeAll { dropped.contains($0) && !listed.contains($0) }
    }

    func show(in state: inout ModelState) {
        let below = state
        make(in: &state)
        if !isSettled { return }
        guard let id = step.songID else { return state = state.with(overwritten, of: below, nil) }
        if below.songs[id] == nil { return }
        if state.songs[id] != nil {
            state = state.with(overwritten, of: below, id)
        } else if overwritten.isWhole {
            state.songs[id] = below.songs[id]
        }
    }

    /// Notes that others have written the song or the list.
    ///
    /// A song that the mutation itself inserts counts as what was stored before.
    mutating func noteWrite(from old: ModelState, to new: ModelState) {
        var old = old
        if let id = step.songID {
            isRemoved = new.songs[id] == nil
            if isRemoved { return removed = old.songs[id] ?? removed }
            guard let known = old.songs[id] ?? removed ?? step.song else { return }
            old.songs[id] = known
        }
        others = (others ?? ModelChanges()).union(ModelChanges(from: old, to: new, step.songID))
    }
}

/// The members of a song, or the songs of the list, in which two states differ.
struct ModelChanges {
    /// Whether only one of the states has the song.
    private(set) var isWhole = false
    private var members: [PartialKeyPath<Song>] = []
    private var listed: Set<Int> = []

    init() {}

    init(from old: ModelState, to new: ModelState, _ key: Int?) {
        guard let key else {
            listed = Set(old.home).symmetricDifference(new.home).union(old.home.moved(in: new.home))
            return
        }
        guard let old = old.songs[key], let new = new.songs[key] else {
            isWhole = old.songs[key] != nil || new.songs[key] != nil
            return
        }
        if old.title != new.title { members.append(\.title) }
        if old.plays != new.plays { members.append(\.plays) }
        if old.isFavourite != new.isFavourite { members.append(\.isFavourite) }
        if old.albumID != new.albumID { members.append(\.albumID) }
    }

    func union(_ other: ModelChanges) -> ModelChanges {
        var union = self
        union.isWhole = isWhole || other.isWhole
        union.members += other.members
        union.listed.formUnion(other.listed)
        return union
    }

    /// A song with the members of another one.
    func copied(from source: Song, to target: Song) -> Song {
        if isWhole { return source }
        var song = target
        if members.contains(\.title) { song.title = source.title }
        if members.contains(\.plays) { song.plays = source.plays }
        if members.contains(\.isFavourite) { song.isFavourite = source.isFavourite }
        if members.contains(\.albumID) { song.albumID = source.albumID }
        return song
    }

    /// A list with those of the songs that another one has, behind what they are behind there.
    func copied(from source: [Int], to target: [Int]) -> [Int] { target.with(listed, of: source) }
}

extension ModelState {
    /// The state with a song or the list of another one.
    func with(_ other: ModelState, _ key: Int?) -> ModelState {
        var state = self
        if let key { state.songs[key] = other.songs[key] } else { state.home = other.home }
        return state
    }

    /// The state with some members of a song, or some songs of the list, of another one.
    func with(_ changes: ModelChanges, of other: ModelState, _ key: Int?) -> ModelState {
        var state = self
        guard let key else {
            state.home = changes.copied(from: other.home, to: home)
            return state
        }
        if let source = other.songs[key], let target = songs[key] {
            state.songs[key] = changes.copied(from: source, to: target)
        }
        return state
    }
}
