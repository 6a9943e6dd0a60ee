public import FlatCache

/// An entity with the name of one in FlatCacheTests.
public struct Post: Cachable, Equatable {
    public let id: String
    public var homonym: String

    public init(id: String, homonym: String) {
        self.id = id
        self.homonym = homonym
    }
}
