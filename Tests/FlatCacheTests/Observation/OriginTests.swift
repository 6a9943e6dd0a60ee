import TestThreads
import Testing

@testable import FlatCache

extension FlatCache.Origin {
    fileprivate static let sync = FlatCache.Origin("sync")
}

@Suite("Origins of commits", .mayBlock)
struct OriginTests {
    let cache = FlatCache()
    private let seen = Recorder<Set<FlatCache.Origin>>()

    /// A way to change the counter 1 in one commit.
    enum Write: CaseIterable {
        case set, setMany, setVeryMany, update, updateDefault, replace, updateWithOthers, move
        case handleSet, handleUpdate, handleRemove
        case remove, removeMany, removeWhere, removeType, removeEverything, replaceAll, transaction, nested

        func make(in cache: FlatCache) throws {
            let handle = Cached(Counter.self, id: 1, in: cache)
            switch self {
            case .set: cache.set(Counter(id: 1, count: 9))
            case .setMany: cache.set(contentsOf: (1...3).map { Counter(id: $0, count: 9) })
            case .setVeryMany: cache.set(contentsOf: (1...5_000).map { Counter(id: $0, count: 9) })
            case .update: cache.update(Counter.self, id: 1) { $0.count = 9 }
            case .updateDefault: cache.update(default: Counter(id: 1)) { $0.count = 9 }
            case .replace: cache.update(Counter(id: 1, count: 9))
            case .updateWithOthers: handle.update(storing: [Counter(id: 2, count: 9)]) { $0.count = 9 }
            case .move: cache.update(Counter.self, id: 1) { $0 = Counter(id: 50, count: 9) }
            case .handleSet: try handle.set(Counter(id: 1, count: 9))
            case .handleUpdate: handle.update { $0.count = 9 }
            case .handleRemove: handle.remove()
            case .remove: cache.remove(Counter.self, id: 1)
            case .removeMany: cache.remove(Counter.self, ids: [1, 2])
            case .removeWhere: cache.remove(Counter.self) { $0.id == 1 }
            case .removeType: cache.removeAll(of: Counter.self)
            case .removeEverything: cache.removeAll()
            case .replaceAll: cache.replaceAll(of: Counter.self, with: [Counter(id: 2)])
            case .transaction:
                cache.transaction {
                    cache.set(Counter(id: 1, count: 8))
                    cache.set(Counter(id: 1, count: 9))
                }
            case .nested:
                cache.transaction {
                    cache.transaction { cache.remove(Counter.self, id: 1) }
                    cache.set(Post(id: "1"))
                }
            }
        }
    }

    /// Records the origins of all later changes of the counter 1, as each kind of observer receives them.
    private func observe() -> [CacheSubscription] {
        [
            cache.observe(Counter.self, id: 1, initial: false) { [seen] in seen.record($0.origins) },
            cache.observe([Counter.flatCacheKey(id: 1)], initial: false) { [seen] in seen.record($0.origins) },
            cache.observe(all: Counter.self) { [seen] in seen.record($0.origins) },
            cache.query(FlatCache.Query(Counter.self)).observe { [seen] in
                if !$0.isInitial { seen.record($0.origins) }
            },
        ]
    }

    @Test("A write is made by the user", arguments: Write.allCases)
    func plain(write: Write) throws {
        cache.set(contentsOf: (1...3).map { Counter(id: $0) })
        let subscriptions = observe()
        try write.make(in: cache)
        #expect(seen.elements == Array(repeating: [.user], count: subscriptions.count))
        withExtendedLifetime(subscriptions) {}
    }

    @Test("A write in a transaction has the origin of the transaction", arguments: Write.allCases)
    func inTransaction(write: Write) throws {
        for origin in [.user, .server, .restore, .sync] as [FlatCache.Origin] {
            cache.set(contentsOf: (1...3).map { Counter(id: $0) })
            let subscriptions = observe()
            try cache.transaction(origin: origin) { try write.make(in: cache) }
            #expect(seen.take() == Array(repeating: [origin], count: subscriptions.count))
            for subscription in subscriptions { subscription.cancel() }
        }
    }

