import FlatCache
import SeededRandom
import Synchronization
import TestThreads
import Testing

/// What transactions keep true stays true for everybody, for much longer than a history could be checked.
///
/// Run under the thread sanitizer too: unlike histories, these share no clock that would hide a race from it.
@Suite("Histories: invariants", .mayBlock)
struct InvariantTests {
    let cache = FlatCache()
    private let complaints = Recorder<String>()

    private struct Overdraft: Error {}

    /// Takes an amount from one account and gives it to another, unless that takes more than there is.
    private func transfer(_ amount: Int, from source: Int, to target: Int) {
        try? cache.transaction {
            cache.update(Counter.self, id: target) { $0.count += amount }
            cache.update(Counter.self, id: source) { $0.count -= amount }
            if let rest = cache.get(Counter.self, id: source)?.count, rest < 0 { throw Overdraft() }
        }
    }

    /// Notes that something isn't so.
    private func expect(_ condition: Bool, _ complaint: @autoclosure () -> String) {
        if !condition, complaints.count < 10 { complaints.record(complaint()) }
    }

    /// Writes on some threads until all of them are done, and checks on another all the time.
    private func run(
        writers: Int = 3,
        _ write: @escaping @Sendable (_ thread: Int) -> Void,
        check: @escaping @Sendable () -> Void
    ) {
        let done = Atomic(0)
        onThreads(writers + 1) { thread in
            if thread < writers {
                write(thread)
                done.add(1, ordering: .releasing)
            } else {
                repeat { check() } while done.load(ordering: .acquiring) < writers
            }
        }
        check()
        #expect(complaints.elements.isEmpty)
    }

    @Test("S2, S3: Transfers between accounts leave the sum as it is, and no account below zero")
    func transfers() {
        let accounts = 0..<6
        cache.set(contentsOf: accounts.map { Counter(id: $0, count: 100) })
        run { [self] thread in
            var random = SeededGenerator(seed: UInt64(thread))
            for _ in 0..<2_000 {
                let pair = accounts.shuffled(using: &random)
                transfer(Int.random(in: 1...60, using: &random), from: pair[0], to: pair[1])
            }
        } check: { [self] in
            let separate = cache.read { accounts.compactMap { cache.get(Counter.self, id: $0)?.count } }
            expect(separate.reduce(0, +) == 600, "one after the other in a read: \(separate)")
            expect(separate.allSatisfy { $0 >= 0 }, "below zero: \(separate)")
            let inTransaction = cache.transaction { accounts.compactMap { cache.get(Counter.self, id: $0)?.count } }
            expect(inTransaction.reduce(0, +) == 600, "one after the other in a transaction: \(inTransaction)")
            let together = cache.allValues(of: Counter.self).map(\.count)
            expect(together.reduce(0, +) == 600, "all at once: \(together)")
        }
    }

    @Test("S2, S3: Two entities of different types that are always written together are always equal, or both absent")
    func pairs() {
        let pairs = 0..<3
        run { [self] thread in
            var random = SeededGenerator(seed: UInt64(thread) + 10)
            for step in 0..<2_000 {
                let id = Int.random(in: pairs, using: &random)
                cache.transaction {
                    switch step % 10 {
                    case 0:
                        cache.remove(Post.self, id: "\(id)")
                        cache.remove(Counter.self, id: id)
                    case 1: cache.removeAll()
                    default:
                        cache.set(Counter(id: id, count: thread * 10_000 + step))
                        cache.set(Post(id: "\(id)", likes: thread * 10_000 + step))
                    }
                }
            }
        } check: { [self] in
            for id in pairs {
                let pair = cache.read {
                    (cache.get(Counter.self, id: id)?.count, cache.get(Post.self, id: "\(id)")?.likes)
                }
                expect(pair.0 == pair.1, "\(pair)")
            }
            let all = cache.read {
                (cache.allValues(of: Counter.self).map(\.count), cache.allValues(of: Post.self).map(\.likes))
            }
            expect(all.0.sorted() == all.1.sorted(), "\(all)")
        }
    }

    @Test("S2: Of two that may not both leave, one always stays: what a transaction has only read is checked too")
    func writeSkew() {
        cache.set(contentsOf: [Counter(id: 0, count: 1), Counter(id: 1, count: 1)])
        run(writers: 2) { [self] thread in
            for step in 0..<3_000 {
                cache.transaction {
                    guard cache.get(Counter.self, id: 1 - thread)?.count == 1 else { return }
                    pause(step % 40)
                    cache.set(Counter(id: thread, count: 0))
                }
                cache.set(Counter(id: thread, count: 1))
            }
        } check: { [self] in
            let present = cache.read { (0..<2).compactMap { cache.get(Counter.self, id: $0)?.count } }
            expect(present.contains(1), "both have left")
        }
    }

    @Test("S1, S2, N2: Increments by update, handle and transaction are all counted, and observers see the count grow")
    func increments() async {
        cache.set(contentsOf: (0..<2).map { Counter(id: $0) })
        let notified = (0..<2).map { _ in Recorder<(revision: UInt64, count: Int)>() }
        let subscriptions = (0..<2).map { id in
            cache.observe(Counter.self, id: id) { notified[id].record(($0.revision, $0.value?.count ?? -1)) }
        }
        await onThreadsAndTasks(4) { [cache] thread in
            for step in 0..<1_000 {
                switch (step + thread) % 3 {
                case 0: for id in 0..<2 { cache.update(Counter.self, id: id) { $0.count += 1 } }
                case 1: for id in 0..<2 { Cached(Counter.self, id: id, in: cache).update { $0.count += 1 } }
                default:
                    cache.transaction {
                        for id in 0..<2 {
                            let count = cache.get(Counter.self, id: id)?.count ?? 0
                            cache.set(Counter(id: id, count: count + 1))
                        }
                    }
                }
            }
        }
        for id in 0..<2 {
            let elements = notified[id].elements
            #expect(cache.get(Counter.self, id: id)?.count == 4_000)
            #expect(elements.last?.count == 4_000)
            #expect(zip(elements, elements.dropFirst()).allSatisfy { $0.count < $1.count && $0.revision < $1.revision })
        }
        for subscription in subscriptions { subscription.cancel() }
    }

    @Test("S3, N2: An observer of several keys, reading them in its call, never sees half of a commit")
    func observersSeeWholeCommits() async {
        cache.set(Counter(id: 0))
        cache.set(Post(id: "0"))
        let revisions = Recorder<UInt64>()
        let subscription = cache.observe([Counter.flatCacheKey(id: 0), Post.flatCacheKey(id: "0")], initial: false) {
            [self] changes in
            revisions.record(changes.revision)
            let pair = cache.read { (cache.get(Counter.self, id: 0)?.count, cache.get(Post.self, id: "0")?.likes) }
            expect(pair.0 == pair.1, "\(pair)")
            expect(changes.updated.count == 2, "\(changes)")
        }
        await onThreadsAndTasks(3) { [cache] _ in
            for _ in 0..<1_000 {
                cache.transaction {
                    cache.update(Counter.self, id: 0) { $0.count += 1 }
                    cache.update(Post.self, id: "0") { $0.likes += 1 }
                }
            }
        }
        #expect(complaints.elements.isEmpty)
        #expect(zip(revisions.elements, revisions.elements.dropFirst()).allSatisfy(<))
        #expect(cache.get(Post.self, id: "0")?.likes == 3_000)
        subscription.cancel()
    }
}
