import Testing

@testable import FlatCache

@Suite("Slots that were dropped")
struct RecentRemovalsTests {
    @Test("Only a removal of the same bucket after the revision counts")
    func exact() {
        let dropped = RecentRemovals()
        dropped.insert(1, 10)
        dropped.insert(2, 20)
        #expect(dropped.mayHaveRemoved(1, since: 9) && !dropped.mayHaveRemoved(1, since: 10))
        #expect(dropped.mayHaveRemoved(2, since: 10) && !dropped.mayHaveRemoved(3, since: 0))
    }

    @Test("A shard fits into two cache lines")
    func size() { #expect(MemoryLayout<Shard>.size <= 128) }

    @Test("A forgotten removal counts for all buckets")
    func forgotten() {
        let dropped = RecentRemovals()
        for revision in 1...UInt64(RecentRemovals.limit + 3) { dropped.insert(UInt32(revision), revision) }
        #expect(dropped.mayHaveRemoved(9_999, since: 2) && !dropped.mayHaveRemoved(9_999, since: 3))
        #expect(dropped.mayHaveRemoved(4, since: 3) && !dropped.mayHaveRemoved(4, since: 4))
    }

    @Test("F4: A removal keeps no other entity out of an answer that is older")
    func others() async throws {
        let cache = FlatCache()
        cache.set(contentsOf: (0..<50).map { Counter(id: -$0, count: 1) })
        cache.setFetcher(of: Counter.self) { ids, answer in
            for id in 0..<50 { FlatCache.current.remove(Counter.self, id: -id) }
            answer.insert(contentsOf: (-49..<1_000).map { Counter(id: $0, count: 2) })
        }
        // The requested entity is new, and the others weren't requested.
        #expect(try await cache.fetch(Counter.self, id: 999).count == 2)
        #expect(cache.count(of: Counter.self) == 999)
        #expect((-49..<1).allSatisfy { !cache.contains(Counter.self, id: $0) })
    }
}
