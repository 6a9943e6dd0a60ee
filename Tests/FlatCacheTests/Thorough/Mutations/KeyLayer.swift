/// The change of a mutation that isn't confirmed, or that waits for those of earlier ones.
struct KeyLayer<Value: ModelValue> {
    /// The change of what is below, of a key with an identifier.
    typealias Change = (_ below: Value?, _ id: String) -> Value?

    let number: UInt64
    private(set) var change: Change
    /// What others have written since the mutation was sent.
    private(set) var others = Writes()
    /// What earlier mutations have changed since then.
    private var earlier = Writes()
    /// What others have removed or moved last.
    private var removed: Value?
    /// Whether the last write of others has removed the value.
    private(set) var isRemoved = false
    private var isMoved = false
    /// Whether the server has confirmed the mutation.
    private(set) var isSettled = false
    /// What others have written since then.
    private var overwritten = Writes()

    /// The names of members that were written, `nil` if they can't be copied one by one.
    struct Writes {
        var areAny = false
        var names: Set<String>? = []

        mutating func add(_ other: Set<String>?) {
            areAny = true
            names = other.flatMap { names?.union($0) }
        }
    }

    init(number: UInt64, change: @escaping Change) {
        self.number = number
        self.change = change
    }

    func shown(over below: Value?, _ id: String) -> Value? {
        if isRemoved { return below }
        guard let changed = change(below, id), let below, isSettled else { return change(below, id) }
        return Value.copied(overwritten.names, from: below, to: changed) ?? below
    }

    /// A changed value with what others have written, or `nil` if the members can't be copied one by one.
    func keeping(_ stored: Value?, in changed: Value) -> Value? {
        guard let stored, others.areAny else { return changed }
        return Value.copied(others.names, from: stored, to: changed) ?? (Value.isEntity ? nil : stored)
    }

    /// An answer with what others have written, and with what earlier mutations have and this one hasn't, or `nil` if the members can't
    /// be copied one by one.
    ///
    /// - Parameter changed: What the mutation makes of what is stored.
    func keeping(_ stored: Value?, _ changed: Value?, inAnswer answer: Value) -> Value? {
        var kept: Value? = answer
        if earlier.areAny, stored != nil {
            kept = Value.copied(earlier.names, from: stored, to: answer)
            kept = kept.flatMap { Value.copied(Value.differences(stored, changed), from: answer, to: $0) }
        }
        return kept.flatMap { keeping(stored, in: $0) }
    }

    /// Others have written what the change was confirmed to otherwise than it makes it.
    mutating func noteDifferences(_ names: Set<String>?) {
        if isSettled { overwritten.add(names) }
    }

    /// Others have written the value.
    ///
    /// An entity that the mutation itself inserts counts as what was stored before.
    mutating func noteWrite(of new: Value?, over old: Value?, _ id: String, isMoved: Bool = false) {
        if isSettled { return overwritten.add(Value.differences(old, new)) }
        if isMoved && new == nil { return (removed, self.isMoved) = (old, true) }
        isRemoved = new == nil
        var before = old
        if Value.isEntity {
            if new == nil { return removed = old ?? removed }
            guard let known = old ?? removed ?? change(nil, id) else { return }
            before = known
        }
        others.add(Value.differences(before, new))
    }

    /// The value has the place of another one, which had the layer.
    mutating func noteMove(to new: Value?, _ id: String) {
        if !isMoved { return }
        isMoved = false
        noteWrite(of: new, over: nil, id)
    }

    /// An earlier mutation has changed the value.
    mutating func noteEarlierChange(from old: Value, to new: Value) {
        if !isSettled && Value.isEntity { earlier.add(Value.differences(old, new)) }
    }

    mutating func rename(_ renamed: (Value) -> Value, _ name: (String) -> String) {
        removed = removed.map(renamed)
        if Value.isEntity { return }
        others.names = others.names.map { Set($0.map(name)) }
        overwritten.names = overwritten.names.map { Set($0.map(name)) }
    }

    /// The server has confirmed the mutation before earlier ones.
    mutating func settle(over base: Value?, answer: Value?) {
        if answer == nil, base != nil { overwritten = others }
        isSettled = true
        guard let answer else { return }
        change = { [change] below, id in
            guard let below, let changed = change(below, id) else { return answer }
            return Value.copied(Value.differences(below, changed), from: answer, to: below) ?? answer
        }
    }
}

/// What all keys know: the order of writes, when mutations were sent, and the replacements.
final class IdentifierHistory {
    private(set) var writes = 0
    /// The number of writes before each mutation was sent.
    private(set) var sent: [UInt64: Int] = [:]
    private var replacements: [String: String] = [:]

    func next() -> Int {
        writes += 1
        return writes
    }

    func noteSent(_ numbers: [UInt64]) {
        for number in numbers where sent[number] == nil { sent[number] = writes }
    }

    func noteReplacement(of old: String, by new: String) {
        replacements[new] = nil
        replacements[old] = new
    }

    /// The identifier that has replaced another one.
    func replacement(of id: String) -> String? { replacements[id] }

    /// The identifier at the end of the replacements of another one.
    func lastID(_ id: String) -> String { replacements[id].map(lastID) ?? id }
}
