import FlatCache

extension FlatCache {
    /// Sets what fetches the statuses and accounts that responses name and don't bring.
    ///
    /// - Parameter server: The server whose responses the cache holds.
    func setFetchers(asking server: Server) {
        // Nested entities, such as accounts and polls, are stored in the same commit.
        setFetcher(of: Status.self, batchLimit: APIRequest.idLimit) { ids in
            try await server.answer(.statuses(ids)).payload(of: [Status].self)
        }
        setFetcher(of: Account.self, batchLimit: APIRequest.idLimit) { ids in
            try await server.answer(.accounts(ids)).payload(of: [Account].self)
        }
    }

    /// Fetches what the rows of statuses show beside these, as far as it is missing: one request for each step, however
    /// many statuses there are, and none where nothing is missing.
    ///
    /// What the server doesn't have is no error. What could not be fetched is left out, and the rest is fetched.
    ///
    /// - Throws: The first reason why the server could not be asked. The handles of what is missing know it, too, and rows
    ///   show it.
    func fetchWhatIsShown(with statuses: [Status]) async throws(FetchError) {
        var failure: FetchError?
        func tryTo(_ step: () async throws(FetchError) -> Void) async {
            do throws(FetchError) { try await step() } catch { failure = failure ?? error }
        }
        await tryTo { () throws(FetchError) in try await prefetch(\.reblog, \.repliedToStatus, for: statuses) }
        let boosted = statuses.compactMap { $0.reblog(in: self) }
        await tryTo { () throws(FetchError) in try await prefetch(\.repliedToStatus, for: boosted) }
        let quotes = (statuses + boosted).compactMap(\.quote)
        await tryTo { () throws(FetchError) in try await prefetch(\.quotedStatus, for: quotes) }
        let others =
            quotes.map { $0.quotedStatus(in: self) } + (statuses + boosted).map { $0.repliedToStatus(in: self) }
        let all = statuses + boosted + others.compactMap { $0 }
        invalidateMentionedAccounts(among: all.map(\.accountID))
        await tryTo { () throws(FetchError) in try await prefetch(\.account, \.repliedToAccount, for: all) }
        if let failure { throw failure }
    }

    /// Marks accounts as stale that are known by mentions only, so that the next request fetches them.
    private func invalidateMentionedAccounts(among ids: [Account.ID]) {
        for account in get(Account.self, ids: Set(ids)) where account.isKnownByMentionOnly {
            invalidate(Account.self, id: account.id)
        }
    }
}
