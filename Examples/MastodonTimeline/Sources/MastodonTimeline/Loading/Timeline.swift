import FlatCache

/// Statuses that a server gives in pages, newest first, and that the cache keeps as a list with a name.
///
///     let home = Timeline("home", of: .publicTimeline, from: server, in: cache)
///     try await home.loadOlder()          // the newest page
///     try await home.loadOlder()          // the next one
///     home.list.values                    // the statuses of both
///
/// All who give the same name share the list, and may load pages at the same time: the list has no status twice, and lacks
/// none that is between two others of the pages. A post of the reader's can stand above them before a page brings it.
struct Timeline: Sendable {
    let list: CachedList<Status>
    /// The newest status that a page has brought.
    private let newest: CachedReference<Status>
    private let page = Locked<StoredPayload<[Status]>?>(nil)
    private let request: APIRequest
    private let server: Server
    private let cache: FlatCache

    init(_ name: String, of request: APIRequest, from server: Server, in cache: FlatCache) {
        list = cache.list(name)
        newest = cache.reference(name)
        self.request = request
        self.server = server
        self.cache = cache
        // The cursor is the oldest status. An empty page is the end. A short one isn't: servers take out what the reader must not
        // see after they have counted.
        list.setLoader(cursorAfter: { $0 }) { [newest, page] (oldest: Status.ID?) in
            let payload = try await server.answer(request.older(than: oldest)).payload(of: [Status].self)
            return ListPage(payload, next: FlatCache().store(payload).statusIDs.last) { loaded in
                if newest.id == nil { newest.id = loaded.statusIDs.first }
                page.withLock { $0 = loaded }
                return loaded.statusIDs
            }
        }
    }

    /// The page that was loaded last.
    var lastPage: StoredPayload<[Status]>? { page.withLock { $0 } }

    /// Whether there may be older statuses than those in the list.
    var hasOlder: Bool { list.hasMore }

    /// Loads the page that comes after the oldest status of the list, or the first one.
    ///
    /// - Returns: Whether a page was loaded; `false` without a request when the end is known.
    @discardableResult
    func loadOlder() async throws(LoadingError) -> Bool {
        do {
            return try await list.loadMore()
        } catch {
            throw error as? LoadingError ?? .unreachable(list.name, reason: "\(error)")
        }
    }

    /// Loads the page that comes before the newest status of the pages.
    ///
    /// - Returns: Whether there were newer statuses.
    @discardableResult
    func loadNewer() async throws(LoadingError) -> Bool {
        guard let known = newest.id else { return false }
        let revision = cache.revision()
        let payload = try await server.answer(request.newer(than: known)).payload(of: [Status].self)
        // Changes that were made meanwhile, such as a favourite, are newer than the page and stay.
        let loaded = cache.transaction {
            let loaded = cache.store(payload, since: revision)
            // A server that doesn't know the parameter gives the same page for ever.
            if newest.id == known, let first = loaded.statusIDs.first, !loaded.statusIDs.contains(known) {
                newest.id = first
                // The reader's own posts get the places that the page gives them.
                list.remove(ids: loaded.statusIDs)
                if !list.insert(ids: loaded.statusIDs, before: known) { list.prepend(ids: loaded.statusIDs) }
            }
            return loaded
        }
        page.withLock { $0 = loaded }
        return newest.id != known
    }
}

extension StoredPayload<[Status]> {
    /// The statuses that the response lists, in its order.
    var statusIDs: [Status.ID] { value?.map(\.id) ?? [] }
}
