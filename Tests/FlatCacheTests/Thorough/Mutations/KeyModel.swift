/// What the confirmed state has under one key, and the changes of pending mutations.
///
/// The rules are those of the library, in the plainest way.
struct KeyModel<Value: ModelValue> {
    /// What transactions see.
    private(set) var confirmed: Value?
    /// The same without changes that were confirmed before those of earlier mutations.
    ///
    /// Layers are made over it.
    private(set) var base: Value?
    /// In the order of the mutations.
    private(set) var layers: [KeyLayer<Value>] = []
    /// The number of the last write.
    private(set) var written = 0
    private let id: String
    private let history: IdentifierHistory

    init(of id: String = "", _ history: IdentifierHistory) {
        self.id = id
        self.history = history
    }

    /// What readers see.
    var visible: Value? { layers.reduce(base) { $1.shown(over: $0, id) } }

    mutating func add(_ number: UInt64, _ change: @escaping KeyLayer<Value>.Change) {
        layers.append(KeyLayer(number: number, change: change))
    }

    /// Whether others have removed what a mutation changes.
    func isRemoved(for number: UInt64) -> Bool { layers.first { $0.number == number }?.isRemoved == true }

    /// Others write or remove the value.
    ///
    /// - Parameters:
    ///   - new: The value, or `nil` for a removal.
    ///   - sent: When the request was sent whose answer it is. Mutations that were sent later have known more.
    ///   - isMoved: Whether the value takes another key.
    mutating func write(_ new: Value?, knownAt sent: Int = .max, isMoved: Bool = false) {
        written = history.next()
        let (count, old) = (layers.count, confirmed)
        if new == nil { layers.removeAll { $0.isSettled } }
        let isRemoval = new == nil && !isMoved
        if isRemoval && base == nil && layers.count == count { return confirmed = nil }
        var below = new
        if new != nil, layers.contains(where: \.isSettled) {
            below = Value.copied(Value.differences(confirmed, base), from: base, to: new)
            below = below.flatMap { Value.copied(Value.differences(confirmed, new), from: new, to: $0) }
            // What others write has the changes.
            if below == nil && base != nil && confirmed != nil { layers.removeAll { $0.isSettled } }
            below = below ?? new
        }
        for place in layers.indices where history.sent[layers[place].number].map({ $0 <= sent }) == true {
            layers[place].noteWrite(of: new, over: old, id, isMoved: isMoved)
        }
        (base, confirmed) = (below, new)
        guard let new, let below, layers.contains(where: \.isSettled),
            let made = layers.reduce(below, { $1.isSettled ? $1.shown(over: $0, id) : $0 })
        else { return }
        var names = Value.differences(made, new)
        if names?.isEmpty == true { return }
        if !Value.isEntity { names = Value.differences(below, made).flatMap { names?.union($0) } }
        for place in layers.indices { layers[place].noteDifferences(names) }
        base = Value.copied(names, from: new, to: below) ?? below
    }

    /// The server has confirmed a mutation.
    ///
    /// - Parameter answer: The value of the answer, if it has one.
    mutating func confirm(_ number: UInt64, _ answer: Value?) {
        let own = layers.filter { $0.number == number }
        guard var first = own.first else { return }
        // The one that inserts the value, if there was none.
        first = own.first { $0.others.areAny } ?? first
        let isDelayed = layers[0].number < number
        if first.isRemoved { return end(number, isConfirmed: true) }
        let before = base
        var new: Value?
        // The members of these entities can't be copied one by one to what earlier changes make.
        let answer = isDelayed && Value.isEntity ? nil : answer
        if let answer {
            let changed = own.reduce(before) { $1.shown(over: $0, id) }
            var kept = first.keeping(before, changed, inAnswer: answer)
            let made = changed.flatMap { first.keeping(before, in: $0) } ?? changed
            let later = layers.filter { $0.number > number && $0.isSettled }
            if !later.isEmpty, let made, let shown = later.reduce(made, { $1.shown(over: $0, id) }) {
                kept = kept.flatMap { Value.copied(Value.differences(made, shown), from: made, to: $0) }
            }
            new = kept ?? changed ?? answer
        } else if !isDelayed {
            for layer in own {
                guard let changed = layer.change(new ?? before, id) else { continue }
                new = first.keeping(before, in: changed) ?? changed
            }
        }
        if let new {
            written = history.next()
            // The earlier mutations were sent without what the answer knows.
            for place in layers.indices where layers[place].number < number && history.sent[layers[place].number] != nil
            {
                layers[place].noteWrite(of: new, over: before, id)
            }
            base = new
            noteEarlierChange(from: before, to: new, after: number)
        }
        for place in layers.indices where layers[place].number == number && isDelayed {
            layers[place].settle(over: base, answer: new)
            noteEarlierChange(from: base, to: layers[place].shown(over: base, id), after: number)
            written = history.next()
        }
        end(number, isConfirmed: true)
    }

    /// Removes the layers of a mutation that don't wait, and ends changes that don't wait any more, which the confirmed value has.
    mutating func end(_ number: UInt64, isConfirmed: Bool = false) {
        if !layers.contains(where: { $0.number == number }) { return }
        layers.removeAll { $0.number == number && !$0.isSettled }
        while let layer = layers.first, layer.isSettled {
            base = layer.shown(over: base, id)
            layers.removeFirst()
        }
        if isConfirmed { confirmed = layers.reduce(base) { $1.isSettled ? $1.shown(over: $0, id) : $0 } }
        if !layers.contains(where: \.isSettled) { base = confirmed }
    }

    /// Later mutations that were sent may not know what an earlier one does.
    private mutating func noteEarlierChange(from old: Value?, to new: Value?, after number: UInt64) {
        guard let old, let new else { return }
        for place in layers.indices where layers[place].number > number && history.sent[layers[place].number] != nil {
            layers[place].noteEarlierChange(from: old, to: new)
        }
    }

    /// Moves the layers here that another key has had.
    mutating func move(_ moved: [KeyLayer<Value>]) {
        layers = (layers + moved).sorted { $0.number < $1.number }
        for place in layers.indices { layers[place].noteMove(to: confirmed, id) }
    }

    /// Removes all layers, which move to another key.
    mutating func removeLayers() -> [KeyLayer<Value>] {
        defer { layers = [] }
        return layers
    }

    /// Replaces identifiers.
    mutating func rename(_ renamed: (Value) -> Value, _ name: (String) -> String) {
        let new = confirmed.map(renamed)
        if new != confirmed { written = history.next() }
        (base, confirmed) = (base.map(renamed), new)
        for place in layers.indices { layers[place].rename(renamed, name) }
    }
}
