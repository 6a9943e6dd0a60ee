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

/// The confirmed state, the layers over it, and the replacements, in the plainest way.
struct IdentifierModel {
    var confirmed = IdentifierState()
    /// The keys of the observers, by the identifiers with which they began.
    private(set) var observed: [String: String] = [:]
    /// The memos in the order of insertion, without layers.
    private(set) var order: [String] = []
    private var forwardings: [String: String] = [:]
    private var layers: [(number: UInt64, steps: [(step: IdentifierStep, id: String)])] = []

    var visible: IdentifierState {
        var state = confirmed
        for layer in layers {
            for (step, id) in layer.steps { make(step, id, in: &state) }
        }
        return state
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

    mutating func set(_ memo: Memo) {
        if confirmed.memos.updateValue(memo, forKey: memo.id) == nil { order.append(memo.id) }
    }

    mutating func update(_ id: String, _ change: (inout Memo) -> Void) {
        let id = currentID(id)
        if var memo = confirmed.memos[id] {
            change(&memo)
            confirmed.memos[id] = memo
        }
    }

    mutating func remove(_ id: String) {
        order.removeAll { $0 == id }
        if confirmed.memos.removeValue(forKey: id) != nil { return }
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
        confirmed.memos[old] = nil
        forwardings[new] = nil
        forwardings[old] = new
        confirmed.rename { $0 == old ? new : nil }
        for layer in layers.indices {
            for step in layers[layer].steps.indices where layers[layer].steps[step].id == old {
                layers[layer].steps[step].id = new
            }
        }
        for (first, key) in observed where key == old { observed[first] = new }
        if observed[old] == nil { observed[old] = new }
        stored = Set(confirmed.memos.keys)
    }

    /// The memos after the last step.
    private var stored: Set<String> = []

    private func wasStored(_ id: String) -> Bool { stored.contains(id) }

    /// Notes the end of a step.
    mutating func noteStep() { stored = Set(confirmed.memos.keys) }

    mutating func begin(_ number: UInt64, _ steps: [IdentifierStep]) {
        let current = steps.map { step in
            if case .edit(let id, _) = step { (step, currentID(id)) } else { (step, step.memoID ?? "") }
        }
        layers.append((number, current))
    }

    /// - Parameters:
    ///   - answer: The answer of the server, or `nil` if the mutation has failed.
    ///   - inserted: The temporary identifier of the inserted memo.
    mutating func end(_ number: UInt64, _ answer: Memo?, _ inserted: String?) {
        guard let place = layers.firstIndex(where: { $0.number == number }) else { return }
        guard let answer else {
            layers.remove(at: place)
            return
        }
        for (step, id) in layers[place].steps { make(step, id, in: &confirmed) }
        layers.remove(at: place)
        if let inserted { replace(inserted, with: answer) } else { set(answer) }
    }
}
