/// The indexes of a table, which commits keep current.
///
/// Another part of the library has the subclass. Its objects are constant: a table gets another one with each new index.
@usableFromInline
class TableIndexes: @unchecked Sendable {
    /// The comparisons of the keys of all indexes, or `nil` if one of them may run user code.
    @usableFromInline final let comparisons: [KeyComparison]?

    init(_ comparisons: [KeyComparison]?) {
        self.comparisons = comparisons
    }

    /// Whether a commit that replaces an entity in memory by another one changes no index.
    ///
    /// It may run user code, so no lock may be held.
    func areKept(from old: UnsafeRawPointer, to new: UnsafeRawPointer) -> Bool { false }
}

/// Returns whether two entities in memory have equal keys of an index.
///
/// It runs no user code, so a lock may be held.
@usableFromInline typealias KeyComparison = @Sendable (UnsafeRawPointer, UnsafeRawPointer) -> Bool

extension EntityTable {
    /// Whether commits compare the keys of entities while a lock is held, and not before.
    @usableFromInline var comparesKeysUnderLock: Bool {
        if let indexes, case .none = indexes.comparisons { false } else { true }
    }

    /// Whether a commit that replaces the entity of a slot in a locked shard changes no index.
    ///
    /// It is `false` if keys can't be compared under the lock.
    ///
    /// - Parameter new: The memory of the new entity, or `nil` if it is removed.
    @usableFromInline func keepsKeys(of slot: Slot, inMemory new: UnsafeRawPointer?) -> Bool {
        guard let indexes else { return true }
        guard let new, let comparisons = indexes.comparisons, slot.isStored else { return false }
        let old = UnsafeRawPointer(slot.header) + layout.entityOffset
        for areEqual in comparisons where !areEqual(old, new) { return false }
        return true
    }
}

extension Table {
    /// Whether a commit that replaces or removes the entity of a slot in a locked shard changes no index.
    @inlinable func keepsKeys(of slot: Slot, in value: Value?) -> Bool {
        guard case .some = value else { return keepsKeys(of: slot, inMemory: nil) }
        // The value of an optional begins at the address of the optional.
        return withUnsafePointer(to: value) { keepsKeys(of: slot, inMemory: UnsafeRawPointer($0)) }
    }
}
