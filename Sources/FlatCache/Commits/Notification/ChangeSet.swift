/// What one commit, or several folded into one, changed among the keys that an observer watches.
///
///     for await changes in cache.changes(of: timeline.map(\.flatCacheKey)) {
///         reload(changes.updated)
///         delete(changes.removed)
///     }
///
/// A change set holds the net change: a key is in at most one of the sets, and in none when its entity ended as it began.
/// Later versions may add sets, such as one of evicted entities; ``keys`` has the keys of all.
public struct ChangeSet: Hashable, Sendable {
    /// Whether this is the state with which observation begins, with what was committed since: the keys that are stored are
    /// ``inserted``.
    public internal(set) var isInitial = false

    /// The keys whose entities were missing and are there now.
    public internal(set) var inserted: Set<FlatCacheKey> = []

    /// The keys whose entities were replaced by other values.
    public internal(set) var updated: Set<FlatCacheKey> = []

    /// The keys whose entities were there and are missing now.
    public internal(set) var removed: Set<FlatCacheKey> = []

    /// The revision of the newest commit of which the observer was notified.
    ///
    /// The change sets of one observer never have falling revisions.
    public internal(set) var revision: UInt64

    /// All changed keys.
    public var keys: Set<FlatCacheKey> { inserted.union(updated).union(removed) }

    /// Whether nothing has changed.
    public var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && removed.isEmpty }

    /// Returns whether the entity of a key has changed in any way.
    ///
    /// - Parameter key: The key to look for.
    /// - Complexity: O(1).
    public func contains(_ key: FlatCacheKey) -> Bool {
        inserted.contains(key) || updated.contains(key) || removed.contains(key)
    }
}
