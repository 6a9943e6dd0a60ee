#if DEBUG
import Foundation
import TestThreads
import Testing

@testable import FlatCache

@Suite("Races of sequences of each commit", .mayBlock)
struct CommitOrderRaces {
    let cache = FlatCache()
    /// Two identifiers whose shards differ, so that their commits don't wait for each other.
    private let ids = (first: 1, second: (2...).first { HashedID($0).shard != HashedID(1).shard } ?? 2)

    /// A way to change the first counter, so slowly that the commit of the second one overtakes it.
    enum SlowCommit: CaseIterable {
        case single, transaction

        func make(_ id: Int, in cache: FlatCache) {
            switch self {
            case .single: cache.set(Counter(id: id))
            case .transaction: cache.transaction { cache.set(Counter(id: id)) }
            }
        }
    }

    @Test(
        "A commit isn't delivered before one with a lower revision, which notifies later",
        arguments: SlowCommit.allCases
    )
    func overtaken(by slow: SlowCommit) async throws {
        var commits = cache.changes(ofAll: Counter.self, buffering: .each(atMost: 10)).makeAsyncIterator()
        let first = StoppedThread(at: .drawn) { [cache, ids] in slow.make(ids.first, in: cache) }
        cache.set(Counter(id: ids.second))
        let read = Recorder<Int>()
        // The reader waits for the lock of the first commit. If it didn't, it would read the second one in this time.
        let end = RunningThread { [read] in
            for _ in 0..<10_000 where read.count == 0 { pause(3) }
            first.finish()
        }
        for _ in 0..<2 { read.record(try #require(try await commits.next()?.inserted.first?.id)) }
        end.finish()
        #expect(read.elements == [ids.first, ids.second])
    }

    @Test("If a lower revision finds no place, the sequence throws before it delivers a higher one")
    func lostBeforeOthers() async throws {
        var commits = cache.changes(ofAll: Counter.self, buffering: .each(atMost: 2)).makeAsyncIterator()
        cache.set(Counter(id: ids.second))
        let first = StoppedThread(at: .drawn) { [cache, ids] in cache.set(Counter(id: ids.first)) }
        cache.set(Counter(id: ids.second, count: 1))
        first.finish()
        #expect(try await commits.next()?.inserted.map(\.id) == [ids.second])
        await #expect(throws: FlatCache.OverflowError(limit: 2)) { try await commits.next() }
        #expect(try await commits.next() == nil)
    }

    @Test("A commit that overflows while an iterator is released ends the observation once")
    func overflowWhileReleased() {
        let sequence = cache.changes(ofAll: Counter.self, buffering: .each(atMost: 1))
        var commits: Any? = sequence.makeAsyncIterator()
        cache.set(Counter(id: 1))
        let second = StoppedThread(at: .committed) { [cache] in cache.set(Counter(id: 2)) }
        withExtendedLifetime(commits) {}
        commits = nil
        second.finish()
        #expect(!cache.isWatched(Counter.self))
    }
}
#endif
