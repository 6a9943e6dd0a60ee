import FlatCache

extension Response {
    /// Stores all entities of the response in one transaction: screens see all of it at once.
    ///
    /// Responses may be stored at the same time: a transaction that has read what the other has changed runs again.
    ///
    /// An identifier is unique on one server, so a cache holds the responses of one server.
    ///
    /// - Parameter cache: The cache of the server that answered.
    func store(in cache: FlatCache) {
        cache.transaction {
            cache.set(contentsOf: tags)
            cache.set(contentsOf: mediaAttachments)
            cache.set(contentsOf: polls)
            cache.set(contentsOf: statuses)
            cache.set(contentsOf: accountsWithStatuses(in: cache))
        }
    }

    /// The accounts of the response with the statuses that the cache has by them, those of the response among them.
    ///
    /// A response knows nothing of statuses seen earlier; the account that is stored does.
    private func accountsWithStatuses(in cache: FlatCache) -> [Account] {
        let newIDs = Dictionary(grouping: statuses) { $0.accountID }.mapValues { $0.map(\.id) }
        let accounts = Dictionary(self.accounts.map { ($0.id, $0) }) { _, later in later }
        return accounts.values.map { account in
            var account = account
            let knownIDs = cache.get(Account.self, id: account.id)?.statusIDs ?? []
            let statuses = cache.get(Status.self, ids: Set(knownIDs).union(newIDs[account.id] ?? []))
            account.statusIDs = statuses.sorted(by: Status.isNewer).map(\.id)
            return account
        }
    }
}

extension Status {
    /// Whether a status comes before another in a list with the newest first.
    static func isNewer(_ lhs: Status, than rhs: Status) -> Bool {
        switch (lhs.createdAt, rhs.createdAt) {
        case (let left?, let right?) where left != right: left > right
        case (_?, nil): true
        case (nil, _?): false
        default: lhs.id > rhs.id
        }
    }
}
