/// A write in the model.
struct ModelWrite {
    let key: ModelKey
    let content: Int?
    /// Whether it is merged with the stored entity.
    let isMerged: Bool

    /// A replacement of an entity, or a removal.
    init(_ key: ModelKey, _ content: Int?) {
        self.key = key
        self.content = content
        isMerged = false
    }

    /// A whole entity that comes in.
    init(incoming entity: ModelEntity) {
        key = entity.key
        content = entity.content
        isMerged = entity.key.kind.isMerged
    }

    /// Whether it replaces the stored content.
    func isStored(over stored: Int?) -> Bool {
        guard isMerged, let stored, let content else { return true }
        return content >= stored
    }
}

/// A cache as simple as it can be: entities by key, and the pending changes of each observer.
struct CacheModel {
    typealias State = [Int?]

    /// The content of each stored entity.
    private(set) var committed: State = Array(repeating: nil, count: ModelKey.count)
    /// The commit that changed a key last, and the one that wrote it last, be it with what was there.
    private(set) var lastChange = Array(repeating: 0, count: ModelKey.count)
    private(set) var lastWrite = Array(repeating: 0, count: ModelKey.count)
    private(set) var commitCount = 0
    var observers: [ModelObserver] = []
    /// What is running on the thread, the innermost last.
    private(set) var scopes: [Scope] = []

    /// What code reads and where it writes.
    enum Scope {
        /// The current state, commit by commit: outside of everything, in callbacks, and in an update inside of a read.
        case current
        /// The state with which a read began.
        case snapshot(State)
        case transaction(Transaction)
    }

    /// A running transaction.
    struct Transaction {
        let base: State
        let baseCommit: Int
        var view: State
        var written = ModelKeys()
        var read = ModelKeys()
        /// The contents that come in under a key and are merged by the commit.
        var merged: [ModelKey: [Int]] = [:]

        /// What a nested transaction that throws must bring back.
        struct Undo {
            let view: State
            fileprivate let written: ModelKeys
            fileprivate let merged: [ModelKey: [Int]]
        }

        var undo: Undo { Undo(view: view, written: written, merged: merged) }

        mutating func undo(to undo: Undo) {
            view = undo.view
            written = undo.written
            merged = undo.merged
        }

        mutating func write(_ write: ModelWrite) {
            let key = write.key
            // The content that was read or written is known, so its merge is known too.
            if write.isMerged && !written.contains(key) && !read.contains(key) {
                if let content = write.content { merged[key, default: []].append(content) }
            } else if write.isStored(over: view[key.index]) {
                merged[key] = nil
                written.insert(key)
            }
            if write.isStored(over: view[key.index]) { view[key.index] = write.content }
        }

        /// The writes of the commit.
        var writes: [ModelWrite] {
            let incoming = merged.sorted { $0.key.index < $1.key.index }.flatMap { key, contents in
                contents.map { ModelWrite(incoming: ModelEntity(key: key, content: $0)) }
            }
            return written.elements.map { ModelWrite($0, view[$0.index]) } + incoming
        }
    }

    /// Whether an observer hears of a write.
    static func isChange(of key: ModelKey, from old: Int?, to new: Int?) -> Bool {
        old != new || new != nil && !key.kind.isEquatable
    }
}

// MARK: Reading and writing

extension CacheModel {
    /// The transaction that the running code is in.
    var transaction: Transaction? {
        get {
            if case .transaction(let transaction) = scopes.last { transaction } else { nil }
        }
        set {
            guard let newValue, transaction != nil else { return }
            scopes[scopes.count - 1] = .transaction(newValue)
        }
    }

    /// Whether the running code is in a transaction, or in a callback in one.
    var isSomewhereInTransaction: Bool { scopes.contains { if case .transaction = $0 { true } else { false } } }

    /// Whether the running code is in a read, or in something in one that isn't part of it.
    var isSomewhereInSnapshot: Bool { scopes.contains { if case .snapshot = $0 { true } else { false } } }

    var isInSnapshot: Bool {
        if case .snapshot = scopes.last { true } else { false }
    }

    mutating func push(_ scope: Scope) { scopes.append(scope) }

    private mutating func pop() { scopes.removeLast() }

