import Testing

@testable import FlatCache

@Suite("Memory of slots")
struct SlotMemoryTests {
    @Test("A slot that uses the memory of a dropped slot has another identity")
    func identities() {
        let cache = FlatCache()
        cache.set(Counter(id: 0))
        let first = identity(of: 0, in: cache)
        cache.remove(Counter.self, id: 0)
        for id in 1..<10_000 {
            cache.set(Counter(id: id))
            let next = identity(of: id, in: cache)
            #expect(next != first)
            cache.remove(Counter.self, id: id)
            if next.address == first.address { return }
        }
        #if !FLATCACHE_SINGLE_SLOTS
        Issue.record("No memory was used again.")
        #endif
    }

    @Test("Chunks without slots are freed", arguments: [1, 100, 10_000])
    func chunks(count: Int) {
        let cache = FlatCache()
        for round in 0..<3 {
            for id in 0..<count { cache.set(Counter(id: id, count: round)) }
            for id in 0..<count { #expect(cache.get(Counter.self, id: id)?.count == round) }
            if round == 1 {
                cache.removeAll(of: Counter.self)
            } else {
                for id in 0..<count { cache.remove(Counter.self, id: id) }
            }
            for shard in cache.registry.table(of: Counter.self).takeUnretainedValue().shards.all {
                shard.lock()
                let chunk = shard.pointer.pointee.slab.available
                #expect(chunk?.pointee.next == nil)
                #expect((chunk?.pointee.used ?? 0) == 0)
                #expect((chunk?.pointee.capacity ?? 0) <= 4)
                shard.unlock()
            }
        }
    }

    @Test(
        "A handle reads its entity after a removal of all, and releases its slot afterwards",
        arguments: [false, true]
    )
    func handles(isObserved: Bool) {
        let cache = FlatCache()
        for id in 0..<10_000 { cache.set(Counter(id: id)) }
        let subscription = isObserved ? cache.observe(Counter.self, id: 4_999) { _ in } : nil
        var handles: [Cached<Counter>]? = stride(from: 0, to: 10_000, by: 1_000).map {
            Cached(Counter.self, id: $0, in: cache)
        }
        cache.removeAll(of: Counter.self)
        #expect(cache.slotCount(of: Counter.self) == (isObserved ? 11 : 10))
        cache.set(Counter(id: 3_000, count: 7))
        #expect(handles?[3].value?.count == 7)
        #expect(handles?[4].id == 4_000)
        handles = nil
        #expect(cache.slotCount(of: Counter.self) == (isObserved ? 2 : 1))
        subscription?.cancel()
        #expect(cache.slotCount(of: Counter.self) == 1)
    }

    @Test("Handles and subscriptions that outlive their cache keep their identifiers")
    func outliving() {
        var cache: FlatCache? = FlatCache()
        for id in 0..<1_000 { cache?.set(Post(id: "the identifier of post \(id)")) }
        let handles = (0..<100).compactMap { id in
            cache.map { Cached(Post.self, id: "the identifier of post \(id)", in: $0) }
        }
        let subscriptions = (50..<150).compactMap {
            cache?.observe(Post.self, id: "the identifier of post \($0)") { _ in }
        }
        cache = nil
        for (number, handle) in handles.enumerated() {
            #expect(handle.id == "the identifier of post \(number)")
            #expect(handle.value == nil)
        }
        for subscription in subscriptions { subscription.cancel() }
        #expect(handles[60].id == "the identifier of post 60")
    }

    private func identity(of id: Int, in cache: FlatCache) -> SlotIdentity {
        Cached(Counter.self, id: id, in: cache).slotIdentity
    }
}
