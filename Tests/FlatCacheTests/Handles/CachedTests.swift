import FlatCache
import Observation
import TestThreads
import Testing

@Suite("Handles", .mayBlock)
struct CachedTests {
    let cache = FlatCache()

    @Test("A handle reads what is stored now, and may exist before its entity does")
    func reading() {
        let handle = Cached(Counter.self, id: 1, in: cache)
        #expect(handle.value == nil)
        cache.set(Counter(id: 1, count: 1))
        #expect(handle.value?.count == 1)
        cache.remove(Counter.self, id: 1)
        #expect(handle.value == nil)
        cache.set(Counter(id: 1, count: 2))
        #expect(handle.value?.count == 2)
        cache.removeAll()
        #expect(handle.value == nil)
        cache.set(contentsOf: [Counter(id: 1, count: 3)])
        #expect(handle.value?.count == 3)
        #expect(handle.key == Counter.flatCacheKey(id: 1))
        #expect(handle.id == 1)
        #expect(handle.cache === cache)
        #expect(handle.description == "Cached<FlatCacheTests.Counter(1)>")
    }

    @Test("A property with the name of a member of handles is read by a key path")
    func shadowedProperties() {
        let handle = Cached(Job.self, id: 1, in: cache)
        #expect(handle[\.status] == nil)
        cache.set(Job(id: 1, status: "done", description: "a job", error: nil))
        #expect(handle[\.status] == "done")
        #expect(handle[\.description] == "a job")
        #expect(handle[\.value] == 4)
        #expect(handle[\.error] == nil)
        #expect(handle.description == "Cached<\(handle.key)>")
        handle.update { $0.error = "late" }
        #expect(handle[\.error] == "late")
    }

    private struct Job: Cachable {
        let id: Int
        var status: String
        var description: String
        var error: String?
        var value: Int { status.count }
    }

    @Test("H1: Handles of one key in one cache are equal and see each other's writes at once")
    func equality() throws {
        let first = Cached(Counter.self, id: 1, in: cache)
        let second = Cached(Counter.self, id: 1, in: cache)
        #expect(first == second)
        #expect(first.hashValue == second.hashValue)
        try first.set(Counter(id: 1, count: 1))
        #expect(second.value?.count == 1)
        second.update { $0.count += 1 }
        #expect(first.value?.count == 2)
        second.remove()
        #expect(first.value == nil)
        cache.removeAll()
        #expect(Cached(Counter.self, id: 1, in: cache) == first)
        #expect(Cached(Counter.self, id: 2, in: cache) != first)
        #expect(Cached(Counter.self, id: 1, in: FlatCache()) != first)
        #expect(Set([first, second]).count == 1)
    }

