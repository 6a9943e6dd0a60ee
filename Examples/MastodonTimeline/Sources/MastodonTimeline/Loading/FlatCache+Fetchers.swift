import FlatCache

extension FlatCache {
    /// Sets what fetches the statuses and accounts that responses name and don't bring.
    ///
    /// - Parameter server: The server whose responses the cache holds.
    func setFetchers(asking server: Server) {
        setFetcher(of: Status.self, batchLimit: APIRequest.idLimit) { ids, answer in
            // It brings accounts, polls and the like with it, all in the same commit.
            try await server.answer(.statuses(ids)).insert(into: &answer)
        }
        setFetcher(of: Account.self, batchLimit: APIRequest.idLimit) { ids, answer in
            try await server.answer(.accounts(ids)).insert(into: &answer)
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
        await tryTo { () throws(FetchError) in
            try await prefetch(\.reblog, \.quotedStatus, \.repliedToStatus, for: statuses)
        }
        let boosted = statuses.compactMap { $0.reblog(in: self) }
        await tryTo { () throws(FetchError) in try await prefetch(\.quotedStatus, \.repliedToStatus, for: boosted) }
        let mentioned = (statuses + boosted).flatMap { [$0.quotedStatus(in: self), $0.repliedToStatus(in: self)] }
        let all = statuses + boosted + mentioned.compactMap { $0 }
        await tryTo { () throws(FetchError) in try await prefetch(\.account, \.repliedToAccount, for: all) }
        if let failure { throw failure }
    }
}
