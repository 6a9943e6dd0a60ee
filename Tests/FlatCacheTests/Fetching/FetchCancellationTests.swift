import Testing

@testable import FlatCache

@Suite("Cancellation of fetching")
struct FetchCancellationTests {
    let clock = ManualClock()
    let cache: FlatCache
    let server = FakeServer<Counter>()

    init() {
        cache = FlatCache(clock: clock)
        cache.setFetcher(of: Counter.self, server.load)
    }

    private func waiter(_ id: Int, _ count: Int) async -> Task<Int, any Error> {
        let task = Task { try await cache.fetch(Counter.self, id: id).count }
        await until { cache.waiterCount(of: Counter.self) == count }
        return task
    }

    @Test("F2: Cancelling one waiter, whichever, leaves the others and the call", arguments: 0..<3)
    func oneOfThree(_ cancelled: Int) async throws {
        var waiters: [Task<Int, any Error>] = []
        for number in 0..<3 { waiters.append(await waiter(1, number + 1)) }
        let call = await server.call(0)
        waiters[cancelled].cancel()
        await #expect(throws: FetchError.self) { try await waiters[cancelled].value }
        #expect(cache.waiterCount(of: Counter.self) == 2)
        #expect(Cached(Counter.self, id: 1, in: cache).status.isLoading)
        call.answer([Counter(id: 1, count: 7)])
        for number in 0..<3 where number != cancelled { #expect(try await waiters[number].value == 7) }
        #expect(server.callCount == 1)
    }

    @Test("F2: Cancelling the last waiter cancels the call, and does not wait for it")
    func last() async throws {
        let waiters = [await waiter(1, 1), await waiter(1, 2)]
        let call = await server.call(0)
        for waiter in waiters { waiter.cancel() }
        for waiter in waiters {
            let error = await #expect(throws: FetchError.self) { try await waiter.value }
            #expect(error?.kind == .cancelled)
            #expect(error?.keys == [Counter.flatCacheKey(id: 1)])
        }
        // The fetcher is still hanging.
        await call.cancelled()
        #expect(cache.isIdle(Counter.self))
        #expect(cache.statusSlotCount(of: Counter.self) == 0)
        // The next request is a call of its own.
        let next = await waiter(1, 1)
        await server.call(1).answer([Counter(id: 1, count: 2)])
        #expect(try await next.value == 2)
        call.answer([Counter(id: 1, count: 1)])
        #expect(cache.get(Counter.self, id: 1)?.count == 2)
    }

    @Test("F2: A call goes on as long as somebody waits for one of its entities, and the others can be joined")
    func oneOfSeveralEntities() async throws {
        let both = Task { try await cache.fetch(Counter.self, ids: [1, 2]).count }
        let call = await server.call(0)
        let second = await waiter(2, 3)
        both.cancel()
        await #expect(throws: FetchError.self) { try await both.value }
        #expect(cache.waiterCount(of: Counter.self) == 1)
        let first = await waiter(1, 2)
        call.answer([Counter(id: 1, count: 1), Counter(id: 2, count: 2)])
        #expect(try await first.value == 1)
        #expect(try await second.value == 2)
        #expect(server.callCount == 1)
    }

    @Test("A waiter that is cancelled in the open batch leaves it; an empty batch makes no call")
    func openBatch() async throws {
        cache.setFetcher(of: Counter.self, batchWindow: .seconds(1), server.load)
        let first = await waiter(1, 1)
        let second = await waiter(2, 2)
        first.cancel()
        await #expect(throws: FetchError.self) { try await first.value }
        #expect(cache.statusCount(of: Counter.self) == 1)
        second.cancel()
        await #expect(throws: FetchError.self) { try await second.value }
        #expect(cache.isIdle(Counter.self))
        #expect(cache.statusSlotCount(of: Counter.self) == 0)
        await until { clock.sleeperCount == 0 }
        let third = await waiter(3, 1)
        await until { clock.sleeperCount == 1 }
        clock.advance(by: .seconds(1))
        let call = await server.call(0)
        #expect(call.ids == [3])
        call.answer([Counter(id: 3, count: 3)])
        #expect(try await third.value == 3)
    }

    @Test("A task that is cancelled already makes no call, but gets what needs none")
    func cancelledBefore() async throws {
        cache.set(Counter(id: 2, count: 2))
        let task = Task { () async throws in
            withUnsafeCurrentTask { $0?.cancel() }
            #expect(try await cache.fetch(Counter.self, id: 2).count == 2)
            await #expect(throws: FetchError.self) { try await cache.fetch(Counter.self, id: 1) }
        }
        try await task.value
        #expect(server.callCount == 0)
        #expect(cache.isIdle(Counter.self))
        #expect(cache.statusSlotCount(of: Counter.self) == 0)
    }

    @Test("Requests that are cancelled again and again in one batch leave nothing in it")
    func batchOfCancelled() async throws {
        cache.setFetcher(of: Counter.self, batchWindow: .seconds(1), server.load)
        let first = await waiter(0, 1)
        for id in 1...1_000 {
            let task = await waiter(id, 2)
            task.cancel()
            _ = await task.result
        }
        let fetchCount = cache.existingFetchQueue(of: Counter.self)?.look { $0.batch?.fetches.count }
        #expect(try #require(fetchCount) <= 64)
        #expect(cache.slotCount(of: Counter.self) <= 64)
        await until { clock.sleeperCount == 1 }
        clock.advance(by: .seconds(1))
        let call = await server.call(0)
        #expect(call.ids == [0])
        call.answer([Counter(id: 0, count: 5)])
        #expect(try await first.value == 5)
    }

    @Test("F2: Twenty thousand waiters are served, and can be cancelled one after the other", arguments: [true, false])
    func manyWaiters(areCancelled: Bool) async throws {
        let tasks = (0..<20_000).map { _ in Task { try await cache.fetch(Counter.self, id: 1).count } }
        await until { cache.waiterCount(of: Counter.self, id: 1) == tasks.count }
        let call = await server.call(0)
        if areCancelled {
            for task in tasks { task.cancel() }
            await call.cancelled()
        } else {
            call.answer([Counter(id: 1, count: 5)])
        }
        for task in tasks {
            let count = try? await task.value
            if count != (areCancelled ? nil : 5) { Issue.record("\(String(describing: count))") }
        }
        #expect(server.callCount == 1)
        #expect(cache.isIdle(Counter.self))
    }

    @Test("A waiter may be cancelled while observers are notified that its entity is loading")
    func whileAnnouncing() async throws {
        let handle = Cached(Counter.self, id: 1, in: cache)
        let task = Protected<Task<Void, any Error>?>(nil)
        let started = Promise<Void>()
        let statuses = Cached(FetchStatus<Counter>.self, id: 1, in: cache)
        let subscription = statuses.observe(initial: false) { change in
            if change.kind == .inserted { task.withLock { $0 }?.cancel() }
        }
        let fetching = Task {
            await started.value
            _ = try await handle.fetch()
        }
        task.withLock { $0 = fetching }
        started.fulfil(())
        await #expect(throws: FetchError.self) { try await fetching.value }
        #expect(!handle.status.isLoading)
        #expect(handle.status.error == nil)
        #expect(cache.isIdle(Counter.self))
        #expect(server.callCount == 0)
        subscription.cancel()
    }

    @Test("Being cancelled is no error of the handle, and leaves an earlier one")
    func earlierError() async throws {
        let handle = Cached(Counter.self, id: 1, in: cache)
        let first = await waiter(1, 1)
        await server.call(0).fail(ServerError(number: 1))
        await #expect(throws: FetchError.self) { try await first.value }
        let second = await waiter(1, 1)
        await until { handle.status.isLoading }
        #expect(handle.status.error?.underlying as? ServerError == ServerError(number: 1))
        second.cancel()
        await #expect(throws: FetchError.self) { try await second.value }
        #expect(!handle.status.isLoading)
        #expect(handle.status.error?.underlying as? ServerError == ServerError(number: 1))
    }
}
