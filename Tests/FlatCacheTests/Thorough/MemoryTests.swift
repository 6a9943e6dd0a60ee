import FlatCache
import Foundation
import TestThreads
import Testing

@Suite("Memory", .mayBlock)
struct MemoryTests {
    @Test("N7: Subscriptions that end leave no slot, and release what their callbacks hold")
    func endedSubscriptions() {
        let cache = FlatCache()
        let alive = Protected(0)
        var kept: [CacheSubscription] = []
        for id in 0..<10_000 {
            let token = Token(alive)
            kept.append(cache.observe(Counter.self, id: id) { _ in withExtendedLifetime(token) {} })
            kept.append(
                cache.observe([Counter.flatCacheKey(id: id)], initial: false) { _ in withExtendedLifetime(token) {} }
            )
        }
        #expect(alive.withLock { $0 } == 10_000)
        #expect(cache.observedKeyCount(of: Counter.self) == 10_000)
        for subscription in kept { subscription.cancel() }
        #expect(alive.withLock { $0 } == 0)
        #expect(cache.observedKeyCount(of: Counter.self) == 0)
        #expect(cache.slotCount(of: Counter.self) == 0)
    }

    #if compiler(>=6.2) && (os(macOS) || os(Linux))
    @Test("N7: Hundreds of thousands of subscriptions, one after the other or at once, return memory to where it was")
    func manySubscriptions() async {
        // A process of its own, because tests that run beside this one need memory too.
        await #expect(processExitsWith: .success) {
            let cache = FlatCache()
            func cycle(_ count: Int) {
                for step in 0..<count { cache.observe(Counter.self, id: step & 0xFFFF) { _ in }.cancel() }
            }
            cycle(10_000)
            // The limits are below the smallest allocation for each subscription.
            let count = ProcessMemory.cycleCount / 2
            var grown = try ProcessMemory.leastGrowth(of: 3) { cycle(count) }
            #expect(grown < 2 << 20, "\(count) cycles leave \(grown) bytes each time")
            grown = try ProcessMemory.leastGrowth(of: 3) {
                let subscriptions = (0..<100_000).map { cache.observe(Counter.self, id: $0) { _ in } }
                for subscription in subscriptions { subscription.cancel() }
            }
            #expect(grown < 2 << 20, "100,000 subscriptions leave \(grown) bytes each time")
            #expect(cache.slotCount(of: Counter.self) == 0)
        }
    }
    #endif

    #if compiler(>=6.2) && os(Linux)
    @Test("S6: No operation on one key copies a table: among 300,000 entities each needs memory for a few")
    func noCopies() async {
        await #expect(processExitsWith: .success) {
            let cache = FlatCache()
            for start in stride(from: 0, to: 300_000, by: 10_000) {
                cache.set(contentsOf: (start..<start + 10_000).map { Counter(id: $0) })
            }
            // Another cache loads the code. Its copies would be small, so that what they leave free hides no other one.
            let other = FlatCache()
            for id in 0..<10 {
                other.set(Counter(id: id))
                useOneKey(id, of: other)
            }
            // The peak is reset.
            let before = try ProcessMemory.inUse()
            try "5".write(toFile: "/proc/self/clear_refs", atomically: false, encoding: .utf8)
            for id in 0..<10 { useOneKey(id, of: cache) }
            let peak = try peakMemory() - before
            // A copy of the references to the entities alone is larger.
            #expect(peak < 2 << 20, "operations on one key have needed \(peak) bytes")
            #expect(cache.count(of: Counter.self) == 300_000 - 10)
        }
    }
    #endif
}

/// Does with one key, which is missing afterwards, what can be done with it.
private func useOneKey(_ id: Int, of cache: FlatCache) {
    let subscriptions = [
        cache.observe(Counter.self, id: id) { _ in },
        cache.observe([Counter.flatCacheKey(id: id)], initial: false) { _ in },
    ]
    let handle = Cached(Counter.self, id: id, in: cache)
    cache.set(Counter(id: id))
    cache.set(contentsOf: [Counter(id: id, count: 1)])
    cache.update(Counter.self, id: id) { $0.count += 1 }
    handle.update { $0.count += 1 }
    cache.read {
        if let counter = cache.get(Counter.self, id: id) { try? handle.set(counter) }
        cache.remove(Counter.self, id: id)
    }
    cache.transaction {
        cache.set(Counter(id: id, count: cache.contains(Counter.self, id: id) ? 1 : 2))
    }
    cache.remove(Counter.self, id: id)
    for subscription in subscriptions { subscription.cancel() }
}

#if os(Linux)
/// The largest amount of memory that was in use since the peak was reset, in bytes.
private func peakMemory() throws -> Int {
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
    return try #require(Int(line.filter(\.isNumber))) * 1024
}
#endif
