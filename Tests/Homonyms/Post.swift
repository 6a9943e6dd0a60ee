public import FlatCache

/// An entity with the name of one in FlatCacheTests.
public struct Post: Cachable, Equatable {
    /// The identifier.
    public let id: String
    /// Distinguishes the entity from its namesakes.
    public var homonym: String

    /// Creates an entity.
    public init(id: String, homonym: String) {
        self.id = id
        self.homonym = homonym
    }
}
