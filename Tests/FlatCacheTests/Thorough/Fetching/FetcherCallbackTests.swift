import FlatCache
import Testing

@Suite("Fetchers that use the cache, are replaced, or run for long")
struct FetcherCallbackTests {
    let clock = ManualClock()
    let cache: FlatCache
    let server = FakeServer<Counter>()

    init() {
        cache = FlatCache(clock: clock)
    }

    @Test("N1: A fetcher may read, write, observe, clear, fetch others and set fetchers")
    func callsBack() async throws {
        cache.setFetcher(of: Author.self) { id in Author(id: id, name: "Ann") }
        cache.setFetcher(of: Counter.self) { ids in
            let cache = FlatCache.current
            let author = try await cache.fetch(Author.self, id: "a")
            let subscription = cache.observe(Author.self, id: "a") { _ in }
            cache.set(Post(id: "p", title: author.name))
            cache.transaction { cache.update(Post.self, id: "p") { $0.likes += 1 } }
            cache.removeAll(of: Author.self)
            cache.setFetcher(of: Author.self) { _ in [] }
            cache.setFetcher(of: Counter.self) { _ in throw ServerError() }
            let other = try? await cache.fetch(Counter.self, id: 99)
            subscription.cancel()
            return other == nil ? ids.map { Counter(id: $0, count: cache.get(Post.self, id: "p")?.likes ?? 0) } : []
        }
        #expect(try await cache.fetch(Counter.self, id: 1).count == 1)
        #expect(cache.get(Post.self, id: "p")?.title == "Ann")
    }

    @Test("N1: Observers that an answer tells may fetch, write and clear")
    func observersCallBack() async throws {
        cache.setFetcher(of: Counter.self, server.load)
        let done = Promise<Int?>()
        let subscription = cache.observe(Counter.self, id: 1) { [cache] change in
            guard change.kind == .inserted else { return }
            cache.set(Counter(id: 2, count: 2))
            cache.setFetcher(of: Counter.self) { ids in ids.map { Counter(id: $0, count: 3) } }
            Task { done.fulfil(try? await cache.fetch(Counter.self, id: 3).count) }
        }
        let task = Task { try await cache.fetch(Counter.self, id: 1) }
        await server.call(0).answer([Counter(id: 1)])
        _ = try await task.value
        #expect(await done.value == 3)
        #expect(cache.get(Counter.self, id: 2)?.count == 2)
        subscription.cancel()
    }

