import FlatCache
import TestThreads
import Testing

@Suite("Observing several keys", .mayBlock)
struct ObservingSeveralKeysTests {
    let cache = FlatCache()
    let keys = (1...5).map { Counter.flatCacheKey(id: $0) } + [Post.flatCacheKey(id: "1")]

    @Test("N4: A commit that changes several keys notifies once, with the net change")
    func oneCallPerCommit() {
        cache.set(contentsOf: [Counter(id: 1), Counter(id: 2), Counter(id: 3)])
        let changes = Recorder<ChangeSet>()
        let subscription = cache.observe(keys, initial: false) { changes.record($0) }
        #expect(changes.count == 0)
        cache.set(contentsOf: [
            Counter(id: 1, count: 1), Counter(id: 2), Counter(id: 4), Counter(id: 9), Counter(id: 4, count: 2),
        ])
        #expect(changes.elements.map(\.inserted) == [[keys[3]]])
        #expect(changes.elements.map(\.updated) == [[keys[0]]])
        #expect(changes.elements.map(\.removed) == [[]])
        subscription.cancel()
    }

    @Test("N4, N5: Clearing a thousand keys is one call")
    func clear() {
        let ids = 0..<1000
        cache.set(contentsOf: ids.map { Counter(id: $0) })
        cache.set(Post(id: "1"))
        let changes = Recorder<ChangeSet>()
        let subscription = cache.observe(ids.map { Counter.flatCacheKey(id: $0) } + [keys[5]], initial: false) {
            changes.record($0)
        }
        cache.removeAll()
        #expect(changes.count == 1)
        #expect(changes.elements.first?.removed.count == 1001)
        cache.removeAll()
        #expect(changes.count == 1)
        subscription.cancel()
    }

    @Test("A commit that changes keys of several types notifies with one change set")
    func severalTypes() {
        cache.set(Post(id: "1", authorID: "old"))
        let changes = Recorder<ChangeSet>()
        let author = Author.flatCacheKey(id: "7")
        let subscription = cache.observe([keys[5], author], initial: false) { changes.record($0) }
        Cached(Post.self, id: "1", in: cache).update(storing: [Author(id: "7")]) { $0.authorID = "7" }
        #expect(changes.elements.map(\.keys) == [[keys[5], author]])
        #expect(changes.elements.first?.contains(author) == true)
        #expect(changes.elements.first?.contains(keys[0]) == false)
        subscription.cancel()
    }

    @Test("N1, N3: Commits that a callback makes are folded into the next call")
    func folding() {
        let changes = Recorder<ChangeSet>()
        let subscription = cache.observe(keys, initial: false) { [cache] change in
            changes.record(change)
            guard changes.count == 1 else { return }
            cache.set(Counter(id: 2))
            cache.set(Counter(id: 3))
            cache.set(Counter(id: 1, count: 7))
            cache.remove(Counter.self, id: 3)
            cache.set(Counter(id: 2, count: 1))
        }
        cache.set(Counter(id: 1))
        #expect(changes.elements.map(\.inserted) == [[keys[0]], [keys[1]]])
        #expect(changes.elements.map(\.updated) == [[], [keys[0]]])
        #expect(changes.elements.map(\.removed) == [[], []])
        #expect(changes.elements[0].revision < changes.elements[1].revision)
        subscription.cancel()
    }

    @Test("N4: A value that is changed and changed back while a callback runs doesn't notify")
    func changedBack() {
        cache.set(Counter(id: 1))
        cache.set(Counter(id: 2))
        let changes = Recorder<ChangeSet>()
        let subscription = cache.observe(keys, initial: false) { [cache] change in
            changes.record(change)
            guard changes.count == 1 else { return }
            cache.set(Counter(id: 1, count: 9))
            cache.set(Counter(id: 1, count: 0))
            cache.set(Counter(id: 4))
            cache.remove(Counter.self, id: 4)
        }
        cache.set(Counter(id: 2, count: 1))
        #expect(changes.count == 1)
        subscription.cancel()
    }

    @Test("N7: After cancelling nothing notifies, and no slot of a missing entity stays")
    func cancel() {
        let changes = Recorder<ChangeSet>()
        let subscription = cache.observe(keys, initial: false) { changes.record($0) }
        subscription.cancel()
        cache.set(Counter(id: 1))
        #expect(changes.count == 0)
    }

    @Test("Observing no key is allowed and never notified")
    func noKeys() {
        let subscription = cache.observe([FlatCacheKey](), initial: false) { _ in Issue.record("nothing was observed") }
        cache.set(Counter(id: 1))
        subscription.cancel()
    }

    @Test("S3, N4: An observer of two entities that change together never sees one change without the other")
    func pairs() {
        cache.set(Counter(id: 1))
        cache.set(Post(id: "1"))
        let keys = [Counter.flatCacheKey(id: 1), Post.flatCacheKey(id: "1")]
        let halves = Recorder<String>()
        let subscription = cache.observe(keys, initial: false) { [cache] changes in
            if changes.keys.count != 2 { halves.record("notified of \(changes.keys)") }
            let (count, likes) = cache.read {
                (cache.get(Counter.self, id: 1)?.count, cache.get(Post.self, id: "1")?.likes)
            }
            if count != likes { halves.record("saw \(String(describing: count)) and \(String(describing: likes))") }
        }
        onThreads(3) { [cache] _ in
            for _ in 0..<1_000 {
                cache.transaction {
                    cache.update(Counter.self, id: 1) { $0.count += 1 }
                    cache.update(Post.self, id: "1") { $0.likes += 1 }
                }
            }
        }
        #expect(halves.elements.prefix(5) == [])
        #expect(cache.get(Counter.self, id: 1)?.count == 3_000)
        subscription.cancel()
    }
}
