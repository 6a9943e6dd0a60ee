import FlatCache

/// The change of which an observer of one key was notified, types erased.
struct NotifiedChange: Sendable, Equatable {
    var kind: ChangeKind
    var key: ModelKey?
    var value: Int?
    var oldValue: Int?
    var revision: UInt64

    init<Value: ModelledEntity>(_ change: EntityChange<Value>) {
        kind = change.kind
        key = Value.key(of: change.id)
        value = change.value?.content
        oldValue = change.oldValue?.content
        revision = change.revision
    }

    init(_ kind: ChangeKind, _ key: ModelKey, value: Int?, oldValue: Int?, revision: UInt64) {
        self.kind = kind
        self.key = key
        self.value = value
        self.oldValue = oldValue
        self.revision = revision
    }

    /// The change of which an observer of one key should be notified when this is pending.
    init(_ pending: ModelObserver.Pending, revision: UInt64) {
        self.init(pending.kind, pending.key, value: pending.new, oldValue: pending.old, revision: revision)
    }
}

/// The changes of which an observer of several keys was notified.
struct NotifiedChanges: Sendable, Equatable {
    var inserted = ModelKeys()
    var updated = ModelKeys()
    var removed = ModelKeys()
    var revision: UInt64

    init(_ changes: ChangeSet) {
        inserted = ModelKeys(changes.inserted.compactMap { ModelKey($0) })
        updated = ModelKeys(changes.updated.compactMap { ModelKey($0) })
        removed = ModelKeys(changes.removed.compactMap { ModelKey($0) })
        revision = changes.revision
    }

    /// The changes of which an observer of several keys should be notified when these are pending.
    init(_ pending: [ModelObserver.Pending], revision: UInt64) {
        for change in pending {
            switch change.kind {
            case .inserted: inserted.insert(change.key)
            case .removed: removed.insert(change.key)
            default: updated.insert(change.key)
            }
        }
        self.revision = revision
    }
}

extension ModelObserver.Pending {
    fileprivate var kind: ChangeKind { old == nil ? .inserted : new == nil ? .removed : .updated }
}