    @Test(
        "An only observer, which is called with a change that isn't stored, receives the origin",
        arguments: Write.allCases
    )
    func onlyObserver(write: Write) throws {
        cache.set(contentsOf: (1...3).map { Counter(id: $0) })
        let origins = Recorder<FlatCache.Origin?>()
        let subscription = cache.observe(Counter.self, id: 1) { origins.record($0.origin) }
        try write.make(in: cache)
        cache.set(Counter(id: 1, count: 20))
        try cache.transaction(origin: .sync) { cache.set(Counter(id: 1, count: 30)) }
        #expect(origins.elements == [nil, .user, .user, .sync])
        subscription.cancel()
    }

    @Test("Origins with the same name are equal, and have their name")
    func names() {
        #expect(
            FlatCache.Origin("sync") == .sync && FlatCache.Origin("sync").hashValue == FlatCache.Origin.sync.hashValue
        )
        #expect(FlatCache.Origin("user") == .user && FlatCache.Origin("server") == .server)
        #expect(FlatCache.Origin("restore") == .restore)
        #expect(FlatCache.Origin("") != FlatCache.Origin("Sync") && FlatCache.Origin("Sync") != .sync)
        #expect(Set([FlatCache.Origin("a"), .user, FlatCache.Origin("a"), FlatCache.Origin("b")]).count == 3)
        #expect(
            FlatCache.Origin("").name == "" && "\(FlatCache.Origin.sync) \(FlatCache.Origin.server)" == "sync server"
        )
        onThreads(4) { thread in
            for number in 0..<200 {
                let name = "origin \((number * 7 + thread) % 200)"
                #expect(FlatCache.Origin(name).name == name)
            }
        }
    }

    @Test("A transaction inside of another one names no other origin")
    func nestedOrigins() throws {
        let subscriptions = observe()
        let isRun = Protected(false)
        try cache.transaction(origin: .sync) {
            #expect(throws: FlatCache.OriginError(origin: .server, outermost: .sync)) {
                try cache.transaction(origin: .server) { isRun.withLock { $0 = true } }
            }
            try cache.transaction(origin: .sync) { cache.set(Counter(id: 1)) }
            cache.transaction { cache.set(Counter(id: 2)) }
        }
        #expect(seen.take() == Array(repeating: [.sync], count: subscriptions.count))
        cache.transaction {
            #expect(throws: FlatCache.OriginError(origin: .server, outermost: .user)) {
                try cache.transaction(origin: .server) { isRun.withLock { $0 = true } }
            }
            cache.set(Counter(id: 1, count: 1))
        }
        #expect(seen.take() == Array(repeating: [.user], count: subscriptions.count))
        #expect(!isRun.withLock { $0 } && cache.count(of: Counter.self) == 2)
        withExtendedLifetime(subscriptions) {}
    }

    @Test("A transaction that throws has no commit, and no origin remains")
    func throwing() throws {
        struct Stop: Error {}
        let subscriptions = observe()
        #expect(throws: Stop.self) {
            try cache.transaction(origin: .server) {
                cache.set(Counter(id: 1))
                throw Stop()
            }
        }
        #expect(seen.count == 0)
        cache.set(Counter(id: 1))
        #expect(seen.elements == Array(repeating: [.user], count: subscriptions.count))
        withExtendedLifetime(subscriptions) {}
    }

    @Test("What isn't part of a transaction doesn't have its origin: other caches, threads, and callbacks")
    func outside() throws {
        let other = FlatCache()
        let origins = Recorder<FlatCache.Origin?>()
        let subscriptions = [
            other.observe(all: Counter.self) { origins.record($0.origin) },
            cache.observe(all: Post.self) { origins.record($0.origin) },
            cache.observe(all: Author.self) { [cache] _ in cache.set(Post(id: "by a callback")) },
        ]
        try cache.transaction(origin: .server) {
            other.set(Counter(id: 1))
            try other.transaction(origin: .sync) { other.set(Counter(id: 1, count: 1)) }
            onThreads(1) { [cache] _ in cache.set(Post(id: "by a thread")) }
            #expect(origins.take() == [.user, .sync, .user])
            cache.set(Author(id: "1"))
        }
        #expect(origins.take() == [.user])
        cache.set(Counter(id: 1))
        try cache.update(Counter.self, id: 1) { _ in
            try cache.transaction(origin: .sync) { cache.set(Post(id: "in an update")) }
        }
        _ = try cache.read { try cache.transaction(origin: .restore) { cache.set(Post(id: "in a read")) } }
        #expect(origins.take() == [.sync, .restore])
        for subscription in subscriptions { subscription.cancel() }
    }

    @Test("A transaction that runs again, because another thread was faster, keeps its origin")
    func repeated() throws {
        cache.set(Counter(id: 1))
        let origins = Recorder<FlatCache.Origin?>()
        let subscription = cache.observe(all: Counter.self) { origins.record($0.origin) }
        let runs = Protected(0)
        try cache.transaction(origin: .server) {
            let count = cache.get(Counter.self, id: 1)?.count ?? 0
            let run = runs.withLock { runs in
                runs += 1
                return runs
            }
            if run == 1 { onThreads(1) { [cache] _ in cache.set(Counter(id: 1, count: 5)) } }
            cache.set(Counter(id: 1, count: count + 1))
        }
        #expect(origins.elements == [.user, .server] && cache.get(Counter.self, id: 1)?.count == 6)
        subscription.cancel()
    }

    @Test("The answer of a fetcher comes from the server, and what the fetcher writes itself from the user")
    func fetched() async throws {
        cache.setFetcher(of: Counter.self) { [cache] ids in
            cache.set(Post(id: "1"))
            return ids.map { Counter(id: $0, count: 7) }
        }
        let posts = Recorder<FlatCache.Origin?>()
        let subscriptions = observe() + [cache.observe(all: Post.self) { posts.record($0.origin) }]
        _ = try await cache.fetch(Counter.self, id: 1)
        #expect(seen.elements == Array(repeating: [.server], count: 4) && posts.elements == [.user])
        for subscription in subscriptions { subscription.cancel() }
    }
}

