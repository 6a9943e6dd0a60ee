import Testing

@testable import FlatCache

/// Entities, a list and a reference.
struct IdentifierState: Equatable {
    var memos: [String: Memo] = [:]
    var folders: [Int: MemoFolder] = [:]
    var home: [String] = []
    var current: String?

    mutating func append(_ id: String) {
        if !home.contains(id) { home.append(id) }
    }

    /// Replaces identifiers in everything that names them.
    mutating func rename(_ other: (String) -> String?) {
        func renamed(_ ids: [String]) -> [String] {
            var known = Set(ids)
            return ids.compactMap { id in
                guard let other = other(id) else { return id }
                return known.insert(other).inserted ? other : nil
            }
        }
        home = renamed(home)
        current = current.map { other($0) ?? $0 }
        memos = memos.mapValues { memo in
            var memo = memo
            memo.parentID = memo.parentID.map { other($0) ?? $0 }
            return memo
        }
        folders = folders.mapValues { folder in
            var folder = folder
            folder.oneID = other(folder.oneID) ?? folder.oneID
            folder.arrayIDs = renamed(folder.arrayIDs)
            folder.keyedIDs = folder.keyedIDs.mapValues { other($0) ?? $0 }
            return folder
        }
    }
}

/// The change of one key.
enum IdentifierStep: Sendable {
    case insert(Memo), edit(String, String), append(String), refer(String), file(Int, String)

    func add(to change: inout MutationChanges, _ home: CachedList<Memo>, _ current: CachedReference<Memo>) {
        switch self {
        case .insert(let memo): change.insert(temporary: memo)
        case .edit(let id, let text): change.update(Memo.self, id: id) { $0.text += text }
        case .append(let id): change.append(id, to: home)
        case .refer(let id): change.set(id, of: current)
        case .file(let folder, let id): change.update(MemoFolder.self, id: folder) { $0.arrayIDs.append(id) }
        }
    }

    /// The memo that it inserts.
    var inserted: Memo? { if case .insert(let memo) = self { memo } else { nil } }

    /// The memo that is changed, or `nil` for a change of another key.
    var memoID: String? {
        switch self {
        case .insert(let memo): memo.id
        case .edit(let id, _): id
        case .append, .refer, .file: nil
        }
    }

    /// - Parameter id: The identifier of the memo, after replacements.
    func make(in state: inout IdentifierState, _ id: String, _ lastID: (String) -> String) {
        switch self {
        case .insert(let memo): if state.memos[id] == nil, memo.id == id { state.memos[id] = memo }
        case .edit(_, let text): state.memos[id]?.text += text
        case .append(let id): state.append(lastID(id))
        case .refer(let id): state.current = lastID(id)
        case .file(let folder, let id): state.folders[folder]?.arrayIDs.append(id)
        }
    }
}

/// A change that isn't confirmed, or that waits for earlier ones.
private struct IdentifierLayer {
    let number: UInt64
    let step: IdentifierStep
    /// The identifier of the memo, after replacements.
    var id: String
    /// The memo before others have written it since the mutation was sent, `nil` if they haven't.
    var base: Memo??
    /// Whether their last write has removed it.
    var isRemoved = false
    /// Whether the server has confirmed it.
    var isSettled = false
    /// The confirmed memo since the server has answered with it.
    var answer: Memo?

    /// What is changed: a memo, a folder, the list or the reference.
    var key: String {
        switch step {
        case .insert, .edit: "memo \(id)"
        case .append: "list"
        case .refer: "reference"
        case .file(let folder, _): "folder \(folder)"
        }
    }
}

extension Memo {
    private func differing(from other: Memo) -> Set<String> {
        var names: Set<String> = []
        if id != other.id { names.insert("id") }
        if text != other.text { names.insert("text") }
        if parentID != other.parentID { names.insert("parentID") }
        return names
    }

    /// The memo, or another one if this one lacks members in which that differs from its base.
    ///
    /// The members of a memo can't be copied one by one.
    fileprivate func with(_ base: Memo, _ new: Memo, from source: Memo) -> Memo {
        let names = base.differing(from: new)
        if names.isEmpty { return self }
        return source.differing(from: self).isDisjoint(with: names) ? self : source
    }
}

/// The confirmed state, the layers over it, and the replacements, in the plainest way.
struct IdentifierModel {
    var confirmed = IdentifierState()
    /// The keys of the observers, by the identifiers with which they began.
    private(set) var observed: [String: String] = [:]
    /// The memos in the order of insertion, without layers.
    private(set) var order: [String] = []
    private var forwardings: [String: String] = [:]
    private var layers: [IdentifierLayer] = []
    /// The number of writes, that of the last write of each memo, and that before each mutation was sent.
    private var writes = 0
    private var written: [String: Int] = [:]
    private var sent: [UInt64: Int] = [:]
    /// The mutation that is being confirmed, and the memos that it has changed, before that.
    private var confirming: (number: UInt64, before: [String: (memo: Memo?, layer: IdentifierLayer)])?

