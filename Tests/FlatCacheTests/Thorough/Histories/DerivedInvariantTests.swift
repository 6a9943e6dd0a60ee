import FlatCache
import SeededRandom
import Synchronization
import TestThreads
import Testing

/// What transactions keep true is true for whatever is derived, and in lists, whoever writes meanwhile.
@Suite("Histories: invariants of derived values and lists", .mayBlock)
struct DerivedInvariantTests {
    let cache = FlatCache()

    /// A pair that is always written in one transaction, with the number of the write.
    private struct Pair: Equatable {
        var left: Int?
        var right: Int?
    }

    private func readPair(_ number: Int) -> Pair {
        Pair(
            left: cache.get(Counter.self, id: number)?.count,
            right: cache.get(Post.self, id: "\(number)")?.likes
        )
    }

    private func writePair(_ number: Int) {
        cache.transaction {
            let next = (cache.get(Counter.self, id: number)?.count ?? 0) + 1
            cache.set(Counter(id: number, count: next))
            cache.set(Post(id: "\(number)", likes: next))
        }
    }

    @Test("S3, N2, N3: Pairs that are followed over relationships are whole, never go back, and end as the newest")
    func pairs() async {
        // The post "cursor" says which pair is looked at; so dependencies change all the time.
        cache.set(Post(id: "cursor", likes: 0))
        let notified = Recorder<[Int?]>()
        let observers = (0..<4).map { _ in Recorder<[Int?]>() } + [notified]
        let subscriptions = observers.map { notified in
            cache.observe { [self] in
                let number = cache.get(Post.self, id: "cursor")?.likes ?? 0
                let pair = readPair(number % 3)
                return [number, pair.left, pair.right]
            } onChange: {
                notified.record($0)
            }
        }
        await onThreadsAndTasks(4) { [self] thread in
            for step in 0..<600 {
                switch thread {
                case 0: cache.update(Post.self, id: "cursor") { $0.likes += 1 }
                default: writePair((step + thread) % 3)
                }
            }
        }
        let last = [600] + [readPair(0).left, readPair(0).right]
        for notified in observers {
            let elements = notified.elements
            #expect(elements.allSatisfy { $0[1] == $0[2] })
            #expect(elements.last == last)
            #expect(zip(elements, elements.dropFirst()).allSatisfy { isNotOlder($0, than: $1) })
            #expect(zip(elements, elements.dropFirst()).allSatisfy { $0 != $1 })
        }
        for subscription in subscriptions { subscription.cancel() }
    }

    /// Whether one value may be followed by another: the number grows, and each pair does.
    private func isNotOlder(_ earlier: [Int?], than later: [Int?]) -> Bool {
        let (first, second) = (earlier[0] ?? 0, later[0] ?? 0)
        return first <= second && (first % 3 != second % 3 || (earlier[1] ?? 0) <= (later[1] ?? 0))
    }

    @Test("S1, S2, S3: A list that threads fill, move and empty keeps each identifier once, and its members with it")
    func lists() async {
        let list = cache.list("home", of: Counter.self)
        let other = cache.list("other", of: Counter.self)
        let complaints = Recorder<String>()
        let subscription = list.observe { state in
            // Every identifier is listed together with its entity, and removed together with it.
            if !state.missingIDs.isEmpty { complaints.record("missing \(state.missingIDs)") }
            if state.values.map(\.id) != Array(state.ids) { complaints.record("\(state)") }
            if Set(state.ids).count != state.ids.count { complaints.record("twice: \(state.ids)") }
        }
        let done = Atomic(0)
        await onThreadsAndTasks(4) { [self] thread in
            guard thread < 3 else {
                repeat {
                    let (ids, others) = cache.read { (list.ids, other.ids) }
                    if !Set(ids).isDisjoint(with: others) { complaints.record("in both: \(ids) \(others)") }
                } while done.load(ordering: .acquiring) < 3
                return
            }
            var random = SeededGenerator(seed: UInt64(thread))
            for step in 0..<300 {
                change(list, other, step, Int.random(in: 0..<20, using: &random), thread)
            }
            done.add(1, ordering: .releasing)
        }
        #expect(complaints.elements.isEmpty)
        subscription.cancel()
    }

