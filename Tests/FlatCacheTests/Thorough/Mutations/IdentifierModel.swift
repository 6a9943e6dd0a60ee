@testable import FlatCache

/// Entities, a list and a reference.
struct IdentifierState: Equatable {
    var memos: [String: Memo] = [:]
    var folders: [Int: MemoFolder] = [:]
    var home: [String] = []
    var current: String?
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
}

/// The keys of a cache, and the replacements of identifiers, in the plainest way.
struct IdentifierModel {
    private(set) var memos: [String: KeyModel<Memo>] = [:]
    var folders: [Int: KeyModel<MemoFolder>]
    var home: KeyModel<[String]>
    var current: KeyModel<String>
    /// The keys of the observers, by the identifiers with which they began.
    private(set) var observed: [String: String] = [:]
    /// The memos in the order of insertion, without layers.
    private(set) var order: [String] = []
    private let history = IdentifierHistory()
    /// The memos after the last step.
    private var stored: Set<String> = []

    init() {
        let history = history
        folders = [0: KeyModel(history), 1: KeyModel(history)]
        home = KeyModel(history)
        current = KeyModel(history)
    }

    /// What readers see.
    var visible: IdentifierState {
        IdentifierState(
            memos: memos.compactMapValues(\.visible),
            folders: folders.compactMapValues(\.visible),
            home: home.visible ?? [],
            current: current.visible
        )
    }

    /// What transactions see.
    var confirmed: IdentifierState {
        IdentifierState(
            memos: memos.compactMapValues(\.confirmed),
            folders: folders.compactMapValues(\.confirmed),
            home: home.confirmed ?? [],
            current: current.confirmed
        )
    }

    func lastID(_ id: String) -> String { history.lastID(id) }

    /// The memo that is read under an identifier.
    func memo(_ id: String, in state: IdentifierState) -> Memo? {
        state.memos[id] ?? history.replacement(of: id).flatMap { memo($0, in: state) }
    }

    /// The identifier that stands for another one.
    private func currentID(_ id: String) -> String {
        var id = id
        while memos[id]?.visible == nil, let next = history.replacement(of: id) { id = next }
        return id
    }

    /// Whether an identifier was replaced and has an entity again.
    func isUsedAgain(_ id: String) -> Bool { history.replacement(of: currentID(id)) != nil }

    /// Notes that mutations were sent.
    func noteSent(_ numbers: [UInt64]) { history.noteSent(numbers) }

    /// Notes the end of a step.
    mutating func noteStep() { stored = Set(confirmed.memos.keys) }

}

/// The writes of others.
extension IdentifierModel {
    mutating func set(_ memo: Memo) {
        if memos[memo.id]?.confirmed == nil { order.append(memo.id) }
        memos[memo.id, default: KeyModel(of: memo.id, history)].write(memo)
    }

    mutating func update(_ id: String, _ change: (inout Memo) -> Void) {
        guard var memo = memos[currentID(id)]?.confirmed else { return }
        change(&memo)
        set(memo)
    }

    mutating func remove(_ id: String) {
        order.removeAll { $0 == id }
        let isStored = memos[id]?.confirmed != nil
        memos[id, default: KeyModel(of: id, history)].write(nil)
        if isStored { return }
        let current = currentID(id)
        if current != id { remove(current) }
    }

    mutating func replace(_ id: String, with memo: Memo) {
        set(memo)
        let (old, new) = (currentID(id), memo.id)
        if old == new { return }
        if memos[old]?.confirmed != nil, let place = order.firstIndex(of: old) {
            // A memo that was stored before keeps its place.
            if order.last == new, !stored.contains(new) { order.removeLast() }
            if order.contains(new) { order.remove(at: place) } else { order[place] = new }
        }
        memos[old, default: KeyModel(of: old, history)].write(nil, isMoved: true)
        history.noteReplacement(of: old, by: new)
        let moved = memos[old]?.removeLayers() ?? []
        memos[new]?.move(moved)
        rename { $0 == old ? new : nil }
        for (first, key) in observed where key == old { observed[first] = new }
        if observed[old] == nil { observed[old] = new }
        stored = Set(confirmed.memos.keys)
    }

    private mutating func rename(_ other: (String) -> String?) {
        let name = { other($0) ?? $0 }
        for id in memos.keys { memos[id]?.rename({ $0.renamed(other) }, name) }
        for id in folders.keys { folders[id]?.rename({ $0.renamed(other) }, name) }
        home.rename({ $0.renamed(other) }, name)
        current.rename(name, name)
    }
}

/// The mutations.
extension IdentifierModel {
    mutating func begin(_ number: UInt64, _ steps: [IdentifierStep]) {
        for step in steps { begin(number, step) }
        // It is sent later than those before it.
        _ = history.next()
    }

    private mutating func begin(_ number: UInt64, _ step: IdentifierStep) {
        let history = history
        func current(_ id: String) -> String? { history.replacement(of: id) == nil ? nil : history.lastID(id) }
        switch step {
        case .insert(let memo):
            memos[memo.id, default: KeyModel(of: memo.id, history)].add(number) { below, id in
                (below ?? (memo.id == id ? memo : nil))?.renamed(current)
            }
        case .edit(let id, let text):
            let id = currentID(id)
            memos[id, default: KeyModel(of: id, history)].add(number) { below, _ in
                var memo = below
                memo?.text += text
                return memo?.renamed(current)
            }
        case .append(let id):
            home.add(number) { below, _ in
                let (list, id) = (below ?? [], history.lastID(id))
                return list.contains(id) ? list : list + [id]
            }
        case .refer(let id): self.current.add(number) { _, _ in history.lastID(id) }
        case .file(let folder, let id):
            folders[folder]?.add(number) { below, _ in
                var folder = below
                folder?.arrayIDs.append(id)
                return folder?.renamed(current)
            }
        }
    }

    /// Whether others have removed the memo that a mutation has inserted, also after they have replaced its identifier.
    private func isRemoved(_ id: String, for number: UInt64) -> Bool {
        memos[id]?.isRemoved(for: number) == true
            || history.replacement(of: id).map { isRemoved($0, for: number) } == true
    }

    /// - Parameters:
    ///   - answer: The answer of the server, or `nil` if the mutation has failed.
    ///   - inserted: The temporary identifier of the inserted memo.
    mutating func end(_ number: UInt64, _ answer: Memo?, _ inserted: String?) {
        // Those that have waited for it are sent later.
        defer { _ = history.next() }
        guard let answer else {
            for id in memos.keys { memos[id]?.end(number) }
            for id in folders.keys { folders[id]?.end(number) }
            home.end(number)
            return current.end(number)
        }
        let isOwn = memos[answer.id]?.layers.contains { $0.number == number } == true
        let isRefused = inserted.map { isRemoved($0, for: number) } ?? false
        let isKnown = memos[answer.id]?.written ?? 0 > history.sent[number] ?? 0
        for id in memos.keys { memos[id]?.confirm(number, id == answer.id ? answer : nil) }
        for id in folders.keys { folders[id]?.confirm(number, nil) }
        home.confirm(number, nil)
        current.confirm(number, nil)
        if let inserted {
            if !isRefused { replace(inserted, with: answer) }
        } else if !isOwn && !isKnown {
            memos[answer.id, default: KeyModel(of: answer.id, history)].write(
                answer,
                knownAt: history.sent[number] ?? 0
            )
        }
    }
}