    var visible: IdentifierState {
        var state = confirmed
        for layer in layers { show(layer, in: &state) }
        return state
    }

    private func show(_ layer: IdentifierLayer, in state: inout IdentifierState) {
        if layer.isRemoved { return }
        let below = state.memos[layer.id]
        make(layer.step, layer.id, in: &state)
        guard let answer = layer.answer, layer.step.memoID != nil else { return }
        guard let below, let changed = state.memos[layer.id] else { return state.memos[layer.id] = answer }
        state.memos[layer.id] = below.with(below, changed, from: answer)
    }

    /// Only the key of the step is renamed.
    private func make(_ step: IdentifierStep, _ id: String, in state: inout IdentifierState) {
        var changed = state
        step.make(in: &changed, id, lastID)
        var renamed = changed
        renamed.rename { self.forwardings[$0] == nil ? nil : self.lastID($0) }
        switch step {
        case .insert, .edit: state.memos[id] = renamed.memos[id]
        case .append, .refer: state = changed
        case .file(let folder, _): state.folders[folder] = renamed.folders[folder]
        }
    }

    /// The identifier at the end of the replacements of another one.
    func lastID(_ id: String) -> String { forwardings[id].map(lastID) ?? id }

    /// The memo that is read under an identifier.
    func memo(_ id: String, in state: IdentifierState) -> Memo? {
        state.memos[id] ?? forwardings[id].flatMap { memo($0, in: state) }
    }

    /// The identifier that stands for another one.
    private func currentID(_ id: String) -> String {
        let visible = visible
        var id = id
        while visible.memos[id] == nil, let next = forwardings[id] { id = next }
        return id
    }

    /// Whether an identifier was replaced and has an entity again.
    func isUsedAgain(_ id: String) -> Bool { forwardings[currentID(id)] != nil }

    /// Whether a change of a folder isn't confirmed.
    func isPending(_ folder: Int) -> Bool { layers.contains { $0.key == "folder \(folder)" } }

    /// Notes a write for the mutations that didn't know it when they were sent.
    private mutating func noteWrite(_ id: String, _ new: Memo?, isMoved: Bool = false) {
        writes += 1
        written[id] = writes
        let isOwn = confirming?.before[id] != nil
        let number = isOwn ? confirming?.number ?? .max : .max
        let count = layers.count
        if new == nil {
            layers.removeAll { $0.isSettled && $0.key == "memo \(id)" && $0.number < number }
            if !isMoved && confirmed.memos[id] == nil && layers.count == count { return }
        }
        for place in layers.indices where layers[place].key == "memo \(id)" && layers[place].number < number {
            guard sent[layers[place].number] != nil else { continue }
            if layers[place].base == nil { layers[place].base = .some(confirmed.memos[id]) }
            layers[place].isRemoved = new == nil && !isMoved
            if layers[place].answer != nil { layers[place].answer = new }
        }
    }

    /// Notes that mutations were sent.
    mutating func noteSent(_ numbers: [UInt64]) {
        for number in numbers where sent[number] == nil { sent[number] = writes }
    }

    mutating func set(_ memo: Memo) {
        noteWrite(memo.id, memo)
        if confirmed.memos.updateValue(memo, forKey: memo.id) == nil { order.append(memo.id) }
    }

    mutating func update(_ id: String, _ change: (inout Memo) -> Void) {
        let id = currentID(id)
        if var memo = confirmed.memos[id] {
            change(&memo)
            set(memo)
        }
    }

    mutating func remove(_ id: String) {
        order.removeAll { $0 == id }
        let isSettled = layers.contains { $0.isSettled && $0.key == "memo \(id)" } && visible.memos[id] != nil
        let isStored = confirmed.memos[id] != nil || isSettled
        noteWrite(id, nil)
        confirmed.memos[id] = nil
        if isStored { return }
        let current = currentID(id)
        if current != id { remove(current) }
    }

