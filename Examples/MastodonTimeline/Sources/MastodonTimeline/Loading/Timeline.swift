import FlatCache
import FlatCacheStore

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
    private let request: APIRequest
    private let server: Server
    private let cache: FlatCache

    init(_ name: String, of request: APIRequest, from server: Server, in cache: FlatCache) {
        list = cache.list(name)
        newest = cache.reference(name)
        self.request = request
        self.server = server
        self.cache = cache
    }

    /// Whether there may be older statuses than those in the list.
    var hasOlder: Bool { !cache.contains(TimelineEnd.self, id: list.name) }

    /// Loads the page that comes after the oldest status of the list, or the first one.
    ///
    /// An empty page is the end. A short one isn't: servers take out what the reader must not see after they have counted.
    ///
    /// - Returns: The page; `nil` without a request when the end is known.
    @discardableResult
    func loadOlder() async throws(LoadingError) -> StoredPayload<[Status]>? {
        guard hasOlder else { return nil }
        // The server doesn't know drafts.
        let oldest = cache.confirmed { list.ids.last }
        return try await load(request.older(than: oldest)) { page in
            // It fits here alone; if the list has grown meanwhile, somebody else has loaded it.
            guard list.ids.last == oldest else { return }
            list.append(ids: page.statusIDs)
            if newest.id == nil { newest.id = list.ids.first }
            if page.statusIDs.isEmpty { cache.set(TimelineEnd(id: list.name)) }
        }
    }

    /// Loads the page that comes before the newest status of the pages.
    ///
    /// - Returns: The page; `nil` when there are no newer statuses, or nothing to be newer than.
    @discardableResult
    func loadNewer() async throws(LoadingError) -> StoredPayload<[Status]>? {
        guard let known = newest.id else { return nil }
        let page = try await load(request.newer(than: known)) { page in
            // A server that doesn't know the parameter gives the same page for ever.
            guard newest.id == known, let first = page.statusIDs.first, !page.statusIDs.contains(known) else { return }
            newest.id = first
            // The reader's own posts get the places that the page gives them.
            list.remove(ids: page.statusIDs)
            if !list.insert(ids: page.statusIDs, before: known) { list.prepend(ids: page.statusIDs) }
        }
        return newest.id == known ? nil : page
    }

    /// Loads a page, and stores it in the commit that also changes the list.
    ///
    /// Changes that the reader makes meanwhile, such as a favourite, are newer than the page and stay.
    private func load(
        _ request: APIRequest,
        _ arrange: (StoredPayload<[Status]>) -> Void
    ) async throws(LoadingError) -> StoredPayload<[Status]> {
        let revision = cache.revision()
        let payload = try await server.answer(request).payload(of: [Status].self)
        return cache.transaction {
            let page = cache.store(payload, since: revision)
            arrange(page)
            return page
        }
    }
}

extension StoredPayload<[Status]> {
    /// The statuses that the response lists, in its order.
    var statusIDs: [Status.ID] { value?.map(\.id) ?? [] }
}

/// The mark that the last status of a list is the oldest that the server has.
struct TimelineEnd: Storable, Codable, Equatable {
    static let storedName = "TimelineEnd"

    /// The name of the list.
    let id: String
}
