import FlatCache
import Testing

@testable import MastodonTimeline

@Suite("Storing a response")
struct ResponseStoringTests {
    @Test("stores each entity once, however often it is nested")
    func identity() {
        let cache = FlatCache(storing: [.status("1"), .status("2"), .status("3", by: "bo", ["reblog": .status("1")])])
        #expect(cache.count(of: Status.self) == 3)
        #expect(cache.count(of: Account.self) == 2)
    }

    @Test("replaces what has changed on the server")
    func replacement() {
        let cache = FlatCache(storing: .status("1", ["favourites_count": 1]))
        Response(.status("1", ["favourites_count": 2])).store(in: cache)
        #expect(cache.get(Status.self, id: "1")?.favouritesCount == 2)
    }

    @Test("tells an observer of many entities once, whatever their types")
    func oneCommit() {
        let cache = FlatCache()
        let observed = Locked<[ChangeSet]>([])
        let keys = ["1", "2", "3"].map(Status.flatCacheKey(id:)) + [Account.flatCacheKey(id: "ana")]
        let subscription = cache.observe(keys) { changes in observed.withLock { $0.append(changes) } }
        Response([.status("1"), .status("2"), .status("3")]).store(in: cache)
        #expect(observed.withLock { $0 }.map(\.inserted) == [Set(keys)])
        subscription.cancel()
    }
}