    @Test("H2: A handle does not hash its key to read")
    func readsWithoutHashing() {
        let hashes = Protected(0)
        let entity = HashCounting(1, hashes)
        cache.set(entity)
        let handle = Cached(HashCounting.self, id: entity.id, in: cache)
        _ = handle.value
        let before = hashes.withLock { $0 }
        for _ in 0..<10 { #expect(handle.value != nil) }
        #expect(hashes.withLock { $0 } == before)
    }

    @Test("H2: update is atomic")
    func atomicUpdate() {
        cache.set(Counter(id: 1))
        let handle = Cached(Counter.self, id: 1, in: cache)
        onThreads(4) { _ in
            for _ in 0..<10_000 { handle.update { $0.count += 1 } }
        }
        #expect(handle.value?.count == 40_000)
    }

    @Test("Updating a missing entity does nothing and gives nil")
    func updateMissing() {
        let handle = Cached(Counter.self, id: 1, in: cache)
        #expect(handle.update { $0.count += 1 } == nil)
        #expect(handle.update(storing: [Post(id: "1")]) { $0.count += 1 } == nil)
        #expect(cache.count == 0)
    }

    @Test("An update by a closure that returns nothing returns whether there is an entity, everywhere")
    func updateReturnsWhetherStored() {
        let handle = Cached(Counter.self, id: 1, in: cache)
        let update = { [cache] in
            [
                cache.update(Counter.self, id: 1) { $0.count += 1 },
                handle.update {
                    $0.count += 1
                    $0.count += 1
                },
                handle.update(storing: [Post(id: "1")]) { $0.count += 1 },
            ]
        }
        #expect(update() == [false, false, false])
        #expect(cache.count == 0)
        cache.set(Counter(id: 1))
        #expect(update() == [true, true, true])
        #expect(cache.transaction(update) == [true, true, true])
        #expect(cache.read(update) == [true, true, true])
        #expect(handle.value?.count == 12)
    }

    @Test("Entities stored with an update are stored in its commit, and the changed entity wins over a copy of itself")
    func updateStoring() {
        cache.set(Counter(id: 1, count: 1))
        let handle = Cached(Counter.self, id: 1, in: cache)
        let changes = Recorder<ChangeSet>()
        let subscription = cache.observe((1...3).map { Counter.flatCacheKey(id: $0) }, initial: false) {
            changes.record($0)
        }
        let result = handle.update(storing: [Counter(id: 2), Counter(id: 1, count: 100), Counter(id: 3)]) { counter in
            counter.count += 1
            return counter.count
        }
        #expect(result == 2)
        #expect(handle.value?.count == 2)
        #expect(changes.elements.map(\.keys.count) == [3])
        subscription.cancel()
    }

    @Test("An update that throws stores nothing")
    func updateStoringThrows() {
        struct Failure: Error {}
        cache.set(Counter(id: 1))
        let handle = Cached(Counter.self, id: 1, in: cache)
        #expect(throws: Failure.self) {
            try handle.update(storing: [Post(id: "1")]) { (_: inout Counter) throws(Failure) in throw Failure() }
        }
        #expect(cache.count == 1)
    }

    @Test("A handle stores entities with its identifier, and refuses others")
    func setting() throws {
        let handle = Cached(Counter.self, id: 1, in: cache)
        try handle.set(Counter(id: 1, count: 5))
        #expect(handle.value?.count == 5)
        let error = HandleError.otherIdentifier(
            handle: Counter.flatCacheKey(id: 1),
            entity: Counter.flatCacheKey(id: 2)
        )
        #expect(throws: error) { try handle.set(Counter(id: 2)) }
        #expect(handle.value?.count == 5)
        #expect(cache.count == 1)
    }

    @Test("Removing through a handle returns what was removed, and the handle stays")
    func removing() throws {
        let handle = Cached(Counter.self, id: 1, in: cache)
        #expect(handle.remove() == nil)
        try handle.set(Counter(id: 1, count: 5))
        #expect(handle.remove() == Counter(id: 1, count: 5))
        #expect(handle.value == nil)
        try handle.set(Counter(id: 1, count: 6))
        #expect(handle.value?.count == 6)
    }

