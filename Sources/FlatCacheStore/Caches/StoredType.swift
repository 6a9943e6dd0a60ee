internal import Dispatch
internal import FlatCache

/// What a store has changed, decoded.
struct StoredNews {
    /// Makes the changes.
    let apply: (StoreCommit) -> Void
    /// Notes when the entities were written that a commit at a revision has stored.
    var noteAges: (_ cache: FlatCache, _ revision: UInt64, _ time: UInt64) -> Void = { _, _, _ in }
    /// The errors of what can't be read.
    var errors: [StoreError] = []
}

/// A type that a store keeps, without its static type.
///
/// Only the queue of the store uses it, except for restoring, which several threads do at once.
protocol StoredType: AnyObject, Sendable {
    var type: any Storable.Type { get }

    /// Whether entities stay on disk until they are fetched.
    var isOnDemand: Bool { get set }

    /// Reads the schema that the store has, or begins with an empty one.
    func readSchema(from store: any EntityStore) throws

    /// Uses the schema that the store has, or an empty one if it has none.
    func useSchema(_ schema: StoredSchema?)

    /// Notes the time of a write that the store has, as in ``EntityHeader/stamp``.
    func noteStamp(_ stamp: UInt64)

    /// Begins to record the changes in a cache.
    func record(in recorder: ChangeRecorder, of cache: FlatCache)

    /// Begins to distinguish loaded entities from written ones, in a cache whose changes aren't recorded.
    func followLoads(in cache: FlatCache)

    /// Stores entities in a new cache.
    ///
    /// - Parameters:
    ///   - records: The entities.
    ///   - cache: The cache.
    ///   - time: The current time in milliseconds since 1970.
    /// - Returns: The errors of the entities that can't be read.
    func restore(_ records: [StoredRecord], in cache: FlatCache, at time: UInt64) -> [StoreError]

    /// Stores entities that aren't in memory.
    ///
    /// - Parameters:
    ///   - ids: The identifiers, an array of the type's.
    ///   - store: The store, which has all changes up to a revision.
    ///   - cache: The cache.
    ///   - revision: The revision. Later changes remain.
    ///   - time: The current time in milliseconds since 1970.
    /// - Returns: The errors of the entities that can't be read.
    func load(
        _ ids: any Sendable,
        from store: any EntityStore,
        to cache: FlatCache,
        at revision: UInt64,
        time: UInt64
    ) throws -> [StoreError]

    /// Adds the entities that only the store has to removed ones of the type.
    func complete(_ removals: any ErasedNotedRemovals, from store: any EntityStore) throws

    /// Applies delete rules to entities that refer to removed ones and that only the store has.
    ///
    /// - Parameters:
    ///   - removals: The removed entities, of all types.
    ///   - store: The store, which has all changes up to a revision.
    ///   - cache: The cache.
    ///   - revision: The revision. Later changes remain.
    ///   - time: The current time in milliseconds since 1970.
    /// - Returns: The errors of the entities that can't be read, to which no rule is applied.
    func reachOwners(
        of removals: [any ErasedNotedRemovals],
        from store: any EntityStore,
        in cache: FlatCache,
        at revision: UInt64,
        time: UInt64
    ) throws -> [StoreError]

    /// Notes that the store has entities that can't be read, and so aren't in memory.
    func noteUnreadable(in cache: FlatCache)

    /// Stores lists, references and the replacements of identifiers in a new cache.
    ///
    /// - Returns: The errors of those that can't be read.
    func restore(
        lists: [StoredRecord],
        references: [StoredRecord],
        replacements: [StoredRecord],
        mergeBases: [StoredRecord],
        in cache: FlatCache
    ) -> [StoreError]

    /// Makes the parts of a batch from the changes.
    ///
    /// - Parameters:
    ///   - changes: The changes of the cache.
    ///   - store: The store, which is read before the first part is made.
    ///   - report: A closure that receives the errors of entities that can't be encoded.
    func parts(
        of changes: RecordedChanges,
        in store: any EntityStore,
        _ report: @escaping (StoreError) -> Void
    ) throws -> () -> StoreBatch.Part?

    /// Notes that the store has the schema of the last parts.
    func noteWritten()

    /// Reads what another process has changed.
    ///
    /// - Parameter part: A part of a batch.
    func news(of part: StoreBatch.Part) -> StoredNews

    /// The records of the entities that are in memory, and of those that replace others.
    func recordsInMemory(
        of cache: FlatCache,
        replacing replacements: [StoredRecord],
        from store: any EntityStore
    ) throws -> [StoredRecord]

    /// Reads everything that a store has.
    func news(
        entities: [StoredRecord],
        lists: [StoredRecord],
        references: [StoredRecord],
        replacements: [StoredRecord],
        mergeBases: [StoredRecord]
    ) -> StoredNews

    /// Marks all entities in memory as stale if another process has done so.
    ///
    /// - Parameters:
    ///   - store: The store, whose schema is read.
    ///   - cache: The cache.
    func readNewSchema(from store: any EntityStore, in cache: FlatCache) throws
}