    @Test("A fetcher that waits for an entity of its own call gets an error instead of waiting for ever")
    func cyclic() async throws {
        let errors = Recorder<FetchError.Kind?>()
        cache.setFetcher(of: Counter.self) { ids in
            let error = await #expect(throws: FetchError.self) {
                try await FlatCache.current.fetch(Counter.self, ids: [5, 1])
            }
            errors.record(error?.kind)
            #expect(error?.keys == [Counter.flatCacheKey(id: 1)])
            return ids.map { Counter(id: $0, count: 1) }
        }
        #expect(try await cache.fetch(Counter.self, ids: [1, 2]).count == 2)
        #expect(errors.elements == [.cyclic])
        #expect(cache.isIdle(Counter.self))
    }

    @Test("So does one that waits for it through another fetcher, also if that was called by others before")
    func cyclicThroughOther() async throws {
        let authors = FakeServer<Author>()
        let errors = Recorder<FetchError.Kind?>()
        cache.setFetcher(of: Author.self) { ids in
            let answer = try await authors.load(ids)
            let error = await #expect(throws: FetchError.self) {
                try await FlatCache.current.fetch(Counter.self, id: 1)
            }
            errors.record(error?.kind)
            return answer
        }
        cache.setFetcher(of: Counter.self) { ids in
            _ = try await FlatCache.current.fetch(Author.self, id: "a")
            return ids.map { Counter(id: $0, count: 1) }
        }
        let first = Task { try await cache.fetch(Author.self, id: "a") }
        let call = await authors.call(0)
        let second = Task { try await cache.fetch(Counter.self, id: 1) }
        await until { cache.waiterCount(of: Author.self) == 2 }
        call.answer([Author(id: "a")])
        _ = try await first.value
        #expect(try await second.value.count == 1)
        #expect(errors.elements == [.cyclic])
        #expect(cache.isIdle(Counter.self) && cache.isIdle(Author.self))
    }

    @Test("A fetcher may fetch other entities of its own type")
    func sameType() async throws {
        cache.setFetcher(of: Counter.self) { ids in
            if let id = ids.first, id > 0 {
                let previous = try await FlatCache.current.fetch(Counter.self, id: id - 1)
                return [Counter(id: id, count: previous.count + 1)]
            }
            return ids.map { Counter(id: $0) }
        }
        #expect(try await cache.fetch(Counter.self, id: 20).count == 20)
    }

    @Test("When a fetcher is replaced, its calls go on for those who wait, and new requests are for the new one")
    func replaced() async throws {
        cache.setFetcher(of: Counter.self, server.load)
        let old = Task { try await cache.fetch(Counter.self, id: 1).count }
        let oldCall = await server.call(0)
        let next = FakeServer<Counter>()
        cache.setFetcher(of: Counter.self, next.load)
        let new = Task { try await cache.fetch(Counter.self, id: 1).count }
        let newCall = await next.call(0)
        oldCall.answer([Counter(id: 1, count: 1)])
        #expect(try await old.value == 1)
        #expect(Cached(Counter.self, id: 1, in: cache).status.isLoading)
        newCall.answer([Counter(id: 1, count: 2)])
        #expect(try await new.value == 2)
        #expect(cache.get(Counter.self, id: 1)?.count == 2)
        #expect(cache.isIdle(Counter.self))
        #expect(await eventually { cache.statusSlotCount(of: Counter.self) == 0 })
    }

    @Test("When the answer of the new fetcher comes first, that of the old one is not stored")
    func replacedAndSlower() async throws {
        cache.setFetcher(of: Counter.self, server.load)
        let old = Task { try await cache.fetch(Counter.self, id: 1).count }
        let oldCall = await server.call(0)
        cache.setFetcher(of: Counter.self) { ids in ids.map { Counter(id: $0, count: 2) } }
        #expect(try await cache.fetch(Counter.self, id: 1).count == 2)
        oldCall.answer([Counter(id: 1, count: 1)])
        #expect(try await old.value == 2)
        #expect(cache.get(Counter.self, id: 1)?.count == 2)
    }

    @Test("The waiting batch is for the new fetcher, with its limit and window")
    func replacedBeforeCall() async throws {
        cache.setFetcher(of: Counter.self, batchWindow: .seconds(100), server.load)
        let task = Task { try await cache.fetch(Counter.self, ids: 1...3).map(\.count) }
        await until { clock.sleeperCount == 1 }
        let sizes = Recorder<Int>()
        cache.setFetcher(of: Counter.self, batchLimit: 2) { ids in
            sizes.record(ids.count)
            return ids.map { Counter(id: $0, count: 2) }
        }
        #expect(try await task.value == [2, 2, 2])
        #expect(sizes.elements.sorted() == [1, 2])
        #expect(server.callCount == 0)
        await until { clock.sleeperCount == 0 }
    }

    @Test("When a fetcher is removed, its calls go on, and what waits for its batch fails")
    func removed() async throws {
        cache.setFetcher(of: Counter.self, batchWindow: .seconds(1), server.load)
        let called = Task { try await cache.fetch(Counter.self, id: 1).count }
        await until { clock.sleeperCount == 1 }
        clock.advance(by: .seconds(1))
        let call = await server.call(0)
        let waiting = Task { try await cache.fetch(Counter.self, ids: [2, 3]).count }
        await until { clock.sleeperCount == 1 }
        cache.removeFetcher(of: Counter.self)
        let error = await #expect(throws: FetchError.self) { try await waiting.value }
        #expect(error?.kind == .noFetcher)
        #expect(error?.keys == [Counter.flatCacheKey(id: 2), Counter.flatCacheKey(id: 3)])
        call.answer([Counter(id: 1, count: 1)])
        #expect(try await called.value == 1)
        #expect(cache.isIdle(Counter.self))
        #expect(await eventually { cache.statusSlotCount(of: Counter.self) == 0 })
    }

    @Test("A waiter lends its priority to the call that it joins")
    func priority() async throws {
        let started = Promise<TaskPriority>()
        let resumed = Promise<Void>()
        let raised = Promise<Bool>()
        cache.setFetcher(of: Counter.self) { ids in
            started.fulfil(Task.currentPriority)
            await resumed.value
            while Task.currentPriority < .high { await Task.yield() }
            raised.fulfil(true)
            return ids.map { Counter(id: $0) }
        }
        let low = Task(priority: .low) { try await cache.fetch(Counter.self, id: 1) }
        #expect(await started.value <= .medium)
        let high = Task(priority: .high) { try await cache.fetch(Counter.self, id: 1) }
        await until { cache.waiterCount(of: Counter.self) == 2 }
        resumed.fulfil(())
        #expect(await raised.value)
        _ = try await (low.value, high.value)
    }

    @Test("A call has the highest priority of those who wait for it")
    func firstPriority() async throws {
        let priority = Promise<TaskPriority>()
        cache.setFetcher(of: Counter.self, batchWindow: .seconds(1)) { ids in
            priority.fulfil(Task.currentPriority)
            return ids.map { Counter(id: $0) }
        }
        let low = Task.detached(priority: .background) { try await cache.fetch(Counter.self, id: 1) }
        let high = Task.detached(priority: .high) { try await cache.fetch(Counter.self, id: 2) }
        await until { cache.waiterCount(of: Counter.self) == 2 && clock.sleeperCount == 1 }
        clock.advance(by: .seconds(1))
        #expect(await priority.value >= .high)
        high.cancel()
        low.cancel()
    }
}
