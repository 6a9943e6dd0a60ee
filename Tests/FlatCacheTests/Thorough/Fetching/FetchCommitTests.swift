#if DEBUG
import TestThreads
import Testing

@testable import FlatCache

@Suite("Commits of what was fetched", .mayBlock)
struct FetchCommitTests {
    let clock = ManualClock()
    let cache: FlatCache
    let server = FakeServer<Counter>()

    init() {
        cache = FlatCache(clock: clock)
        cache.setFetcher(of: Counter.self, server.load)
    }

    @Test(
        "S8: A batch that ends beside a large commit doesn't wait for that, and knows what it stores and removes",
        arguments: [true, false]
    )
    func besideLargeCommit(isRemoval: Bool) async throws {
        cache.setFetcher(of: Counter.self, batchWindow: .seconds(1), server.load)
        let ids = isRemoval ? [0] : [0, 10_000]
        let task = Task { try await cache.fetch(Counter.self, ids: ids).map(\.count) }
        await until { cache.waiterCount(of: Counter.self) == ids.count && clock.sleeperCount == 1 }
        let commit = StoppedThread(at: .piece) { [cache] in
            if isRemoval {
                cache.removeAll(of: Counter.self)
            } else {
                cache.set(contentsOf: (0..<10_000).map { Counter(id: $0, count: 5) })
            }
        }
        clock.advance(by: .seconds(1))
        if isRemoval {
            #expect(await #expect(throws: FetchError.self) { try await task.value }?.kind == .removed)
        } else {
            let call = await server.call(0)
            #expect(call.ids == [10_000])
            #expect(cache.waiterCount(of: Counter.self, id: 0) == 0)
            #expect(cache.get(Counter.self, id: 0)?.count == 5)
            commit.finish()
            call.answer([Counter(id: 10_000, count: 6)])
            #expect(try await task.value == [5, 6])
        }
        commit.finish()
        #expect(server.callCount == (isRemoval ? 0 : 1))
    }

    @Test(
        "Storing an answer doesn't begin anew because somebody writes what it brings or omits",
        arguments: [true, false]
    )
    func writerThatNeverStops(isOmitted: Bool) async throws {
        let handle = Cached(Counter.self, id: 1, in: cache)
        let task = Task { try await cache.fetch(Counter.self, id: 1) }
        let call = await server.call(0)
        let fetches = cache.existingFetchQueue(of: Counter.self)?.look { Array($0.fetches.values) }
        let part = FetchedPart<Counter>()
        part.requested = try #require(fetches)
        part.entities = isOmitted ? [] : [.whole(Counter(id: 1, count: 1))]
        let planned = FetchCall(FetchTask(number: 0, priority: .medium), for: [], since: cache.lastRevision)
        part.plan(for: planned, in: cache)
        var runs = 0
        _ = stopping(at: .ended, while: { [cache] in cache.set(Counter(id: 1, count: 2)) }) {
            cache.commit { draft in
                runs += 1
                part.store(in: draft)
            }
        }
        #expect(runs == 1)
        call.answer([])
        #expect(try await task.value.count == 2)
        #expect(!handle.status.isLoading)
    }

    @Test("S7: An answer waits for a body that has reserved what it brings")
    func reserved() {
        cache.set(Counter(id: 1))
        let runs = Protected(0)
        let storing = Protected<RunningThread?>(nil)
        cache.update(Counter.self, id: 1) { counter in
            let run = runs.withLock {
                $0 += 1
                return $0
            }
            if run <= 8 {
                RunningThread { [cache] in cache.set(Counter(id: 1, count: run)) }.finish()
            } else if run == 9 {
                storing.withLock { $0 = beginToStore() }
                // Time enough to store it.
                for _ in 0..<100_000 { _ = cache.get(Counter.self, id: 1) }
            }
            counter.count += 1_000
        }
        storing.withLock { $0 }?.finish()
        #expect(runs.withLock { $0 } == 9)
        #expect(cache.get(Counter.self, id: 1)?.count == 5)
    }

    /// Lets a thread commit the answer to a call; returns when it is about to do so.
    private func beginToStore() -> RunningThread {
        let isAboutToStore = Gate("an answer is about to be stored")
        let handler: @Sendable (SyncPoint) -> Void = { if $0 == .listed { isAboutToStore.open() } }
        let thread = RunningThread { [cache] in
            SyncPoint.$handler.withValue(handler) {
                _ = cache.commit { draft in
                    let table = cache.registry.table(of: Counter.self).takeUnretainedValue()
                    draft.table(table).write(Counter(id: 1, count: 5), 1, HashedID(1))
                }
            }
        }
        isAboutToStore.wait()
        return thread
    }
}
#endif