@Suite("Origins of folded commits", .mayBlock)
struct FoldedOriginTests {
    let cache = FlatCache()

    private func commit(_ count: Int, id: Int = 1, from origin: FlatCache.Origin) throws {
        try cache.transaction(origin: origin) { cache.set(Counter(id: id, count: count)) }
    }

    @Test("A folded change has the origins of all its commits")
    func sequences() async throws {
        var changes = cache.changes(of: [1, 2].map { Counter.flatCacheKey(id: $0) }).makeAsyncIterator()
        var all = cache.changes(ofAll: Counter.self).makeAsyncIterator()
        #expect(await changes.next()?.origins == [])
        try commit(1, from: .server)
        cache.set(Counter(id: 2, count: 1))
        try commit(2, from: .sync)
        try commit(3, from: .sync)
        let (folded, foldedAll) = (await changes.next(), await all.next())
        #expect(folded?.origins == [.server, .user, .sync] && folded?.origin == nil)
        #expect(foldedAll?.origins == [.server, .user, .sync] && foldedAll?.origin == nil)
        try commit(4, from: .sync)
        try commit(5, id: 2, from: .sync)
        let (same, sameAll) = (await changes.next(), await all.next())
        #expect(same?.origins == [.sync] && same?.origin == .sync)
        #expect(sameAll?.origins == [.sync] && sameAll?.origin == .sync)
    }

    @Test("A commit that stores equal entities adds no origin")
    func equal() async throws {
        cache.set(contentsOf: [Counter(id: 1), Counter(id: 2)])
        var all = cache.changes(ofAll: Counter.self).makeAsyncIterator()
        try commit(0, id: 2, from: .sync)
        try commit(1, from: .server)
        #expect(await all.next()?.origins == [.server])
    }

    @Test("An initial change has only the origins of later commits")
    func initial() async throws {
        cache.set(Counter(id: 1))
        var changes = cache.changes(of: [1, 2].map { Counter.flatCacheKey(id: $0) }).makeAsyncIterator()
        try commit(1, id: 2, from: .server)
        let first = await changes.next()
        #expect(first?.isInitial == true && first?.origins == [.server])
        let origins = Recorder<Set<FlatCache.Origin>>()
        let subscriptions = [
            cache.observe(Counter.self, id: 1) { origins.record($0.origins) },
            cache.query(FlatCache.Query(Counter.self)).observe { origins.record($0.origins) },
        ]
        #expect(origins.elements == [[], []])
        for subscription in subscriptions { subscription.cancel() }
    }

