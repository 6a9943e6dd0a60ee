/// Why a handle could not store an entity.
@frozen  // So that a switch over all cases is one with library evolution, too.
public enum HandleError: Error, Hashable, Sendable {
    /// The entity has another identifier than the handle, which would go on without it.
    ///
    /// - Parameters:
    ///   - handle: The key of the handle.
    ///   - entity: The key of the entity.
    case otherIdentifier(handle: FlatCacheKey, entity: FlatCacheKey)

    /// The cache of the handle is gone.
    case cacheGone(FlatCacheKey)
}

extension HandleError: CustomStringConvertible {
    /// What went wrong, and what to do about it.
    public var description: String {
        switch self {
        case .otherIdentifier(let handle, let entity):
            """
            The handle of \(handle) can't store \(entity). Store it by 'cache.set(_:)', and make a handle of its own for it \
            with 'Cached(_:in:)'
            """
        case .cacheGone(let key):
            "\(key) can't be stored, because the cache of its handle is gone. Keep the cache for as long as its handles are used"
        }
    }
}
