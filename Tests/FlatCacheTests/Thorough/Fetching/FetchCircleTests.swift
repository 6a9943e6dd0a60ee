import FlatCache
import Testing

@Suite("Fetchers that wait for each other", .ends)
struct FetchCircleTests {
    let cache = FlatCache(clock: ManualClock())
    let errors = Recorder<FetchError.Kind?>()

    /// Ways for a fetcher to wait for something: all of them are part of its task.
    enum Wait: CaseIterable, Sendable {
        case itself, asyncLet, group, throwingGroup, discardingGroup, nested
        case actor, mainActor, preference, childPreference

        func run(_ fetch: @escaping @Sendable () async -> Void) async {
            switch self {
            case .itself: await fetch()
            case .asyncLet:
                async let fetched: Void = fetch()
                await fetched
            case .group: await withTaskGroup(of: Void.self) { $0.addTask(operation: fetch) }
            case .throwingGroup:
                await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask(operation: fetch)
                    try? await group.waitForAll()
                }
            case .discardingGroup: await withDiscardingTaskGroup { $0.addTask(operation: fetch) }
            case .nested:
                await withTaskGroup(of: Void.self) { group in
                    group.addTask {
                        async let fetched: Void = fetch()
                        await fetched
                    }
                }
            case .actor: await Runner().run(fetch)
            case .mainActor: await runOnMain(fetch)
            case .preference: await withTaskExecutorPreference(globalConcurrentExecutor) { await fetch() }
            case .childPreference:
                await withTaskGroup(of: Void.self) {
                    $0.addTask(executorPreference: globalConcurrentExecutor, operation: fetch)
                }
            }
        }