    @Test("Sections have the origin of the commit that changes them")
    func sections() throws {
        let origins = Recorder<FlatCache.Origin?>()
        let subscription = cache.query(FlatCache.Query(Counter.self)).grouped(by: \.count).observe {
            origins.record($0.origin)
        }
        try commit(1, id: 1, from: .server)
        try commit(2, id: 1, from: .sync)
        cache.set(Counter(id: 1))
        #expect(origins.elements == [nil, .server, .sync, .user])
        subscription.cancel()
    }

    @Test("Commits during a call are one call with all their origins")
    func callbacks() throws {
        let origins = Recorder<(Set<FlatCache.Origin>, FlatCache.Origin?)>()
        let isFirst = Protected(true)
        let react: @Sendable (Set<FlatCache.Origin>, FlatCache.Origin?) -> Void = { [cache] all, only in
            origins.record((all, only))
            let isNow = isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst
            }
            guard isNow else { return }
            onThreads(1) { _ in
                for (count, origin) in [FlatCache.Origin.server, .sync, .user].enumerated() {
                    _ = try? cache.transaction(origin: origin) { cache.set(Counter(id: 1, count: 10 + count)) }
                }
            }
        }
        let observations: [() -> CacheSubscription] = [
            { cache.observe(Counter.self, id: 1, initial: false) { react($0.origins, $0.origin) } },
            { cache.observe([Counter.flatCacheKey(id: 1)], initial: false) { react($0.origins, $0.origin) } },
            { cache.observe(all: Counter.self) { react($0.origins, $0.origin) } },
            {
                cache.query(FlatCache.Query(Counter.self)).observe {
                    if !$0.isInitial { react($0.origins, $0.origin) }
                }
            },
        ]
        for begin in observations {
            isFirst.withLock { $0 = true }
            let subscription = begin()
            try commit(1, from: .restore)
            let calls = origins.take()
            #expect(calls.map(\.0) == [[.restore], [.server, .sync, .user]])
            #expect(calls.map(\.1) == [.restore, nil])
            subscription.cancel()
        }
    }

    @Test("A folded result of a query has the origins of commits to different entities")
    func query() async throws {
        var results = cache.query(FlatCache.Query(Counter.self)).updates.makeAsyncIterator()
        _ = await results.next()
        for (id, origin) in [FlatCache.Origin.server, .sync, .user].enumerated() { try commit(1, id: id, from: origin) }
        #expect(await results.next()?.origins == [.server, .sync, .user])
    }

    @Test("Origins of many commits of a query whose changes are too many to be kept remain")
    func wholeQuery() async throws {
        var results = cache.query(FlatCache.Query(Counter.self)).updates.makeAsyncIterator()
        _ = await results.next()
        try cache.transaction(origin: .server) { cache.set(contentsOf: (0..<3_000).map { Counter(id: $0) }) }
        try cache.transaction(origin: .sync) { cache.set(contentsOf: (3_000..<6_000).map { Counter(id: $0) }) }
        cache.set(Counter(id: 9_000))
        let folded = await results.next()
        #expect(folded?.values.count == 6_001 && folded?.origins == [.server, .sync, .user] && folded?.origin == nil)
    }

    @Test("A result of a query with an index has the origin of the commit that changes the key or the entity")
    func index() throws {
        cache.buildIndex(.init(\Counter.count))
        let origins = Recorder<Set<FlatCache.Origin>>()
        let query = FlatCache.Query(Counter.self).filter(\.count, equals: 1)
        let subscription = cache.query(query).observe { origins.record($0.origins) }
        try commit(1, from: .sync)
        cache.set(Counter(id: 2, count: 1))
        try commit(2, from: .server)
        #expect(origins.elements == [[], [.sync], [.user], [.server]])
        subscription.cancel()
    }

    @Test("A result of a query has the origin of a commit that a condition has read")
    func conditions() throws {
        let origins = Recorder<Set<FlatCache.Origin>>()
        cache.set(contentsOf: (1...3).map { Counter(id: $0) })
        let query = FlatCache.Query(Counter.self).filter { [cache] counter in
            cache.get(Post.self, id: "\(counter.id)") != nil
        }
        let subscription = cache.query(query).observe { origins.record($0.origins) }
        try cache.transaction(origin: .sync) { cache.set(Post(id: "2")) }
        #expect(origins.elements == [[], [.sync]])
        subscription.cancel()
    }
}
