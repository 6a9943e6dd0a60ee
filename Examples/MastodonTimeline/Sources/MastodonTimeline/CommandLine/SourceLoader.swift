import FlatCache

/// Loads sources into a list, and keeps what is needed to report on them.
struct SourceLoader {
    let cache: FlatCache
    let list: CachedList<Status>
    /// How many pages to load of a timeline.
    let pageCount: Int
    private(set) var responses: [(source: Source, response: Response)] = []
    private(set) var isWhole = false
    /// Why there is less than there should be: the failures of all sources.
    private(set) var failures: [LoadingError] = []

    init(pageCount: Int, in cache: FlatCache) {
        self.cache = cache
        self.pageCount = pageCount
        list = cache.list("home")
    }

    /// Loads a source, as far as that is possible.
    mutating func load(_ source: Source) async {
        do {
            try await tryLoading(source)
        } catch {
            failures.append(error)
        }
    }

    private mutating func tryLoading(_ source: Source) async throws(LoadingError) {
        guard case .server(let url) = source else { return show(try await source.load(), of: source) }
        let server = Server(at: url)
        let request = APIRequest(url)
        cache.setFetchers(asking: server)
        if request.isTimeline {
            try await loadPages(of: Timeline(list.name, of: request, from: server, in: cache), source)
        } else {
            show(try await server.answer(request), of: source)
            await complete(Array(list.ids))
        }
    }

    private mutating func show(_ response: Response, of source: Source) {
        cache.transaction {
            response.store(in: cache)
            list.append(ids: response.timeline)
        }
        responses.append((source, response))
    }

    private mutating func loadPages(of timeline: Timeline, _ source: Source) async throws(LoadingError) {
        while responses.count < pageCount, let page = try await timeline.loadOlder() {
            await add(page, of: source)
            isWhole = !timeline.hasOlder
        }
        while pageCount > 1, let page = try await timeline.loadNewer() { await add(page, of: source) }
    }

    private mutating func add(_ page: Response, of source: Source) async {
        // The last page is empty, and no more than the news that there is none.
        if responses.isEmpty || !page.timeline.isEmpty { responses.append((source, page)) }
        await complete(page.timeline)
    }

    /// Fetches what is missing around statuses; where that fails, their rows say so.
    private func complete(_ ids: [Status.ID]) async {
        try? await cache.fetchWhatIsShown(with: cache.get(ids: ids))
    }
}
