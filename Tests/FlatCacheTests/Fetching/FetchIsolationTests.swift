import FlatCache
import TestThreads
import Testing

@Suite("Fetching beside actors that are busy", .ends, .mayBlock)
struct FetchIsolationTests {
    let clock = ManualClock()
    let cache: FlatCache
    let calls = Recorder<Set<Int>>()
    /// Asks first, and is busy then.
    let busy = Guest()

    init() {
        cache = FlatCache(clock: clock)
        setFetcher()
    }

    private func setFetcher(window: Duration? = nil, limit: Int = .max) {
        cache.setFetcher(of: Counter.self, batchLimit: limit, batchWindow: window) { [calls] ids in
            calls.record(ids)
            return ids.map { Counter(id: $0, count: 1) }
        }
    }

    @Test(
        "F4: A request for another entity, the same or both doesn't wait for the actor",
        arguments: [[2], [1], [1, 2]]
    )
    func other(ids: [Int]) async throws {
        let first = await busy.begin([1], from: cache)
        #expect(try await cache.fetch(Counter.self, ids: ids).map(\.count) == ids.map { _ in 1 })
        #expect(calls.elements == [Set(ids + [1])])
        #expect(try await busy.finish(first) == [1])
        #expect(calls.count == 1)
    }

    @Test("F4: Nor does another actor, whichever is busy", arguments: [true, false])
    func otherActor(isFirst: Bool) async throws {
        let other = Guest()
        let (slow, quick) = isFirst ? (busy, other) : (other, busy)
        var tasks: [ObjectIdentifier: Task<[Int], any Error>] = [:]
        for guest in [busy, other] {
            tasks[ObjectIdentifier(guest)] = await guest.begin([1, guest === busy ? 2 : 3], from: cache)
        }
        let quickTask = try #require(tasks[ObjectIdentifier(quick)])
        #expect(try await quick.finish(quickTask) == [1, 1])
        #expect(calls.elements == [[1, 2, 3]])
        let slowTask = try #require(tasks[ObjectIdentifier(slow)])
        #expect(try await slow.finish(slowTask) == [1, 1])
    }

    @Test("F4: Nor does an actor that joins what was asked for without one")
    func nonisolatedFirst() async throws {
        // Holds its turn back until the actor has joined. Otherwise the answer can come before, and nobody joins.
        setFetcher(window: .seconds(1))
        let first = Task { try await cache.fetch(Counter.self, id: 1).count }
        await until { clock.sleeperCount == 1 }
        let second = await busy.begin([1], from: cache)
        setFetcher()
        #expect(try await busy.finish(second) == [1])
        #expect(try await first.value == 1)
    }

    @Test("F4: The actor's requests that come after that are the next batch")
    func nextBatch() async throws {
        let first = await busy.begin([1], from: cache)
        _ = try await cache.fetch(Counter.self, id: 2)
        let third = await busy.begin([3, 4], from: cache)
        #expect(try await busy.finish(third) == [1, 1])
        #expect(try await first.value == [1])
        #expect(calls.elements == [[1, 2], [3, 4]])
    }

    @Test("F4: A cancelled request of a busy actor holds nobody up")
    func cancelled() async throws {
        let first = await busy.begin([1, 2], from: cache)
        let other = Guest()
        let second = await other.begin([1], from: cache)
        first.cancel()
        #expect(try await other.finish(second) == [1])
        await #expect(throws: FetchError.self) { try await busy.finish(first) }
    }

    @Test("F4: The window of a batch ends while the actor that has opened it is busy")
    func window() async throws {
        setFetcher(window: .seconds(1))
        let first = await busy.begin([1], from: cache)
        let second = Task { try await cache.fetch(Counter.self, id: 2).count }
        await until { clock.sleeperCount == 1 && cache.waiterCount(of: Counter.self) == 2 }
        clock.advance(by: .seconds(1))
        #expect(try await second.value == 1)
        #expect(try await busy.finish(first) == [1])
        #expect(calls.elements == [[1, 2]])
    }

    @Test("F4: A fetcher that is set later takes over what a busy actor has asked for")
    func replaced() async throws {
        let first = await busy.begin([1], from: cache)
        setFetcher(limit: 1)
        await until { calls.count == 1 }
        #expect(try await busy.finish(first) == [1])
    }

    @Test("F4: A waiter with more priority doesn't wait for a turn with less")
    func priority() async throws {
        let first = await busy.begin([1], from: cache)
        let second = Task.detached(priority: .background) { try await cache.fetch(Counter.self, id: 1).count }
        let third = Task.detached(priority: .high) { try await cache.fetch(Counter.self, id: 1).count }
        #expect(try await third.value == 1)
        #expect(try await second.value == 1)
        #expect(try await busy.finish(first) == [1])
    }

    #if DEBUG
    @Test("F4: Nor does who joins while the actor tells observers that the entity is loading")
    func announcing() async throws {
        let handle = Cached(Counter.self, id: 1, in: cache)
        let departure = Gate("the observer may go on")
        let arrival = Promise<Void>()
        let isFirst = Protected(true)
        let subscription = cache.observe {
            handle.status.isLoading
        } onChange: { isLoading in
            let isFirstLoading = isFirst.withLock { isFirst in
                defer { if isLoading { isFirst = false } }
                return isLoading && isFirst
            }
            guard isFirstLoading else { return }
            arrival.fulfil(())
            departure.wait()
        }
        let task = Task { try await onOwnThreads { try await busy.fetch([1, 2], from: cache) } }
        let thread = RunningThread { [busy] in while isFirst.withLock({ $0 }) { busy.executor.step() } }
        await arrival.value
        #expect(try await cache.fetch(Counter.self, id: 1).count == 1)
        departure.open()
        thread.finish()
        #expect(try await busy.finish(task) == [1, 1])
        await until { !handle.status.isLoading }
        subscription.cancel()
    }
    #endif

    @Test("F4: A hundred actors, nearly all of them busy, are served by the turn of one")
    func many() async throws {
        let guests = (0..<100).map { _ in Guest() }
        var tasks: [Task<[Int], any Error>] = []
        for (number, guest) in guests.enumerated() { tasks.append(await guest.begin([number], from: cache)) }
        #expect(try await guests[60].finish(tasks[60]) == [1])
        #expect(calls.elements == [Set(0..<100)])
        for (guest, task) in zip(guests, tasks) { #expect(try await guest.finish(task) == [1]) }
        #expect(calls.count == 1)
        #expect(cache.isIdle(Counter.self))
    }
}
