import FlatCache
import Testing

@Suite("Observing one key")
struct ObservingOneKeyTests {
    let cache = FlatCache()

    @Test("A change says what has happened to which key")
    func description() {
        let notified = Recorder<String>()
        let subscription = cache.observe(Post.self, id: "1") { notified.record("\($0)") }
        cache.set(Post(id: "1"))
        subscription.cancel()
        let key = Post.flatCacheKey(id: "1")
        #expect(notified.elements == ["\(key) initial in revision 0", "\(key) inserted in revision 1"])
    }

    @Test("N3, N8: The first call has the state at the beginning, stored or not")
    func initialState() {
        cache.set(Counter(id: 1, count: 5))
        let changes = Recorder<EntityChange<Counter>>()
        let subscriptions = [1, 2].map { cache.observe(Counter.self, id: $0) { changes.record($0) } }
        #expect(changes.elements.map(\.kind) == [.initial, .initial])
        #expect(changes.elements.map(\.value?.count) == [5, nil])
        #expect(changes.elements.map(\.id) == [1, 2])
        #expect(changes.elements[0].revision > 0)
        #expect(changes.elements[1].revision == 0)
        cache.set(Counter(id: 2, count: 6))
        #expect(changes.elements.last?.kind == .inserted)
        #expect(changes.elements.last?.value?.count == 6)
        for subscription in subscriptions { subscription.cancel() }
    }

    @Test("N4, N5: Every commit notifies once, as insertion, update or removal, with old and new value")
    func kinds() {
        let changes = Recorder<EntityChange<Counter>>()
        let subscription = cache.observe(Counter.self, id: 1) { changes.record($0) }
        cache.set(Counter(id: 1, count: 1))
        cache.set(Counter(id: 1, count: 2))
        cache.update(Counter.self, id: 1) { $0.count = 3 }
        cache.remove(Counter.self, id: 1)
        cache.set(contentsOf: [Counter(id: 1, count: 4), Counter(id: 2)])
        cache.removeAll(of: Counter.self)
        cache.set(Counter(id: 1, count: 5))
        cache.removeAll()
        let expected: [(ChangeKind, Int?, Int?)] = [
            (.initial, nil, nil), (.inserted, nil, 1), (.updated, 1, 2), (.updated, 2, 3), (.removed, 3, nil),
            (.inserted, nil, 4), (.removed, 4, nil), (.inserted, nil, 5), (.removed, 5, nil),
        ]
        let notified = changes.elements
        #expect(notified.map(\.kind) == expected.map(\.0))
        #expect(notified.map(\.oldValue?.count) == expected.map(\.1))
        #expect(notified.map(\.value?.count) == expected.map(\.2))
        #expect(zip(notified, notified.dropFirst()).allSatisfy { $0.revision < $1.revision })
        subscription.cancel()
    }

    @Test("N4: Writes that leave an equatable entity equal don't notify, others do")
    func equalWrites() {
        cache.set(Counter(id: 1, count: 1))
        cache.set(Draft(id: 1, text: "a"))
        let counters = Recorder<ChangeKind>()
        let drafts = Recorder<ChangeKind>()
        let subscriptions = [
            cache.observe(Counter.self, id: 1) { counters.record($0.kind) },
            cache.observe(Draft.self, id: 1) { drafts.record($0.kind) },
        ]
        cache.set(Counter(id: 1, count: 1))
        cache.update(Counter.self, id: 1) { $0.count += 0 }
        cache.set(contentsOf: [Counter(id: 1, count: 1)])
        cache.set(Draft(id: 1, text: "a"))
        #expect(counters.elements == [.initial])
        #expect(drafts.elements == [.initial, .updated])
        for subscription in subscriptions { subscription.cancel() }
    }

    @Test("N4: Of two writes of one entity in one commit the second counts, and notifies once")
    func duplicatesInOneCommit() {
        cache.set(Counter(id: 1, count: 1))
        let changes = Recorder<EntityChange<Counter>>()
        let subscription = cache.observe(Counter.self, id: 1) { changes.record($0) }
        cache.set(contentsOf: [Counter(id: 1, count: 2), Counter(id: 2), Counter(id: 1, count: 3)])
        cache.set(contentsOf: [Counter(id: 1, count: 9), Counter(id: 1, count: 3)])
        #expect(changes.elements.map(\.value?.count) == [1, 3])
        #expect(changes.elements.map(\.oldValue?.count) == [nil, 1])
        #expect(cache.get(Counter.self, id: 1)?.count == 3)
        subscription.cancel()
    }

    @Test("S4, N6: Only the observers of the changed key are called")
    func otherKeys() {
        let changes = Recorder<String>()
        let subscriptions = [
            cache.observe(Post.self, id: "1") { _ in changes.record("post 1") },
            cache.observe(Post.self, id: "10") { _ in changes.record("post 10") },
            cache.observe(Author.self, id: "1") { _ in changes.record("author 1") },
        ]
        _ = changes.take()
        cache.set(Post(id: "1"))
        cache.set(Author(id: "10"))
        #expect(changes.elements == ["post 1"])
        for subscription in subscriptions { subscription.cancel() }
    }

    @Test("N1: A callback may write its own key and is notified of that afterwards, not from within")
    func writeOwnKey() {
        let values = Recorder<Int>()
        let depth = Recorder<Int>()
        let subscription = cache.observe(Counter.self, id: 1) { [cache] change in
            guard let count = change.value?.count else { return }
            depth.record(1)
            values.record(count)
            if count < 5 { cache.update(Counter.self, id: 1) { $0.count += 1 } }
            depth.record(-1)
        }
        cache.set(Counter(id: 1, count: 1))
        #expect(values.elements == [1, 2, 3, 4, 5])
        #expect(depth.elements == [1, -1, 1, -1, 1, -1, 1, -1, 1, -1])
        subscription.cancel()
    }

