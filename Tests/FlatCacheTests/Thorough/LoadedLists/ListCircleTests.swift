import FlatCache
import Testing

/// Loaders of lists that would wait for themselves.
@Suite("Lists whose loaders wait for each other", .ends)
struct ListCircleTests {
    private let cache = FlatCache(clock: ManualClock())
    private let errors = Recorder<ListError>()

    /// Requests of a page.
    enum Request: CaseIterable, Sendable {
        case refresh, loadMore, load, childTask

        func make(_ list: CachedList<Clip>) async throws {
            switch self {
            case .refresh: try await list.refresh()
            case .loadMore: try await list.loadMore()
            case .load: try await list.load(.networkOnly)
            case .childTask:
                async let isJoined = list.refresh()
                _ = try await isJoined
            }
        }
    }

    /// Sets a loader that makes a request first, whose error is recorded.
    private func setLoader(of list: CachedList<Clip>, _ request: @escaping @Sendable () async throws -> Void) {
        list.setLoader { [errors] (cursor: Int?) in
            do { try await request() } catch let error as ListError { errors.record(error) }
            let id = cursor ?? 9
            return ListPage([Clip(id: id)], next: id - 1)
        }
    }

    @Test("A loader that waits for its own list gets an error, and its page joins", arguments: Request.allCases)
    func itself(request: Request) async throws {
        let list = cache.list("home", of: Clip.self)
        setLoader(of: list) { try await request.make(FlatCache.current.list("home")) }
        #expect(try await list.refresh())
        #expect(errors.elements == [.cyclic("home")])
        #expect(Array(list.ids) == [9] && !list.isLoading)
    }

    @Test("So does one that loads another page of the list", arguments: Request.allCases)
    func otherPage(request: Request) async throws {
        let list = cache.list("home", of: Clip.self)
        setLoader(of: list) {}
        try await list.refresh()
        setLoader(of: list) { try await request.make(FlatCache.current.list("home")) }
        #expect(try await list.loadMore())
        #expect(errors.elements == [.cyclic("home")])
        #expect(Array(list.ids) == [9, 8] && !list.isLoading)
    }

    @Test("So does one that waits for another list whose loader waits for it", arguments: Request.allCases)
    func otherList(request: Request) async throws {
        let (home, other) = (cache.list("home", of: Clip.self), cache.list("other", of: Clip.self))
        setLoader(of: home) { try await request.make(FlatCache.current.list("other")) }
        setLoader(of: other) { try await request.make(FlatCache.current.list("home")) }
        #expect(try await home.refresh())
        #expect(errors.elements == [.cyclic("home")])
        #expect(Array(home.ids) == [9] && Array(other.ids) == [9])
        #expect(!home.isLoading && !other.isLoading)
    }

    @Test("So does one that waits for a fetcher that waits for it", arguments: Request.allCases)
    func fetcher(request: Request) async throws {
        let list = cache.list("home", of: Clip.self)
        setLoader(of: list) { _ = try await FlatCache.current.fetch(Counter.self, id: 1) }
        cache.setFetcher(of: Counter.self) { [errors] ids in
            do { try await request.make(FlatCache.current.list("home")) } catch let error as ListError {
                errors.record(error)
            }
            return ids.map { Counter(id: $0, count: 1) }
        }
        #expect(try await list.refresh())
        #expect(errors.elements == [.cyclic("home")])
        #expect(Array(list.ids) == [9] && cache.get(Counter.self, id: 1) != nil)
    }

    @Test("So does the fetch of a loader for which the fetcher waits", arguments: Request.allCases)
    func fetchFirst(request: Request) async throws {
        let list = cache.list("home", of: Clip.self)
        let fetchErrors = Recorder<FetchError.Kind?>()
        setLoader(of: list) {
            let error = await #expect(throws: FetchError.self) {
                try await FlatCache.current.fetch(Counter.self, id: 1)
            }
            fetchErrors.record(error?.kind)
        }
        cache.setFetcher(of: Counter.self) { ids in
            try await request.make(FlatCache.current.list("home"))
            return ids.map { Counter(id: $0, count: 1) }
        }
        #expect(try await cache.fetch(Counter.self, id: 1).count == 1)
        #expect(fetchErrors.elements == [.cyclic] && errors.elements.isEmpty)
        #expect(Array(list.ids) == [9])
    }

    @Test("A task that a loader starts may load the list, because the loader doesn't wait for it")
    func unstructured() async throws {
        let list = cache.list("home", of: Clip.self)
        let tasks = Recorder<Task<Bool, any Error>>()
        setLoader(of: list) {
            if tasks.count > 0 { return }
            tasks.record(Task { try await FlatCache.current.list("home", of: Clip.self).refresh() })
        }
        #expect(try await list.refresh())
        #expect(try await tasks.elements[0].value)
        #expect(errors.elements.isEmpty && Array(list.ids) == [9])
    }

    @Test("Loaders of several lists may wait for one list")
    func shared() async throws {
        let lists = ["a", "b"].map { cache.list($0, of: Clip.self) }
        let shared = cache.list("shared", of: Clip.self)
        setLoader(of: shared) {}
        for list in lists {
            setLoader(of: list) { try await FlatCache.current.list("shared", of: Clip.self).refresh() }
        }
        async let first = lists[0].refresh()
        async let second = lists[1].refresh()
        #expect(try await [first, second] == [true, true])
        #expect(errors.elements.isEmpty && Array(shared.ids) == [9])
    }

    @Test("The error says what to do")
    func message() {
        #expect(
            ListError.cyclic("home").description == """
                The list 'home' can't be loaded from inside a call of its own loader: the two would wait for each other. \
                Return the entities from that loader, or load the list after it
                """
        )
    }
}
