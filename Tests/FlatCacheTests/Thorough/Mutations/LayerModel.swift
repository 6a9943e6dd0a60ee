@testable import FlatCache

/// The confirmed state and the layers over it.
///
/// All mutations are sent at once.
struct LayerModel {
    private(set) var confirmed: ModelState
    private(set) var visible: ModelState
    /// The confirmed state without changes that were confirmed before those of earlier mutations.
    ///
    /// Layers are made over it.
    private var base: ModelState
    /// The places of songs in the order of insertion.
    private(set) var confirmedPlaces: [Int: Int] = [:]
    private(set) var visiblePlaces: [Int: Int] = [:]
    private var layers: [ModelLayer] = []
    private var lastPlace = 0

    init(dropsRemoved: Bool) {
        confirmed = ModelState(dropsRemoved: dropsRemoved)
        visible = confirmed
        base = confirmed
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
        let keys = Set(ended.map(\.step.songID))
        let delayed = keys.filter { isDelayed($0, before: number) }
        var sources: [Int?: ModelState] = [:]
        if isConfirmed {
            for layer in ended {
                let key = layer.step.songID
                confirm(layer, isDelayed: delayed.contains(key), &sources[key])
            }
        }
        layers.removeAll { $0.number == number && !$0.isSettled }
        for key in keys {
            endWaiting(key)
            if isConfirmed { makeConfirmed(key) }
            if !layers.contains(where: { $0.step.songID == key && $0.isSettled }) { base = base.with(confirmed, key) }
        }
        update(changing: ended.map(\.step))
    }

    private func isDelayed(_ key: Int?, before number: UInt64) -> Bool {
        layers.contains { $0.step.songID == key && $0.number < number }
    }

    /// - Parameters:
    ///   - layer: The change.
    ///   - isDelayed: Whether the change waits for earlier ones.
    ///   - source: The state before the first change of the key by the mutation.
    private mutating func confirm(_ layer: ModelLayer, isDelayed: Bool, _ source: inout ModelState?) {
        let key = layer.step.songID
        source = source ?? base
        // A removal doesn't wait.
        if case .remove(let id) = layer.step, !layer.isRemoved { write(below: layer.number) { $0.remove(id) } }
        let places = layers.indices.filter { layers[$0].number == layer.number && layers[$0].step.songID == key }
        if isDelayed {
            for place in places where !layers[place].isSettled && !layers[place].isRemoved {
                layers[place].isSettled = true
                if let key, base.songs[key] == nil { continue }
                layers[place].overwritten = layers[place].others ?? ModelChanges()
            }
            return
        }
        if layer.isRemoved { return }
        if case .remove = layer.step { return }
        if case .drop = layer.step { return }
        var new = base
        layer.make(in: &new)
        if let source {
            let own = layers.filter { $0.number == layer.number && $0.step.songID == key }
            if let others = own.lazy.compactMap(\.others).first { new = new.with(others, of: source, key) }
        }
        base = base.with(new, key)
        makeConfirmed(key)
    }

    /// Ends changes that don't wait for earlier ones any more, which the confirmed state has.
    private mutating func endWaiting(_ key: Int?) {
        while let place = layers.firstIndex(where: { $0.step.songID == key }), layers[place].isSettled {
            layers.remove(at: place).show(in: &base)
        }
    }

    /// Makes the confirmed state of a key, with changes that wait for earlier ones.
    private mutating func makeConfirmed(_ key: Int?) {
        var state = base
        for layer in layers where layer.step.songID == key && layer.isSettled { layer.show(in: &state) }
        if let key, state.songs[key] != nil, confirmed.songs[key] == nil { confirmed.inserted.append(key) }
        confirmed = confirmed.with(state, key)
    }

    mutating func write(_ body: (inout ModelState) -> Void) {
        write(below: .max, body)
        update()
    }

    private mutating func write(below number: UInt64, _ body: (inout ModelState) -> Void) {
        let old = confirmed
        confirmed.written = []
        confirmed.isCleared = false
        body(&confirmed)
        for id in confirmed.written { noteWrite(id, from: old, below: number) }
        if confirmed.home != old.home { noteWrite(nil, from: old, below: number) }
        dropFromList(confirming: number)
    }

    private mutating func noteWrite(_ key: Int?, from old: ModelState, below number: UInt64) {
        let isRemoval = key.map { confirmed.songs[$0] == nil } ?? false
        let base = base
        let count = layers.count
        if isRemoval || confirmed.isCleared && key != nil {
            layers.removeAll { $0.step.songID == key && $0.number < number && $0.isSettled }
        }
        let isSettled = layers.contains { $0.step.songID == key && $0.isSettled }
        let changes = ModelChanges(from: old, to: confirmed, key)
        var written = confirmed
        if isSettled {
            written = written.with(ModelChanges(from: old, to: base, key), of: base, key).with(
                changes,
                of: confirmed,
                key
            )
        }
        self.base = base.with(written, key)
        if let key, isRemoval, base.songs[key] == nil, layers.count == count { return }
        for place in layers.indices where layers[place].step.songID == key && layers[place].number < number {
            if layers[place].isSettled {
                layers[place].overwritten = layers[place].overwritten.union(changes)
            } else {
                layers[place].noteWrite(from: old, to: confirmed)
            }
        }
        if isSettled && number == .max { noteDifferences(key) }
    }

    /// What others have written otherwise than settled changes make it stays.
    private mutating func noteDifferences(_ key: Int?) {
        if let key, confirmed.songs[key] == nil || base.songs[key] == nil { return }
        var made = base
        for layer in layers where layer.step.songID == key && layer.isSettled { layer.show(in: &made) }
        var changes = ModelChanges(from: made, to: confirmed, key)
        // The places of songs are among those that the changes have listed.
        if key == nil && made.home != confirmed.home {
            changes = ModelChanges(from: base, to: made, key).union(changes)
        }
        for place in layers.indices where layers[place].step.songID == key && layers[place].isSettled {
            layers[place].overwritten = layers[place].overwritten.union(changes)
        }
        base = base.with(changes, of: confirmed, key)
    }

    /// Lets pending changes of the list lose removed songs, unless others still show them.
    private mutating func dropFromList(confirming number: UInt64) {
        for id in confirmed.ruled {
            var state = ModelState()
            for layer in layers where layer.step.songID == id && !layer.isRemoved {
                if layer.isSettled || layer.number != number { layer.show(in: &state) }
            }
            if state.songs[id] != nil { continue }
            for place in layers.indices where layers[place].step.songID == nil { layers[place].dropped.insert(id) }
        }
        confirmed.ruled = []
    }

    /// - Parameter steps: The changes of the mutation that begins or ends, which has its entities in their order.
    private mutating func update(changing steps: [ModelStep] = []) {
        let before = visiblePlaces
        visible = base
        for layer in layers where !layer.isRemoved { layer.show(in: &visible) }
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
