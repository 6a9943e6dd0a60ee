import FlatCache
import Testing

@testable import MastodonTimeline

@Suite("The keys of a shown status")
struct ShownKeysTests {
    private typealias Removal = (key: FlatCacheKey, remove: @Sendable (FlatCache) -> Void)
    private typealias Row = (keys: Set<FlatCacheKey>, lines: [String])

    @Test("hold every entity that its lines are made from")
    func completeness() async throws {
        let response = try await Source.sample.load()
        let removals =
            removals(of: response.statuses) + removals(of: response.accounts)
            + removals(of: response.polls) + removals(of: response.mediaAttachments)
        let before = rows(of: response)
        for removal in removals {
            for (id, row) in rows(of: response, after: removal) {
                let old = try #require(before[id])
                #expect(row.lines == old.lines || old.keys.contains(removal.key), "\(id) shows \(removal.key)")
            }
        }
    }

    private func removals<Value: Cachable>(of values: [Value]) -> [Removal] {
        let ids = Set(values.map(\.id))
        return ids.map { id in (Value.flatCacheKey(id: id), { $0.remove(Value.self, id: id) }) }
    }

    private func rows(of response: Response, after removal: Removal? = nil) -> [Status.ID: Row] {
        let cache = FlatCache()
        response.store(in: cache)
        removal?.remove(cache)
        return FlatCache.withCurrent(cache) {
            let renderer = StatusRenderer(terminal: Terminal(width: 80))
            let statuses = cache.get(Status.self, ids: response.timeline)
            return Dictionary(uniqueKeysWithValues: statuses.map { ($0.id, ($0.shownKeys, renderer.lines(for: $0))) })
        }
    }
}
