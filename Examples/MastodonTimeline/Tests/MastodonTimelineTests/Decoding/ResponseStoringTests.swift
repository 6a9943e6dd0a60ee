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

    @Test("lists the statuses by an account, newest first")
    func statusesOfAccount() {
        let cache = FlatCache(storing: [
            .status("1", ["created_at": "2026-03-14T10:00:00Z"]),
            .status("2", ["created_at": "2026-03-14T12:00:00Z"]),
            .status("3", by: "bo", ["reblog": .status("4", ["created_at": "2026-03-14T11:00:00Z"])]),
            .status("5", ["created_at": nil]),
        ])
        #expect(cache.get(Account.self, id: "ana")?.statuses(in: cache).map(\.id) == ["2", "4", "1", "5"])
        #expect(cache.get(Account.self, id: "bo")?.statuses(in: cache).map(\.id) == ["3"])
    }

    @Test("adds to the statuses that earlier responses gave an account")
    func accumulation() {
        let cache = FlatCache(storing: .status("1", ["created_at": "2026-03-14T10:00:00Z"]))
        Response(.status("2", ["created_at": "2026-03-14T11:00:00Z"])).store(in: cache)
        Response([.account("ana", name: "Ana")]).store(in: cache)
        let account = cache.get(Account.self, id: "ana")
        #expect(account?.statusIDs == ["2", "1"])
        #expect(account?.displayName == "Ana")
    }

    @Test("forgets the statuses of an account that were deleted since")
    func forgetting() {
        let cache = FlatCache(storing: [.status("1"), .status("2")])
        cache.remove(Status.self, id: "1")
        Response(.status("3")).store(in: cache)
        #expect(cache.get(Account.self, id: "ana")?.statusIDs == ["3", "2"])
    }

    @Test("keeps what each of several responses has found, when they are stored at the same time")
    func atTheSameTime() async {
        let cache = FlatCache()
        await withTaskGroup { group in
            for number in 1...50 {
                group.addTask { Response(.status("\(number)")).store(in: cache) }
            }
        }
        #expect(cache.get(Account.self, id: "ana")?.statusIDs.count == 50)
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
        let observed = Recorder<ChangeSet>()
        let keys = ["1", "2", "3"].map(Status.flatCacheKey(id:)) + [Account.flatCacheKey(id: "ana")]
        let subscription = cache.observe(keys) { observed.record($0) }
        Response([.status("1"), .status("2"), .status("3")]).store(in: cache)
        #expect(observed.elements.map(\.inserted) == [Set(keys)])
        subscription.cancel()
    }
}
