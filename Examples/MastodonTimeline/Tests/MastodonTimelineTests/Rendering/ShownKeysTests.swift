import FlatCache
import Testing

@testable import MastodonTimeline

@Suite("The keys of a shown status")
struct ShownKeysTests {
    @Test("hold every entity that its lines are made from")
    func completeness() async throws {
        let (cache, timeline) = try await FlatCache.sample()
        let before = FlatCache.withCurrent(cache) { render(timeline, in: cache) }
        let removals: [(key: FlatCacheKey, remove: (FlatCache) -> Void)] =
            removals(of: Status.self, in: cache) + removals(of: Account.self, in: cache)
            + removals(of: Poll.self, in: cache) + removals(of: MediaAttachment.self, in: cache)
        for removal in removals {
            let (cache, _) = try await FlatCache.sample()
            removal.remove(cache)
            let after = FlatCache.withCurrent(cache) { render(timeline, in: cache) }
            for (id, row) in before where after[id]?.lines != row.lines {
                #expect(row.keys.contains(removal.key), "\(id) shows \(removal.key)")
            }
        }
    }

    private func removals<Value: Cachable>(
        of type: Value.Type,
        in cache: FlatCache
    ) -> [(key: FlatCacheKey, remove: (FlatCache) -> Void)] {
        cache.allValues(of: type).map { value in (value.flatCacheKey, { $0.remove(type, id: value.id) }) }
    }

    private func render(
        _ timeline: [Status.ID],
        in cache: FlatCache
    ) -> [Status.ID: (keys: Set<FlatCacheKey>, lines: [String])] {
        let renderer = StatusRenderer(terminal: Terminal(width: 80))
        let statuses = cache.get(Status.self, ids: timeline)
        return Dictionary(uniqueKeysWithValues: statuses.map { ($0.id, ($0.shownKeys, renderer.lines(for: $0))) })
    }
}
