import FlatCache

extension Response {
    /// Stores all entities of the response in one commit: screens see all of it at once.
    ///
    /// An identifier is unique on one server, so a cache holds the responses of one server.
    ///
    /// - Parameter cache: The cache of the server that answered.
    func store(in cache: FlatCache) {
        cache.transaction {
            cache.set(contentsOf: tags)
            cache.set(contentsOf: mediaAttachments)
            cache.set(contentsOf: polls)
            cache.set(contentsOf: accounts)
            cache.set(contentsOf: statuses)
        }
    }

    /// Puts all entities of the response into the answer of a fetcher, which is stored in one commit, too.
    func insert(into answer: inout FetchAnswer) {
        answer.insert(contentsOf: tags)
        answer.insert(contentsOf: mediaAttachments)
        answer.insert(contentsOf: polls)
        answer.insert(contentsOf: accounts)
        answer.insert(contentsOf: statuses)
    }
}
