/// The reason why a handle could not store an entity.
@frozen  // So that a switch over all cases is one with library evolution, too.
public enum HandleError: Error, Hashable, Sendable {
    /// The identifier of the entity differs from the handle's, so the handle would not refer to the entity.
    ///
    /// - Parameters:
    ///   - handle: The key of the handle.
    ///   - entity: The key of the entity.
    case otherIdentifier(handle: FlatCacheKey, entity: FlatCacheKey)

    /// The cache of the handle is deallocated.
    case cacheGone(FlatCacheKey)
}

extension HandleError: CustomStringConvertible {
    /// A message that describes the problem and the remedy.
    public var description: String {
        switch self {
        case .otherIdentifier(let handle, let entity):
            """
            The handle of \(handle) can't store \(entity). Store it by 'cache.set(_:)', and make a handle of its own for it \
            with 'Cached(_:in:)'
            """
        case .cacheGone(let key):
            """
            \(key) can't be stored, because the cache of its handle is deallocated. Keep the cache for as long as its handles \
            are used
            """
        }
    }
}