    @Test("N1, N3: A callback may read, write others, subscribe, cancel itself and others, and clear")
    func reentrantCallback() throws {
        let notified = Recorder<String>()
        let subscriptions = Recorder<CacheSubscription>()
        let victim = cache.observe(Counter.self, id: 1) { _ in notified.record("victim") }
        _ = notified.take()
        let active = cache.observe(Counter.self, id: 1) { [cache] change in
            guard change.kind == .inserted else { return }
            notified.record("active")
            #expect(cache.get(Counter.self, id: 1) == change.value)
            cache.set(Post(id: "1"))
            subscriptions.record(cache.observe(Post.self, id: "1") { notified.record("post \($0.kind)") })
            victim.cancel()
            cache.removeAll()
            for subscription in subscriptions.elements { subscription.cancel() }
            cache.set(Post(id: "1"))
        }
        cache.set(Counter(id: 1, count: 1))
        #expect(notified.take().filter { $0 != "victim" } == ["active", "post initial"])
        cache.set(Counter(id: 1, count: 2))
        #expect(notified.take() == ["active", "post initial"])
        active.cancel()
        cache.set(Counter(id: 1, count: 3))
        #expect(notified.take() == [])
        #expect(cache.count == 2)
    }

    @Test("N7: A subscription that cancels itself in its callback is not called again")
    func cancelItself() {
        let calls = Recorder<Int>()
        let holder = Recorder<CacheSubscription>()
        holder.record(
            cache.observe(Counter.self, id: 1) { change in
                calls.record(change.value?.count ?? 0)
                if change.value?.count == 2 { holder.elements.first?.cancel() }
            }
        )
        for count in 1...4 { cache.set(Counter(id: 1, count: count)) }
        #expect(calls.elements == [0, 1, 2])
    }

    @Test("N7: A cancelled or released subscription is not called, and releases its callback")
    func cancelReleases() {
        final class Token: Sendable {}
        for release in [true, false] {
            let calls = Recorder<Int>()
            weak var token: Token?
            var subscription: CacheSubscription?
            do {
                let captured = Token()
                token = captured
                subscription = cache.observe(Counter.self, id: 1) { _ in
                    withExtendedLifetime(captured) { calls.record(1) }
                }
            }
            #expect(token != nil)
            if release { subscription = nil } else { subscription?.cancel() }
            #expect(token == nil)
            cache.set(Counter(id: 1, count: 1))
            cache.removeAll()
            #expect(calls.count == 1)
            subscription?.cancel()
        }
    }

    @Test("N1: Many observers of one key, of which each cancels others, all work")
    func observersMutatedDuringDelivery() {
        let subscriptions = Recorder<CacheSubscription>()
        let calls = Recorder<Int>()
        for number in 0..<100 {
            subscriptions.record(
                cache.observe(Counter.self, id: 1) { change in
                    guard change.kind != .initial else { return }
                    calls.record(number)
                    if number.isMultiple(of: 2) { subscriptions.elements[number + 1].cancel() }
                }
            )
        }
        cache.set(Counter(id: 1, count: 1))
        let first = calls.take()
        #expect(first.count == Set(first).count)
        #expect(Set(first).isSuperset(of: stride(from: 0, to: 100, by: 2)))
        cache.set(Counter(id: 1, count: 2))
        #expect(calls.take().sorted() == Array(stride(from: 0, to: 100, by: 2)))
    }

    @Test("Calls end when the cache goes")
    func cacheGone() {
        let calls = Recorder<ChangeKind>()
        var subscription: CacheSubscription?
        do {
            let cache = FlatCache()
            cache.set(Counter(id: 1))
            subscription = cache.observe(Counter.self, id: 1) { calls.record($0.kind) }
        }
        #expect(calls.elements == [.initial])
        subscription?.cancel()
        subscription = nil
    }

    @Test("N1: A callback that clears its cache notifies itself and its peers, each once")
    func callbackClears() {
        cache.set(contentsOf: (0..<10).map { Counter(id: $0) })
        let notified = Recorder<String>()
        let subscriptions = (0..<10).map { id in
            cache.observe(Counter.self, id: id) { [cache] change in
                guard change.kind != .initial else { return }
                notified.record("\(id) \(change.kind)")
                cache.removeAll()
            }
        }
        cache.set(Counter(id: 3, count: 1))
        #expect(notified.count == 11)
        #expect(Set(notified.elements) == Set((0..<10).map { "\($0) removed" } + ["3 updated"]))
        for subscription in subscriptions { subscription.cancel() }
    }

    @Test("N7: A peer that a callback cancels before its turn in the same commit is not called")
    func unsubscribePeer() {
        let called = Recorder<Int>()
        let subscriptions = Recorder<CacheSubscription>()
        for number in 0..<2 {
            subscriptions.record(
                cache.observe(Counter.self, id: 1) { change in
                    guard change.kind != .initial else { return }
                    called.record(number)
                    subscriptions.elements[1 - number].cancel()
                }
            )
        }
        cache.set(Counter(id: 1, count: 1))
        cache.set(Counter(id: 1, count: 2))
        #expect(called.count == 2)
        #expect(Set(called.elements).count == 1)
        for subscription in subscriptions.take() { subscription.cancel() }
    }
}
