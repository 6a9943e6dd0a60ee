public import FlatCache
public import FlatCacheStore

public struct Author: Cachable, Codable, Equatable, Storable {
    public static let storedName = "Author"
    public let id: String
    public var name: String
}

public struct Post: Cachable, Codable, Equatable, Storable {
    public static let storedName = "Post"
    public let id: String
    public var title: String
    // relationship: Author
    public var authorID: String
}

/// Uses the generated accessors, the cache and the store.
public func authors(of posts: CachedList<Post>, in store: FileStore) async throws -> [Author] {
    let cache = try await FlatCache(store: store, for: Post.self, Author.self)
    try await cache.flush()
    return posts.values.compactMap { $0.author(in: cache) }
}
