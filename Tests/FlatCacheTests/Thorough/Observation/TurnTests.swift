#if DEBUG
import FlatCache
import Foundation
import TestThreads
import Testing

/// Who calls an observer, and how often.
@Suite("Turns to call an observer", .mayBlock)
struct TurnTests {
    let cache = FlatCache()

    /// The ways to observe a counter by calls.
    enum Way: CaseIterable {
        case oneKey, severalKeys, derived

        func observe(_ cache: FlatCache, _ onChange: @escaping @Sendable (Int?) -> Void) -> CacheSubscription {
            switch self {
            case .oneKey: cache.observe(Counter.self, id: 1) { onChange($0.value?.count) }
            case .severalKeys:
                cache.observe([Counter.flatCacheKey(id: 1)], initial: false) { _ in
                    onChange(cache.get(Counter.self, id: 1)?.count)
                }
            case .derived:
                cache.observe {
                    cache.get(Counter.self, id: 1)?.count
                } onChange: {
                    onChange($0)
                }
            }
        }
    }

    @Test("S7: A commit calls an observer at most twice, however busy other threads are", arguments: Way.allCases)
    func atMostTwice(way: Way) async {
        let writerOfCalls = Recorder<ThreadMark>()
        let last = Recorder<Int?>()
        let subscription = way.observe(cache) { [cache] count in
            writerOfCalls.record(ThreadMark.current)
            last.record(count)
            // While each of the first calls runs, another thread writes.
            if writerOfCalls.count < 20 {
                RunningThread { cache.set(Counter(id: 1, count: writerOfCalls.count)) }.finishInLibrary()
            }
        }
        let before = writerOfCalls.take().count
        let own = Recorder<Int>()
        RunningThread { [cache] in
            let mark = ThreadMark.current
            cache.set(Counter(id: 1, count: 100))
            own.record(writerOfCalls.elements.count { $0 == mark })
        }.finish()
        #expect(own.elements.allSatisfy { $0 <= 2 } && own.count == 1)
        // Nothing is lost: a task calls with what waits.
        await until {
            last.elements.last == cache.get(Counter.self, id: 1)?.count && writerOfCalls.count + before >= 20
        }
        subscription.cancel()
    }

    @Test("N1: A chain of observers of whom each writes the next key is as long as one likes")
    func longChain() {
        let count = 50_000
        let subscriptions = (0..<count).map { number in
            Cached(Counter.self, id: number, in: cache).observe(initial: false) { [cache] change in
                cache.set(Counter(id: number + 1, count: change.value?.count ?? 0))
            }
        }
        cache.set(Counter(id: 0, count: 7))
        #expect(cache.get(Counter.self, id: count)?.count == 7)
        for subscription in subscriptions { subscription.cancel() }
    }

    @Test("N1: A callback's writes notify when the callback has returned, in the order of the commits")
    func nestedCommits() {
        let notified = Recorder<String>()
        let first = Cached(Counter.self, id: 1, in: cache).observe(initial: false) { [cache] _ in
            notified.record("1 begins")
            cache.set(Counter(id: 2))
            cache.set(Counter(id: 3))
            notified.record("1 ends")
        }
        let others = [2, 3].map { id in
            Cached(Counter.self, id: id, in: cache).observe(initial: false) { _ in notified.record("\(id)") }
        }
        cache.set(Counter(id: 1))
        #expect(notified.elements == ["1 begins", "1 ends", "2", "3"])
        for subscription in others + [first] { subscription.cancel() }
    }
}

/// Tells threads apart.
struct ThreadMark: Equatable, Sendable {
    private let thread: ObjectIdentifier

    static var current: ThreadMark { ThreadMark(thread: ObjectIdentifier(Thread.current)) }
}
#endif
