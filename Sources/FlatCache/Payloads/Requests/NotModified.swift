extension FlatCache {
    /// The error with which a request, a fetcher or a loader says that the server has nothing newer.
    ///
    ///     cache.setFetcher(of: Post.self, maxAge: .seconds(60)) { (id: Post.ID) in
    ///         let (data, response) = try await api.get("posts/\(id)", ifNoneMatch: tags[id])
    ///         if response.statusCode == 304 { throw FlatCache.NotModified() }
    ///         return try decoder.decode(Payload<Post>.self, from: data)
    ///     }
    ///
    /// - `load`, and `replace`, `append` and `prepend` of a list, store nothing and don't throw the error: the result's
    ///   ``StoredPayload/isModified`` is `false`.
    /// - The requested entities of a fetcher are as fresh as if they were written, and are returned from memory or from the
    ///   store. For those that aren't stored, `fetch` throws ``FetchError/notFound(_:)``.
    /// - A loader leaves its list as it is, whose age begins again. It can say so only of the first page, and only while the
    ///   ``CachedList/age`` is known: otherwise the request throws ``ListError/unmodified(_:)``.
    ///
    /// In all cases, the named entities become fresh, too; see ``FlatCache/FlatCache/markFresh(_:id:since:)``. They don't count as
    /// answered: a late answer to an earlier request still replaces them.
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
