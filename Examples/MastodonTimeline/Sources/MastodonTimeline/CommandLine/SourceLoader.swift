import FlatCache

/// Loads sources into a list, and keeps what is needed to report on them.
struct SourceLoader {
    let cache: FlatCache
    let list: CachedList<Status>
    /// How many pages to load of a timeline.
    let pageCount: Int
    /// The access token of the reader.
    let token: String?
    private(set) var reports: [Report] = []
    private(set) var isWhole = false
    /// The person to whom the token belongs, if the timeline of their server was loaded.
    private(set) var reader: Reader?
    /// Why there is less than there should be: the failures of all sources.
    private(set) var failures: [LoadingError] = []

    /// The result of storing a response.
    struct Report {
        let source: Source
        let contents: Summary
        let leftOut: LeftOut?

        /// - Throws: When nothing is left of a response that isn't empty: it is none for this program.
        init<Root>(on stored: StoredPayload<Root>, of source: Source) throws(LoadingError) {
            self.source = source
            contents = Summary(of: stored)
            leftOut = LeftOut(stored.problems)
            if contents.isEmpty, let leftOut { throw .foreign(source.name, contents: "\(leftOut)") }
        }
    }

    init(pageCount: Int, token: String? = nil, in cache: FlatCache) {
        self.cache = cache
        self.token = token
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
        guard case .server(let url) = source else { return try show(try await source.load(), of: source) }
        let server = Server(at: url, token: token)
        let request = APIRequest(url)
        cache.setFetchers(asking: server)
        if request.isTimeline {
            try await loadPages(of: Timeline(list.name, of: request, from: server, in: cache), source)
            if token != nil { reader = try await Reader.signIn(on: server, in: cache) }
        } else {
            try show(try await server.answer(request), of: source)
            await complete(Array(list.ids))
        }
    }

    private mutating func show(_ response: Response, of source: Source) throws(LoadingError) {
        let payload = try response.payload(of: Document.self)
        let stored = cache.transaction {
            let stored = cache.store(payload)
            list.append(ids: stored.value?.statusIDs ?? [])
            return stored
        }
        reports.append(try Report(on: stored, of: source))
    }

    private mutating func loadPages(of timeline: Timeline, _ source: Source) async throws(LoadingError) {
        // A page of statuses that were kept counts as one.
        let isKept = !list.isEmpty
        var count = isKept ? 1 : 0
        while count < pageCount, try await timeline.loadOlder() {
            try await add(timeline.lastPage, of: source)
            count += 1
            isWhole = !timeline.hasOlder
        }
        while isKept || pageCount > 1, try await timeline.loadNewer() { try await add(timeline.lastPage, of: source) }
    }

    private mutating func add(_ page: StoredPayload<[Status]>?, of source: Source) async throws(LoadingError) {
        guard let page else { return }
        let report = try Report(on: page, of: source)
        // The last page is empty, and no more than the news that there is none.
        if reports.isEmpty || !page.statusIDs.isEmpty { reports.append(report) }
        await complete(page.statusIDs)
    }

    /// Fetches what is missing around statuses; where that fails, their rows say so.
    private func complete(_ ids: [Status.ID]) async {
        try? await cache.fetchWhatIsShown(with: cache.get(ids: ids))
    }
}
