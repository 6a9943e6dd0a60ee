internal import Dispatch
internal import FlatCache

/// A type that a store keeps, without its static type.
///
/// Only the queue of the store uses it, except for restoring, which several threads do at once.
protocol StoredType: AnyObject, Sendable {
    var type: any Storable.Type { get }

    /// Reads the schema that the store has, or begins with an empty one.
    func readSchema(from store: any EntityStore) throws

    /// Uses the schema that the store has, or an empty one if it has none.
    func useSchema(_ schema: StoredSchema?)

    /// Begins to record the changes in a cache.
    ///
    /// - Parameters:
    ///   - recorder: What records them.
    ///   - cache: The cache.
    ///   - hasMore: Whether the store has entities that aren't in memory.
    func record(in recorder: ChangeRecorder, of cache: FlatCache, hasMore: Bool)

    /// The last place in the order of insertion of some entities.
    func lastOrdinal(of records: [StoredRecord]) -> UInt64

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

    /// Stores lists and references in a new cache.
    ///
    /// - Returns: The errors of those that can't be read.
    func restore(lists: [StoredRecord], references: [StoredRecord], in cache: FlatCache) -> [StoreError]

    /// Makes the parts of a batch from the changes.
    ///
    /// - Parameters:
    ///   - changes: The changes of the cache.
    ///   - report: A closure that receives the errors of entities that can't be encoded.
    func parts(of changes: RecordedChanges, _ report: @escaping (StoreError) -> Void) -> () -> StoreBatch.Part?

    /// Notes that the store has the schema of the last parts.
    func noteWritten()

    /// Changes entities as another process has changed them.
    ///
    /// - Returns: The errors of those that can't be read.
    func apply(_ part: StoreBatch.Part, in commit: StoreCommit) -> [StoreError]
}