    /// Leaves what was begun since there were so many scopes.
    mutating func popScopes(to count: Int) { scopes.removeLast(scopes.count - count) }

    /// Begins a transaction on the current state.
    mutating func pushTransaction() {
        push(.transaction(Transaction(base: committed, baseCommit: commitCount, view: committed)))
    }

    /// What the running code reads of some keys.
    mutating func read(_ keys: ModelKeys) -> State {
        switch scopes.last {
        case .transaction(let transaction):
            self.transaction?.read = transaction.read.union(keys.subtracting(transaction.written))
            return transaction.view
        case .snapshot(let state): return state
        case .current, nil: return committed
        }
    }

    mutating func read(_ key: ModelKey) -> Int? { read(ModelKeys([key]))[key.index] }

    /// The entity that an update of the running code gets: never that of a read around it.
    mutating func readForUpdate(_ key: ModelKey) -> Int? {
        isInSnapshot ? committed[key.index] : read(key)
    }

    /// Writes what belongs together; the later of two writes of one key counts.
    ///
    /// - Returns: The observers of what is committed.
    mutating func write(_ writes: [ModelWrite]) -> [Int] {
        guard var transaction else { return commit(writes) }
        for write in writes { transaction.write(write) }
        self.transaction = transaction
        return []
    }

    /// Stores entities that come in, and are merged with those that are stored.
    mutating func write(_ entities: [ModelEntity]) -> [Int] { write(entities.map(ModelWrite.init(incoming:))) }

    /// Removes what is stored under a key; in a transaction that is a read, and a write only if something is there.
    mutating func remove(_ key: ModelKey) -> (content: Int?, observers: [Int]) {
        let content = readForUpdate(key)
        return (content, content == nil ? [] : write([ModelWrite(key, nil)]))
    }

    mutating func removeAll(_ keys: ModelKeys) -> [Int] { write(keys.elements.map { ModelWrite($0, nil) }) }

    /// Ends the innermost transaction with a commit.
    ///
    /// - Parameter keep: Gets the model as it is without the commit.
    mutating func commitTransaction(_ keep: (CacheModel) -> Void) -> [Int] {
        guard let transaction else { return [] }
        pop()
        keep(self)
        return commit(transaction.writes)
    }

    /// Whether the innermost transaction is out of date, so that it has to run again instead of being committed.
    var mustRunAgain: Bool {
        guard let transaction else { return false }
        let (base, view) = (transaction.base, transaction.view)
        // What changes nothing is as if it had run when it began.
        let isChanged =
            transaction.written.elements.contains { base[$0.index] != nil || view[$0.index] != nil }
            || transaction.merged.contains { key, contents in contents.contains { $0 >= committed[key.index] ?? $0 } }
        guard isChanged else { return false }
        return transaction.read.elements.contains { base[$0.index] != committed[$0.index] }
    }

    /// Whether the innermost transaction may be out of date: something was committed since it began.
    var mayRunAgain: Bool { transaction.map { $0.baseCommit != commitCount } ?? false }

    private mutating func commit(_ writes: [ModelWrite]) -> [Int] {
        let before = committed
        var written = ModelKeys()
        for write in writes where write.isStored(over: committed[write.key.index]) {
            committed[write.key.index] = write.content
            written.insert(write.key)
        }
        guard !written.isEmpty else { return [] }
        commitCount += 1
        for key in written.elements {
            lastWrite[key.index] = commitCount
            if Self.isChange(of: key, from: before[key.index], to: committed[key.index]) {
                lastChange[key.index] = commitCount
            }
        }
        return notify(written.elements, before)
    }

    private mutating func notify(_ written: [ModelKey], _ before: State) -> [Int] {
        var notified: [Int] = []
        for number in observers.indices where observers[number].isActive {
            let watched = written.filter(observers[number].keys.contains)
            for key in watched {
                let (old, new) = (before[key.index], committed[key.index])
                observers[number].fold(key, from: old, to: new, commit: commitCount)
            }
            // A key that was missing and still is notifies nobody, not even of what is pending.
            let isNotified = watched.contains { before[$0.index] != nil || committed[$0.index] != nil }
            observers[number].derived?.update(committed)
            if isNotified { notified.append(number) }
        }
        return notified
    }
}
