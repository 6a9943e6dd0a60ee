import Foundation
import TestThreads
import Testing

@testable import FlatCache

@Suite("Entities that derived observation releases", .mayBlock)
struct DerivedReleaseTests {
    #if compiler(>=6.2) && (os(macOS) || os(Linux))
    @Test(
        "N1: Entities may read and write the cache when a derived observer releases them",
        arguments: [1, 2, 3]
    )
    func releasedEntities(writes: Int) async {
        // A process of its own, because a fault would end in a deadlock.
        await #expect(processExitsWith: .success) { [writes] in
            let thread = RunningThread {
                let cache = FlatCache()
                cache.set(Releasing(id: 1, count: 0, cache))
                let subscription = cache.observe {
                    cache.get(Releasing.self, id: 1)?.count
                } onChange: { count in
                    guard count == 0 else { return }
                    for count in 1...writes { cache.set(Releasing(id: 1, count: count, cache)) }
                }
                var iterator: CacheUpdates<Int?>.AsyncIterator? =
                    cache.updates { cache.get(Releasing.self, id: 1)?.count }.makeAsyncIterator()
                for count in 10...12 { cache.set(Releasing(id: 1, count: count, cache)) }
                iterator = nil
                withExtendedLifetime(iterator) {}
                subscription.cancel()
                cache.removeAll()
            }
            if await onOwnThreads({ !thread.ends(within: 20) }) { exit(1) }
        }
    }
    #endif
}

/// An entity that uses the cache when it is released.
private struct Releasing: Cachable {
    let id: Int
    let count: Int
    private let user: User

    init(id: Int, count: Int, _ cache: FlatCache) {
        self.id = id
        self.count = count
        user = User(cache, count)
    }

    private final class User: Sendable {
        private let cache: WeakCache
        private let count: Int

        init(_ cache: FlatCache, _ count: Int) {
            self.cache = WeakCache(cache)
            self.count = count
        }

        deinit {
            guard let cache = cache.cache else { return }
            _ = cache.contains(Releasing.self, id: 1)
            cache.set(Counter(id: count))
        }
    }

    private final class WeakCache: @unchecked Sendable {  // Is set only by the initializer.
        private(set) weak var cache: FlatCache?

        init(_ cache: FlatCache) {
            self.cache = cache
        }
    }
}