        @MainActor private func runOnMain(_ body: @Sendable () async -> Void) async { await body() }
    }

    private actor Runner {
        func run(_ body: @Sendable () async -> Void) async { await body() }
    }

    @Test("A fetcher that waits for its own call in whatever way gets an error", arguments: Wait.allCases)
    func own(wait: Wait) async throws {
        cache.setFetcher(of: Counter.self) { [errors] ids in
            await wait.run {
                let error = await #expect(throws: FetchError.self) {
                    try await FlatCache.current.fetch(Counter.self, id: 1)
                }
                errors.record(error?.kind)
            }
            return ids.map { Counter(id: $0, count: 1) }
        }
        #expect(try await cache.fetch(Counter.self, id: 1).count == 1)
        #expect(errors.elements == [.cyclic])
        #expect(cache.isIdle(Counter.self))
    }

    @Test("So does one that closes a circle over another cache", arguments: Wait.allCases)
    func otherCache(wait: Wait) async throws {
        let other = FlatCache(clock: ManualClock())
        cache.setFetcher(of: Counter.self) { ids in
            await wait.run { _ = try? await other.fetch(Author.self, id: "a") }
            return ids.map { Counter(id: $0, count: 1) }
        }
        other.setFetcher(of: Author.self) { [cache, errors] ids in
            await wait.run {
                let error = await #expect(throws: FetchError.self) { try await cache.fetch(Counter.self, id: 1) }
                errors.record(error?.kind)
            }
            return ids.map { Author(id: $0) }
        }
        #expect(try await cache.fetch(Counter.self, id: 1).count == 1)
        #expect(errors.elements == [.cyclic])
        #expect(cache.isIdle(Counter.self) && other.isIdle(Author.self))
    }

    @Test("A task that a fetcher starts may fetch what that fetcher is fetching, for nobody waits for the task")
    func unstructured() async throws {
        let tasks = Recorder<Task<Int, any Error>>()
        let departure = Promise<Void>()
        cache.setFetcher(of: Counter.self) { ids in
            tasks.record(Task { try await FlatCache.current.fetch(Counter.self, id: 1).count })
            await departure.value
            return ids.map { Counter(id: $0, count: 7) }
        }
        let first = Task { try await cache.fetch(Counter.self, id: 1).count }
        await until { cache.waiterCount(of: Counter.self) == 2 || tasks.count == 1 && cache.isIdle(Counter.self) }
        departure.fulfil(())
        #expect(try await first.value == 7)
        #expect(try await tasks.elements[0].value == 7)
    }

    @Test("It may wait for another fetcher that waits for that one")
    func unstructuredThroughOther() async throws {
        let tasks = Recorder<Task<String, any Error>>()
        let departure = Promise<Void>()
        cache.setFetcher(of: Counter.self) { ids in
            tasks.record(Task { try await FlatCache.current.fetch(Author.self, id: "a").name })
            await departure.value
            return ids.map { Counter(id: $0, count: 7) }
        }
        cache.setFetcher(of: Author.self) { ids in
            let count = try await FlatCache.current.fetch(Counter.self, id: 1).count
            return ids.map { Author(id: $0, name: "\(count)") }
        }
        let first = Task { try await cache.fetch(Counter.self, id: 1).count }
        await until { cache.waiterCount(of: Counter.self) == 2 }
        departure.fulfil(())
        #expect(try await first.value == 7)
        #expect(try await tasks.elements[0].value == "7")
    }

    @Test(
        "The fetches of a task after the call that has started it are no part of that call",
        arguments: [true, false]
    )
    func afterwards(hasPreference: Bool) async throws {
        let departure = Promise<Void>()
        let tasks = Recorder<Task<[Int], any Error>>()
        cache.setFetcher(of: Counter.self) { ids in
            if ids == [1] {
                let preference = hasPreference ? globalConcurrentExecutor : nil
                let task = Task(executorPreference: preference) {
                    await departure.value
                    let ids = [1, 2]
                    return try await FlatCache.current.fetch(Counter.self, ids: ids, .networkOnly).map(\.count)
                }
                tasks.record(task)
            }
            return ids.map { Counter(id: $0, count: 7) }
        }
        _ = try await cache.fetch(Counter.self, id: 1)
        await until { cache.isIdle(Counter.self) }
        departure.fulfil(())
        #expect(try await tasks.elements[0].value == [7, 7])
    }

    @Test("A wait that is over closes no circle any more")
    func pastWait() async throws {
        let authors = FakeServer<Author>()
        cache.setFetcher(of: Author.self, batchLimit: 2) { [errors] ids in
            let answer = try await authors.load(ids)
            if ids.contains("c") {
                do {
                    _ = try await FlatCache.current.fetch(Counter.self, id: 1)
                    errors.record(nil)
                } catch {
                    errors.record((error as? FetchError)?.kind)
                }
            }
            return answer
        }
        cache.setFetcher(of: Counter.self) { ids in
            // The first is in the call of the author "c".
            _ = try await FlatCache.current.fetch(Author.self, ids: ["a", "b"])
            return ids.map { Counter(id: $0, count: 1) }
        }
        cache.setFetcher(of: Post.self) { ids, answer in
            answer.insert(contentsOf: ids.map { Post(id: $0) })
            answer.insert(Author(id: "a"))
        }
        let busy = Guest()
        let author = Task { try await busy.fetchAuthors(["c"], from: cache) }
        await busy.executor.run { cache.waiterCount(of: Author.self) == 1 }
        let counter = Task { try await cache.fetch(Counter.self, id: 1).count }
        let calls = [await authors.call(0), await authors.call(1)].sorted { $0.ids.count > $1.ids.count }
        #expect(calls.map(\.ids) == [["a", "c"], ["b"]])
        _ = try await cache.fetch(Post.self, id: "p")
        #expect(cache.waiterCount(of: Author.self, id: "a") == 0)
        calls[0].answer([Author(id: "c")])
        await until { cache.waiterCount(of: Counter.self) == 2 || errors.count == 1 }
        calls[1].answer([Author(id: "b")])
        #expect(try await counter.value == 1)
        #expect(try await busy.finish(author) == ["c"])
        #expect(errors.elements == [nil])
    }

    @Test("A fetcher may fetch for itself what it has started a task for")
    func both() async throws {
        let tasks = Recorder<Task<Int, any Error>>()
        cache.setFetcher(of: Counter.self) { ids in
            if ids == [1] {
                tasks.record(Task { try await FlatCache.current.fetch(Counter.self, id: 2).count })
                let two = try await FlatCache.current.fetch(Counter.self, id: 2).count
                return [Counter(id: 1, count: two + 1)]
            }
            return ids.map { Counter(id: $0, count: 5) }
        }
        #expect(try await cache.fetch(Counter.self, id: 1).count == 6)
        #expect(try await tasks.elements[0].value == 5)
    }
}
