import FlatCache
import SeededRandom
import Testing

/// Random refreshes, pages and gaps of a list, compared with what the server has.
///
/// `FLATCACHE_LISTS=10000 swift test --filter ListPropertyTests` tries more.
@Suite("Random pages of a list")
struct ListPropertyTests {
    @Test(
        "What is listed without a gap between has nothing missing, and in the end the list is that of the server",
        arguments: Seeds.first(60, full: 2_000, orAsIn: "FLATCACHE_LISTS")
    )
    func pages(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let cache = FlatCache()
        let list = cache.list("home", of: Clip.self)
        let server = GrowingServer(count: random.below(9), pageSize: 1 + random.below(4))
        list.setLoader { try server.page(after: $0) }
        for step in 0..<40 {
            let context: Comment = "seed \(seed), step \(step)"
            do {
                switch random.below(10) {
                case 0..<3: server.grow(random.below(6))
                case 3..<5: try await list.refresh(.insertAbove)
                case 5: try await list.refresh(random.below(4) == 0 ? .replace : .insertAbove)
                case 6..<8: try await list.loadMore()
                case 8: server.failNext()
                default:
                    let gaps = list.gaps
                    if !gaps.isEmpty { try await list.loadMore(after: gaps[random.below(gaps.count)]) }
                }
            } catch {
                #expect(error as? RejectedError == RejectedError(), context)
            }
            check(list, server, context)
        }
        server.succeed()
        try await list.refresh(.insertAbove)
        while let gap = list.gaps.first { try await list.loadMore(after: gap) }
        while list.hasMore { try await list.loadMore() }
        #expect(Array(list.ids) == server.ids, "seed \(seed)")
    }

    private func check(_ list: CachedList<Clip>, _ server: GrowingServer, _ context: Comment) {
        let (ids, gaps) = (Array(list.ids), Set(list.gaps))
        #expect(ids == ids.sorted(by: >), context)
        #expect(gaps.isSubset(of: ids), context)
        for (above, below) in zip(ids, ids.dropFirst()) where !gaps.contains(above) {
            #expect(above == below + 1, context)
        }
        if !list.hasMore, let last = ids.last { #expect(last == server.ids.last, context) }
    }
}

/// A server with posts from the newest to the first, in pages.
private final class GrowingServer: Sendable {
    private let state: Protected<(count: Int, isFailing: Bool)>
    private let pageSize: Int

    init(count: Int, pageSize: Int) {
        state = Protected((count, false))
        self.pageSize = pageSize
    }

    var ids: [Int] { Array((0..<state.withLock { $0.count }).reversed()) }

    func grow(_ count: Int) { state.withLock { $0.count += count } }

    func failNext() { state.withLock { $0.isFailing = true } }

    func succeed() { state.withLock { $0.isFailing = false } }

    func page(after id: Int?) throws -> ListPage<Clip, Int> {
        let isFailing = state.withLock { state in
            defer { state.isFailing = false }
            return state.isFailing
        }
        if isFailing { throw RejectedError() }
        let rest = ids.filter { $0 < id ?? .max }
        let page = rest.prefix(pageSize)
        return ListPage(page.map { Clip(id: $0) }, next: rest.count > page.count ? page.last : nil)
    }
}
