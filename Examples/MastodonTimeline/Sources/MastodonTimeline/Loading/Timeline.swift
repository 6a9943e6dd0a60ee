import FlatCache

/// Statuses that a server gives in pages, newest first, and that the cache keeps as a list with a name.
///
///     let home = Timeline("home", of: .publicTimeline, from: server, in: cache)
///     try await home.loadOlder()          // the newest page
///     try await home.loadOlder()          // the next one
///     home.list.values                    // the statuses of both
///
/// All who give the same name share the list, and may load pages at the same time: the list has no status twice, and lacks
/// none that is between two others.
struct Timeline: Sendable {
    let list: CachedList<Status>
    private let request: APIRequest
    private let server: Server
    private let cache: FlatCache

    init(_ name: String, of request: APIRequest, from server: Server, in cache: FlatCache) {
        list = cache.list(name)
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
    func loadOlder() async throws(LoadingError) -> Response? {
        guard hasOlder else { return nil }
        let oldest = list.ids.last
        let page = try await server.answer(request.older(than: oldest))
        cache.transaction {
            page.store(in: cache)
            // It fits here alone; if the list has grown meanwhile, somebody else has loaded it.
            guard list.ids.last == oldest else { return }
            list.append(ids: page.timeline)
            if page.timeline.isEmpty { cache.set(TimelineEnd(id: list.name)) }
        }
        return page
    }

    /// Loads the page that comes before the newest status of the list.
    ///
    /// - Returns: The page; `nil` when there are no newer statuses, or nothing to be newer than.
    @discardableResult
    func loadNewer() async throws(LoadingError) -> Response? {
        guard let newest = list.ids.first else { return nil }
        let page = try await server.answer(request.newer(than: newest))
        cache.transaction {
            page.store(in: cache)
            if list.ids.first == newest { list.prepend(ids: page.timeline) }
        }
        // A server that doesn't know the parameter gives the same page for ever.
        return page.timeline.isEmpty || list.ids.first == newest ? nil : page
    }
}

/// The mark that the last status of a list is the oldest that the server has.
private struct TimelineEnd: Cachable, Equatable {
    /// The name of the list.
    let id: String
}
