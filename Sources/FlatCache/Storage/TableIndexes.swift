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
}

/// Returns whether two entities in memory have equal keys of an index.
///
/// It runs no user code, so a lock may be held.
@usableFromInline typealias KeyComparison = @Sendable (UnsafeRawPointer, UnsafeRawPointer) -> Bool

extension Table {
    /// Whether commits compare the keys of entities while a lock is held, and not before.
    @inlinable var comparesKeysUnderLock: Bool {
        if let indexes, case .none = indexes.comparisons { false } else { true }
    }

    /// Whether a commit that replaces the entity of a slot in a locked shard changes no index.
    ///
    /// It is `false` if keys can't be compared under the lock.
    @inlinable func keepsKeys(of slot: Slot, in value: Value) -> Bool {
        guard let indexes else { return true }
        guard let comparisons = indexes.comparisons, slot.isStored else { return false }
        let old = UnsafeRawPointer(slot.address(of: Value.self))
        return withUnsafePointer(to: value) { new in
            for areEqual in comparisons where !areEqual(old, UnsafeRawPointer(new)) { return false }
            return true
        }
    }
}