    private func change(
        _ list: CachedList<Counter>,
        _ other: CachedList<Counter>,
        _ step: Int,
        _ id: Int,
        _ thread: Int
    ) {
        switch step % 6 {
        case 0, 1:
            cache.transaction {
                if !other.contains(id) { list.append(contentsOf: [Counter(id: id, count: thread * 1_000 + step)]) }
            }
        case 2:
            cache.transaction {
                if !other.contains(id) { list.prepend(contentsOf: [Counter(id: id)]) }
            }
        case 3: list.move(id, before: list.ids.first)
        case 4:
            cache.transaction {
                if list.remove(id) { other.append(ids: [id]) }
            }
        default:
            cache.transaction {
                if list.remove(id) || other.remove(id) { cache.remove(Counter.self, id: id) }
            }
        }
    }

    @Test("S1: The identifiers that a thread adds to a list stay in its order")
    func orderOfAppends() async {
        let list = cache.list("home", of: Counter.self)
        let notified = Recorder<[Int]>()
        let subscription = cache.observe {
            Array(list.ids)
        } onChange: {
            notified.record($0)
        }
        await onThreadsAndTasks(3) { thread in
            for step in 0..<150 {
                let id = thread * 1_000 + step
                switch step % 3 {
                case 0: list.append(ids: [id])
                case 1: list.append(contentsOf: [Counter(id: id), Counter(id: id)])
                default: list.update { $0.append(id) }
                }
            }
        }
        let ids = Array(list.ids)
        #expect(ids.count == 450)
        for thread in 0..<3 {
            let own = ids.filter { $0 / 1_000 == thread }
            #expect(own == own.sorted())
        }
        // Nothing but appending: each state begins with the one before.
        #expect(
            zip(notified.elements, notified.elements.dropFirst()).allSatisfy {
                $1.starts(with: $0) && $1.count > $0.count
            }
        )
        #expect(notified.elements.last == ids)
        subscription.cancel()
    }

    @Test("S2, S3, N2: An observer of a name sees the name and its entity change together")
    func names() async {
        let name = cache.reference("user", of: Author.self)
        let notified = Recorder<Author?>()
        let subscription = name.observe { notified.record($0) }
        await onThreadsAndTasks(3) { [cache] thread in
            for step in 0..<300 {
                switch step % 10 {
                case 9: name.id = nil
                case 8: cache.removeAll()
                default: name.set(Author(id: "\(thread)", name: "\(thread) \(step)"))
                }
            }
        }
        // What is named is always stored with it, and removed with it.
        #expect(notified.elements.last == name.value)
        #expect(notified.elements.allSatisfy { $0.map { $0.name.hasPrefix("\($0.id) ") } ?? true })
        #expect(zip(notified.elements, notified.elements.dropFirst()).allSatisfy { $0 != $1 })
        subscription.cancel()
    }

    @Test(
        "N2, N7: Observers that come and go while others write begin with the newest state and are not notified afterwards"
    )
    func comingAndGoing() {
        let cache = cache
        cache.set(Counter(id: 0))
        let done = Atomic(0)
        let complaints = Recorder<String>()
        onThreads(4) { thread in
            if thread < 2 {
                for _ in 0..<2_000 { cache.update(Counter.self, id: 0) { $0.count += 1 } }
                done.add(1, ordering: .releasing)
                return
            }
            repeat {
                let before = cache.get(Counter.self, id: 0)?.count ?? 0
                let notified = Recorder<Int>()
                let subscription = cache.observe {
                    cache.get(Counter.self, id: 0)?.count ?? -1
                } onChange: {
                    notified.record($0)
                }
                pause(before % 50)
                subscription.cancel()
                let limit = cache.get(Counter.self, id: 0)?.count ?? 0
                pause(before % 60)
                let values = notified.elements
                if values.first.map({ $0 < before }) ?? true { complaints.record("\(values) after \(before)") }
                if zip(values, values.dropFirst()).contains(where: { $0 >= $1 }) { complaints.record("\(values)") }
                // One call that had begun may still be running; it has what was read before.
                if let last = values.last, last > limit { complaints.record("\(last) after cancelling at \(limit)") }
            } while done.load(ordering: .acquiring) < 2
        }
        #expect(complaints.elements.isEmpty)
    }
}
