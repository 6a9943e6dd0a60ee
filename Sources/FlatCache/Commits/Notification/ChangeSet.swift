/// The changes of one commit, or of several folded into one, to the observed keys.
///
///     for await changes in cache.changes(of: timeline.map(\.flatCacheKey)) {
///         reload(changes.updated)
///         delete(changes.removed)
///     }
///
/// A change set holds the net change. A key is in at most one of the sets. It is in none if its entity is equal before
/// and after. Later versions may add sets. ``keys`` has the keys of all sets.
public struct ChangeSet: Hashable, Sendable {
    /// Whether this is the initial state of the observation, in which the keys of stored entities are ``inserted``.
    public internal(set) var isInitial = false

    /// The keys whose entities were missing and are now stored.
    public internal(set) var inserted: Set<FlatCacheKey> = []

    /// The keys whose entities were replaced by other values.
    public internal(set) var updated: Set<FlatCacheKey> = []

    /// The keys whose entities were stored and are now missing, because they were removed.
    public internal(set) var removed: Set<FlatCacheKey> = []

    /// The keys whose entities were stored and are now missing from memory, because of a limit or of
    /// ``FlatCache/collect(keeping:)``.
    ///
    /// An entity whose key is observed isn't evicted, so the set is empty in this version. ``TypeChanges/evicted`` has the
    /// entities.
    public internal(set) var evicted: Set<FlatCacheKey> = []

    /// The revision of the newest commit that the observer was notified of.
    ///
    /// The revision of a change set is never lower than that of the one before. It can be the same, because commits of different
    /// keys may reach an observer in another order.
    public internal(set) var revision: UInt64

    var commitOrigins = CommitOrigins()

    /// All changed keys.
    public var keys: Set<FlatCacheKey> { inserted.union(updated).union(removed).union(evicted) }

    /// Whether no key has changed.
    public var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && removed.isEmpty && evicted.isEmpty }

    /// Returns whether the entity of a key has changed.
    ///
    /// - Parameter key: The key to look for.
    /// - Complexity: O(1).
    public func contains(_ key: FlatCacheKey) -> Bool {
        inserted.contains(key) || updated.contains(key) || removed.contains(key) || evicted.contains(key)
    }
}

extension ChangeSet: CustomStringConvertible, CustomReflectable {
    /// A line with the numbers of keys: `ChangeSet: 1 inserted, 2 updated, revision 7`.
    public var description: String {
        Summary.line(
            "ChangeSet",
            nil,
            [isInitial ? "initial" : nil]
                + Summary.changes(inserted.count, updated.count, removed.count, evicted.count, revision)
        )
    }

    /// The keys.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: ["inserted": inserted, "updated": updated, "removed": removed, "evicted": evicted]
        )
    }
}

extension Summary {
    /// The numbers of changes of each kind, and the revision.
    static func changes(
        _ inserted: Int,
        _ updated: Int,
        _ removed: Int,
        _ evicted: Int,
        _ revision: UInt64
    ) -> [String?] {
        let counts = [("inserted", inserted), ("updated", updated), ("removed", removed), ("evicted", evicted)]
        let facts = counts.filter { $0.1 > 0 }.map { count($0.1, $0.0, $0.0) }
        return (facts.isEmpty ? ["no changes"] : facts) + ["revision \(revision)"]
    }
}
