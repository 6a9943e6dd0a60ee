extension FlatCache {
    /// The error with which a request of the app says that the server has nothing newer.
    ///
    ///     let stored = try await cache.load([Post].self, with: decoder.decode) {
    ///         let (data, response) = try await api.get("posts", ifNoneMatch: tag)
    ///         if response.statusCode == 304 { throw FlatCache.NotModified(Post.self, ids: shownIDs) }
    ///         return data
    ///     }
    ///     if !stored.isModified { … }
    ///
    /// `load` doesn't throw this error. It stores nothing, and the named entities are as fresh as if they were written; see
    /// ``FlatCache/FlatCache/markFresh(_:id:since:)``.
    public struct NotModified: Error, Hashable {
        /// The keys of the entities that are fresh.
        public let keys: [FlatCacheKey]

        /// Creates the answer that nothing was modified.
        ///
        /// - Parameter keys: The keys of the entities that are fresh.
        public init(_ keys: some Sequence<FlatCacheKey>) {
            self.keys = Array(keys)
        }

        /// Creates the answer that nothing was modified, which makes no entity fresh.
        public init() {
            keys = []
        }

        /// Creates the answer that entities of a type weren't modified.
        ///
        /// - Parameters:
        ///   - type: The type of the entities.
        ///   - ids: The identifiers of the entities that are fresh.
        public init<Value: Cachable>(_ type: Value.Type, ids: some Sequence<Value.ID>) {
            keys = ids.map { Value.flatCacheKey(id: $0) }
        }
    }
}

extension FlatCache.NotModified: CustomStringConvertible, CustomReflectable {
    /// A line with the number of keys: `FlatCache.NotModified: 2 keys`.
    public var description: String { Summary.line("FlatCache.NotModified", nil, [Summary.count(keys.count, "key")]) }

    /// The keys.
    public var customMirror: Mirror { Mirror(self, children: ["keys": keys]) }
}
