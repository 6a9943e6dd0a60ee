import FlatCache
import Observation
import Testing

@Suite("Observation of fetching")
struct FetchObservationTests {
    let cache = FlatCache(clock: ManualClock())
    let server = FakeServer<Counter>()

    @Test("A handle tells the Observation framework when loading begins and ends, and what has failed")
    func tracking() async throws {
        cache.setFetcher(of: Counter.self, server.load)
        let handle = Cached(Counter.self, id: 1, in: cache)
        let begun = Promise<Void>()
        withObservationTracking {
            #expect(!handle.status.isLoading)
        } onChange: {
            begun.fulfil(())
        }
        let task = Task { try await handle.fetch() }
        await begun.value
        let call = await server.call(0)
        let failed = Promise<Void>()
        withObservationTracking {
            #expect(handle.status.isLoading)
            #expect(handle.status.error == nil)
        } onChange: {
            failed.fulfil(())
        }
        call.fail(ServerError(number: 2))
        await failed.value
        _ = await task.result
        #expect(handle.status.error?.underlying as? ServerError == ServerError(number: 2))
        let again = Task { try await handle.fetch() }
        await server.call(1).answer([Counter(id: 1, count: 1)])
        _ = try await again.value
        #expect(handle.status.error == nil)
        #expect(!handle.status.isLoading)
        #expect(handle.value?.count == 1)
    }

    @Test("An error does not end the sequence of an entity's values")
    func sequence() async throws {
        cache.setFetcher(of: Counter.self, server.load)
        var values = cache.updates(of: Counter.self, id: 1).makeAsyncIterator()
        #expect(await values.next() == .some(nil))
        let first = Task { try await cache.fetch(Counter.self, id: 1) }
        await server.call(0).fail(ServerError())
        _ = await first.result
        let second = Task { try await cache.fetch(Counter.self, id: 1) }
        await server.call(1).answer([Counter(id: 1, count: 2)])
        #expect(await values.next() == Counter(id: 1, count: 2))
        _ = try await second.value
    }

    @Test(
        "The states of a handle begin with that of now, and go on through loading, failing, loading again and success"
    )
    func states() async throws {
        struct Seen: Equatable {
            var count: Int?
            var isLoading = false
            var hasFailed = false

            init(_ count: Int? = nil, isLoading: Bool = false, hasFailed: Bool = false) {
                self.count = count
                self.isLoading = isLoading
                self.hasFailed = hasFailed
            }

            init(_ handle: Cached<Counter>) {
                let status = handle.status
                self.init(handle.value?.count, isLoading: status.isLoading, hasFailed: status.error != nil)
            }
        }
        cache.setFetcher(of: Counter.self, server.load)
        let handle = Cached(Counter.self, id: 1, in: cache)
        var states = cache.updates({ Seen(handle) }).makeAsyncIterator()
        #expect(await states.next() == Seen())
        let first = Task { try await handle.fetch() }
        #expect(await states.next() == Seen(isLoading: true))
        await server.call(0).fail(ServerError())
        #expect(await states.next() == Seen(hasFailed: true))
        _ = await first.result
        cache.set(Counter(id: 1, count: 5))
        #expect(await states.next() == Seen(5, hasFailed: true))
        let second = Task { try await handle.fetch(.networkOnly) }
        #expect(await states.next() == Seen(5, isLoading: true, hasFailed: true))
        await server.call(1).answer([Counter(id: 1, count: 6)])
        #expect(await states.next() == Seen(6))
        _ = try await second.value
    }

    @Test("A handle need not be kept for what is read of its fetching to be tracked")
    func passingHandle() async throws {
        cache.setFetcher(of: Counter.self) { ids in ids.map { Counter(id: $0) } }
        let notified = Promise<Void>()
        withObservationTracking {
            #expect(!Cached(Counter.self, id: 1, in: cache).status.isLoading)
        } onChange: {
            notified.fulfil(())
        }
        _ = try await cache.fetch(Counter.self, id: 1)
        await notified.value
    }

    @Test("A waiter and the observers get one state: the value is there, and nothing is loading")
    func oneState() async throws {
        cache.setFetcher(of: Counter.self) { ids in ids.map { Counter(id: $0, count: 1) } }
        let handle = Cached(Counter.self, id: 1, in: cache)
        let seen = Recorder<Bool>()
        let subscription = handle.observe(initial: false) { change in
            if change.kind == .inserted { seen.record(handle.status.isLoading) }
        }
        _ = try await handle.fetch()
        #expect(seen.elements == [false])
        subscription.cancel()
    }

    @Test("An error is cleared by the answer of any fetcher, and by clearing the cache")
    func errorsEnd() async throws {
        cache.setFetcher(of: Counter.self) { _ in throw ServerError() }
        let handles = (1...2).map { Cached(Counter.self, id: $0, in: cache) }
        _ = try? await cache.fetch(Counter.self, ids: [1, 2])
        #expect(handles.allSatisfy { $0.status.error != nil })
        cache.setFetcher(of: Post.self) { ids, answer in
            answer.insert(Counter(id: 1))
            answer.insert(contentsOf: ids.map { Post(id: $0) })
        }
        _ = try await cache.fetch(Post.self, id: "a")
        #expect(handles[0].status.error == nil)
        #expect(handles[1].status.error != nil)
        cache.removeAll()
        #expect(handles[1].status.error == nil)
    }
}