    @Test("The errors of handles name both keys, and say what to do")
    func errors() {
        let (first, second) = (Counter.flatCacheKey(id: 1), Counter.flatCacheKey(id: 2))
        #expect(
            "\(HandleError.otherIdentifier(handle: first, entity: second))" == """
                The handle of FlatCacheTests.Counter(1) can't store FlatCacheTests.Counter(2). Store it by 'cache.set(_:)', \
                and make a handle of its own for it with 'Cached(_:in:)'
                """
        )
        #expect(
            "\(HandleError.cacheGone(first))" == """
                FlatCacheTests.Counter(1) can't be stored, because the cache of its handle is deallocated. Keep the cache for as \
                long as its handles are used
                """
        )
    }

    @Test("H3: A handle does not keep its cache alive, reads nil once it is gone, and writes nothing")
    func cacheGone() {
        var cache: FlatCache? = FlatCache()
        let isCacheAlive = { [weak cache] in cache != nil }
        cache?.set(Counter(id: 1))
        let handle = cache.map { Cached(Counter.self, id: 1, in: $0) }
        #expect(handle?.value != nil)
        cache = nil
        #expect(!isCacheAlive())
        #expect(handle?.cache == nil)
        #expect(handle?.value == nil)
        #expect(throws: HandleError.cacheGone(Counter.flatCacheKey(id: 1))) { try handle?.set(Counter(id: 1)) }
        #expect(handle?.remove() == nil)
        #expect(handle?.value == nil)
        #expect(handle?.update { $0.count += 1 } == nil)
        #expect(handle?.update(storing: [Post(id: "1")]) { $0.count += 1 } == nil)
        let subscription = handle?.observe(initial: false) { _ in Issue.record("nothing can change") }
        subscription?.cancel()
    }

    @Test("H3: Handles inside stored entities make no cycle")
    func handlesInEntities() {
        struct Node: Cachable {
            let id: Int
            let next: Cached<Node>
            let token: Token
        }
        final class Token: Sendable {}
        weak var token: Token?
        do {
            let cache = FlatCache()
            let made = Token()
            token = made
            for id in 0..<3 {
                cache.set(Node(id: id, next: Cached(id: (id + 1) % 3, in: cache), token: made))
            }
            #expect(cache.get(Node.self, id: 0)?.next.value?.next.value?.next.value?.id == 0)
        }
        #expect(token == nil)
    }

    @Test("N3, N5: onChange is called for commits, removals and insertions, and not for the initial state")
    func onChange() {
        cache.set(Counter(id: 1, count: 1))
        let handle = Cached(Counter.self, id: 1, in: cache)
        let changes = Recorder<ChangeKind>()
        let subscription = handle.observe(initial: false) { changes.record($0.kind) }
        #expect(changes.count == 0)
        handle.update { $0.count += 1 }
        handle.remove()
        cache.set(Counter(id: 1))
        #expect(changes.elements == [.updated, .removed, .inserted])
        subscription.cancel()
        handle.remove()
        #expect(changes.count == 3)
    }

    @Test("The values of a handle begin with the stored one, and keep neither handle nor cache alive")
    func values() async {
        cache.set(Counter(id: 1, count: 1))
        var handle: Cached<Counter>? = Cached(id: 1, in: cache)
        let isHandleAlive = { [weak handle] in handle != nil }
        var values = handle?.updates.makeAsyncIterator()
        #expect(await values?.next()??.count == 1)
        handle = nil
        #expect(!isHandleAlive())
        cache.set(Counter(id: 1, count: 2))
        #expect(await values?.next()??.count == 2)
    }

    @Test("N4: A thousand equal writes notify neither callbacks nor sequences nor views")
    func equalWrites() async {
        cache.set(Counter(id: 1, count: 1))
        let handle = Cached(Counter.self, id: 1, in: cache)
        let notified = Recorder<Int?>()
        withObservationTracking {
            _ = handle.value
        } onChange: {
            notified.record(nil)
        }
        let subscriptions = [
            handle.observe(initial: false) { notified.record($0.value?.count) },
            cache.observe([handle.key], initial: false) { _ in notified.record(nil) },
        ]
        var values = handle.updates.makeAsyncIterator()
        #expect(await values.next() == Counter(id: 1, count: 1))
        for _ in 0..<1_000 {
            cache.set(Counter(id: 1, count: 1))
            cache.set(contentsOf: [Counter(id: 1, count: 1)])
            handle.update { $0.count += 0 }
            cache.transaction { cache.set(Counter(id: 1, count: 1)) }
        }
        #expect(notified.count == 0)
        cache.set(Counter(id: 1, count: 2))
        #expect(await values.next() == Counter(id: 1, count: 2))
        #expect(notified.count == 3)
        for subscription in subscriptions { subscription.cancel() }
    }
}
