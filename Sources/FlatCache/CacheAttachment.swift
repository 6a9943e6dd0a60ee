internal import Synchronization

/// What another module attaches to a cache: the connection to its store.
package protocol CacheConnection: AnyObject, Sendable {
    /// Whether the entities of a type are loaded when they are asked for.
    func loadsOnDemand<Value: Cachable>(_ type: Value.Type) -> Bool

    /// Whether the store writes what changes.
    var isWriting: Bool { get }

    /// Whether the entities of a type may be on disk.
    func mayKeep<Value: Cachable>(_ type: Value.Type) -> Bool

    /// The key of an entity, as the store keeps it, or `nil` if the identifier can't be encoded.
    func storedKey(of key: FlatCacheKey) -> StoredKey?

    /// Loads entities that are on disk, unless they are in memory.
    ///
    /// Errors are reported to the handler of the app, and the entities are as missing as others.
    ///
    /// - Parameters:
    ///   - type: The type of the entities.
    ///   - ids: The identifiers, each once.
    ///   - endsIfCancelled: Whether the wait ends when the task is cancelled. Then the entities may be loaded later.
    ///   - isolation: The actor of the caller.
    func loadStored<Value: Cachable>(
        _ type: Value.Type,
        ids: [Value.ID],
        endsIfCancelled: Bool,
        isolation: isolated (any Actor)?
    ) async

    /// Registers types of mutations, and begins those again that an earlier process has begun.
    ///
    /// - Returns: Whether mutations of all these types are stored.
    func register(mutations types: [any StorableMutation.Type], in cache: FlatCache) -> Bool

    /// Ends all work, because the cache is deallocated.
    func closeSoon()
}

/// The connection of a cache, which is set at most once.
///
/// It is a class because `LazyReference` requires one.
final class CacheAttachment: Sendable {
    let connection: any CacheConnection

    init(_ connection: any CacheConnection) {
        self.connection = connection
    }
}

extension FlatCache {
    /// The connection to the store of the cache, or `nil` if it has none.
    package var connection: (any CacheConnection)? { attachment.load()?.connection }

    /// Whether a store may have entities of a type that aren't in memory.
    @usableFromInline func mayHaveStored<Value: Cachable>(_ type: Value.Type) -> Bool {
        guard let connection else { return false }
        return connection.loadsOnDemand(type) || hasEvicted(type) && connection.mayKeep(type)
    }

    /// Sets the connection of a cache that has none.
    package func connect(_ connection: any CacheConnection) { _ = attachment.storeIfNil(CacheAttachment(connection)) }
}