    mutating func replace(_ id: String, with memo: Memo) {
        set(memo)
        let (old, new) = (currentID(id), memo.id)
        if old == new { return }
        if confirmed.memos[old] != nil, let place = order.firstIndex(of: old) {
            // A memo that was stored before keeps its place.
            if order.last == new, !wasStored(new) { order.removeLast() }
            if order.contains(new) { order.remove(at: place) } else { order[place] = new }
        }
        noteWrite(old, nil, isMoved: true)
        confirmed.memos[old] = nil
        forwardings[new] = nil
        forwardings[old] = new
        let before = confirmed.memos
        confirmed.rename { $0 == old ? new : nil }
        for (id, memo) in confirmed.memos where memo != before[id] && id != new {
            noteChange(of: id, from: before[id], to: memo, after: 0)
            writes += 1
            written[id] = writes
        }
        for place in layers.indices where layers[place].id == old { layers[place].id = new }
        layers.sort { $0.number < $1.number }
        for (first, key) in observed where key == old { observed[first] = new }
        if observed[old] == nil { observed[old] = new }
        stored = Set(confirmed.memos.keys)
        confirmSettled()
    }

    /// The memos after the last step.
    private var stored: Set<String> = []

    private func wasStored(_ id: String) -> Bool { stored.contains(id) }

    /// Notes the end of a step.
    mutating func noteStep() { stored = Set(confirmed.memos.keys) }

    mutating func begin(_ number: UInt64, _ steps: [IdentifierStep]) {
        layers += steps.map { step in
            let id = if case .edit(let id, _) = step { currentID(id) } else { step.memoID ?? "" }
            return IdentifierLayer(number: number, step: step, id: id)
        }
    }

    /// - Parameters:
    ///   - answer: The answer of the server, or `nil` if the mutation has failed.
    ///   - inserted: The temporary identifier of the inserted memo.
    mutating func end(_ number: UInt64, _ answer: Memo?, _ inserted: String?) {
        guard let answer else {
            layers.removeAll { $0.number == number }
            return confirmSettled()
        }
        let ended = layers.filter { $0.number == number }
        let delayed = Set(
            ended.map(\.key).filter { key in layers.contains { $0.key == key && $0.number < number } }
        )
        confirming = (number, [:])
        for layer in ended where layer.step.memoID != nil && confirming?.before[layer.id] == nil {
            confirming?.before[layer.id] = (confirmed.memos[layer.id], layer)
        }
        layers.removeAll { $0.number == number && !delayed.contains($0.key) }
        for place in layers.indices where layers[place].number == number { layers[place].isSettled = true }
        for layer in ended where !delayed.contains(layer.key) { confirm(layer) }
        if let inserted {
            replace(inserted, with: answer)
        } else if let own = confirming?.before[answer.id] {
            if !own.layer.isRemoved {
                var kept = answer
                if let base = own.layer.base, let before = own.memo, let base = base ?? own.layer.step.inserted {
                    kept = answer.with(base, before, from: before)
                }
                let old = own.memo
                set(kept)
                if !delayed.contains("memo \(answer.id)") {
                    noteChange(of: answer.id, from: old, to: kept, after: number)
                }
                for place in layers.indices where layers[place].number == number && layers[place].id == answer.id {
                    layers[place].answer = kept
                }
            }
        } else if written[answer.id, default: 0] <= sent[number, default: 0] {
            set(answer)
        }
        confirming = nil
        confirmSettled()
    }

    /// Makes a confirmed change, which keeps what others have written since the mutation was sent.
    private mutating func confirm(_ layer: IdentifierLayer) {
        guard layer.step.memoID != nil else { return make(layer.step, layer.id, in: &confirmed) }
        if layer.isRemoved { return }
        let own = confirming?.before[layer.id]
        let before = own?.memo ?? confirmed.memos[layer.id]
        let old = confirmed.memos[layer.id]
        show(layer, in: &confirmed)
        guard let changed = confirmed.memos[layer.id] else { return }
        if layer.answer == nil, let base = (own?.layer ?? layer).base, let before,
            let base = base ?? layer.step.inserted
        {
            confirmed.memos[layer.id] = changed.with(base, before, from: before)
        }
        writes += 1
        written[layer.id] = writes
        noteChange(of: layer.id, from: old, to: confirmed.memos[layer.id], after: layer.number)
    }

    /// Notes the change of an earlier mutation, which isn't one of others for those after it.
    private mutating func noteChange(of id: String, from old: Memo?, to new: Memo?, after number: UInt64) {
        guard let old, let new else { return }
        for place in layers.indices where layers[place].key == "memo \(id)" && layers[place].number > number {
            guard let noted = layers[place].base, let base = noted else { continue }
            layers[place].base = .some(base.with(old, new, from: new))
        }
    }

    /// Makes the confirmed changes that don't wait for earlier ones any more.
    private mutating func confirmSettled() {
        while let place = layers.firstIndex(where: { layer in
            layer.isSettled && !layers.contains { $0.key == layer.key && !$0.isSettled && $0.number < layer.number }
        }) {
            confirm(layers.remove(at: place))
        }
    }
}
