import Testing

@testable import FlatCache

/// Requests of lists after an invalidation.
@Suite("Invalidated lists that load")
struct ListInvalidationTests {
    private let cache = FlatCache()
    private let home: CachedList<Clip>
    private let server = PageServer()

    init() {
        home = cache.list("home", of: Clip.self)
        home.setLoader { [server] in try await server.page(for: $0) }
    }

    enum Request: CaseIterable {
        case refresh, load, loadMore, loadPrevious, around

        func make(_ list: CachedList<Clip>) async throws -> Bool {
            switch self {
            case .refresh: return try await list.refresh()
            case .load:
                try await list.load()
                return true
            case .loadMore: return try await list.loadMore()
            case .loadPrevious: return try await list.loadPrevious()
            case .around: return try await list.refresh(around: 9)
            }
        }
    }

    private func load(_ ids: [Int]) async throws {
        let loading = Task { [home] in try await home.refresh() }
        await server.answer(server.cursors.count, ids, next: 100, previous: 200)
        #expect(try await loading.value)
    }

    @Test(
        "A request after an invalidation isn't served by a call that began before it, and all who wait receive the new page",
        arguments: Request.allCases,
        [false, true]
    )
    func invalidated(request: Request, isAnswered: Bool) async throws {
        try await load([9])
        if request == .load { home.invalidate() }
        let first = Task { [home] in try await request.make(home) }
        #expect(await server.hasCalls(2))
        home.invalidate()
        let second = Task { [home] in try await request.make(home) }
        #expect(await server.hasCalls(3))
        #expect(await eventually { cache.listLoaders.loader(of: home).waiterCounts.values.first == 2 })
        // The page of the old call comes too late.
        if isAnswered { await server.answer(1, [7], next: nil) }
        await server.answer(2, [8], next: nil)
        #expect(try await [first.value, second.value] == [true, true])
        #expect(home.contains(8) && !home.contains(7) && server.cursors.count == 3 && !home.isLoading)
        // It is fresh if the first page was loaded.
        let isInvalidated = cache.get(ListLoading<Clip>.self, id: home.name)?.isInvalidated
        #expect(isInvalidated == (request == .loadMore || request == .loadPrevious))
    }

    @Test(
        "Those who wait for the call of before the invalidation can be cancelled, and the last one cancels the new call"
    )
    func cancellation() async throws {
        let first = Task { [home] in try await home.refresh() }
        #expect(await server.hasCalls(1))
        home.invalidate()
        let second = Task { [home] in try await home.refresh() }
        #expect(await eventually { cache.listLoaders.loader(of: home).waiterCounts == [2: 2] })
        second.cancel()
        await #expect(throws: CancellationError.self) { try await second.value }
        #expect(home.isLoading)
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        #expect(!home.isLoading && home.error == nil)
    }

    @Test("A request joins a call that began after the invalidation")
    func joined() async throws {
        home.invalidate()
        let tasks = (0..<3).map { index in
            Task { [home] in
                if index == 0 { try await home.load() } else { _ = try await home.refresh() }
            }
        }
        #expect(await eventually { cache.listLoaders.loader(of: home).waiterCounts.values.first == 3 })
        await server.answer(0, [9], next: nil)
        for task in tasks { try await task.value }
        #expect(server.cursors.count == 1)
    }
}
