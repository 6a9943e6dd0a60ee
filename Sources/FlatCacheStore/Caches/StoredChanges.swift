public import FlatCache

/// The changes of a cache that a store takes, for code that is specialized for a type.
public struct _StoredChanges {
    @usableFromInline let changes: RecordedChanges

    init(_ changes: RecordedChanges) {
        self.changes = changes
    }
}

/// The changed entities of a type.
public struct _ChangedEntities<Value: Cachable> {
    let entities: RecordedPart<ChangedEntity<Value>>

    @usableFromInline init(_ entities: RecordedPart<ChangedEntity<Value>>) {
        self.entities = entities
    }
}
