import Observation
import TestThreads
import Testing

@testable import FlatCache

@Suite("Named lists", .mayBlock)
struct CachedListTests {
    let cache = FlatCache()
    var list: CachedList<Counter> { cache.list("home", of: Counter.self) }

    private func counters(_ ids: some Sequence<Int>) -> [Counter] { ids.map { Counter(id: $0) } }

    @Test("A list is empty until something is put into it")
    func empty() {
        #expect(list.ids == [])
        #expect(list.isEmpty)
        #expect(list.values == [])
        #expect(list.missingIDs == [])
        #expect(list.handles == [])
        #expect(cache.slotCount(of: ListContents<Counter>.self) == 0)
    }

    @Test("Pages are stored, and listed without duplicates; what is listed keeps its place, and is renewed")
    func pages() {
        list.replace(with: counters([5, 4, 5]))
        list.append(contentsOf: [Counter(id: 4, count: 9), Counter(id: 3), Counter(id: 2), Counter(id: 3)])
        list.prepend(contentsOf: counters([7, 6, 5, 7]))
        #expect(list.ids == [7, 6, 5, 4, 3, 2])
        #expect(list.count == 6)
        #expect(list.values.map(\.count) == [0, 0, 0, 9, 0, 0])
        #expect(list.contains(7))
        #expect(!list.contains(1))
    }

    @Test("Identifiers may be listed before their entities are stored, and stay when these are removed")
    func missing() {
        list.append(ids: [1, 2, 3])
        list.prepend(ids: [0, 1])
        #expect(list.missingIDs == [0, 1, 2, 3])
        cache.set(contentsOf: counters(0...3))
        #expect(list.values == counters(0...3))
        cache.remove(Counter.self, id: 2)
        #expect(list.state == CachedListState(ids: [0, 1, 2, 3], cache))
        #expect(list.state.values == counters([0, 1, 3]))
        #expect(list.state.missingIDs == [2])
        list.replace(withIDs: [3, 2, 3])
        #expect(list.ids == [3, 2])
    }

    @Test(
        "An identifier is moved before another, or to the end; a place that isn't there changes nothing",
        arguments: [
            (1, 3, true, [2, 1, 3, 4]), (4, 1, true, [4, 1, 2, 3]), (2, nil, true, [1, 3, 4, 2]),
            (3, 3, true, [1, 2, 3, 4]),
            (9, 1, false, [1, 2, 3, 4]), (1, 9, false, [1, 2, 3, 4]),
        ] as [(Int, Int?, Bool, [Int])]
    )
    func moving(id: Int, other: Int?, isListed: Bool, order: [Int]) {
        list.replace(withIDs: 1...4)
        #expect(list.move(id, before: other) == isListed)
        #expect(Array(list.ids) == order)
    }

    @Test(
        "Entities are inserted before a listed one, or at the end; a place that isn't there stores nothing",
        arguments: [
            ([8, 9], 1, true, [8, 9, 1, 2, 3]), ([8, 2, 9], 3, true, [1, 2, 8, 9, 3]), ([8], nil, true, [1, 2, 3, 8]),
            ([1, 3], 2, true, [1, 2, 3]), ([8], 7, false, [1, 2, 3]), ([8], 8, false, [1, 2, 3]),
        ] as [([Int], Int?, Bool, [Int])],
        [true, false]
    )
    func inserting(_ insertion: (ids: [Int], other: Int?, isListed: Bool, order: [Int]), byID: Bool) {
        list.replace(withIDs: 1...3)
        if byID {
            #expect(list.insert(ids: insertion.ids, before: insertion.other) == insertion.isListed)
            #expect(cache.count == 0)
        } else {
            #expect(list.insert(contentsOf: counters(insertion.ids), before: insertion.other) == insertion.isListed)
            #expect(cache.count == (insertion.isListed ? insertion.ids.count : 0))
        }
        #expect(Array(list.ids) == insertion.order)
    }

    @Test(
        "Several identifiers are removed at once, and counted",
        arguments: [[2], [4, 9, 1], [], [9], [1, 2, 3, 4, 4]]
    )
    func removingSeveral(ids: [Int]) {
        list.replace(with: counters(1...4))
        let listed = Set(ids).intersection(1...4)
        #expect(list.remove(ids: ids) == listed.count)
        #expect(Array(list.ids) == (1...4).filter { !listed.contains($0) })
        #expect((1...4).allSatisfy { list.contains($0) != listed.contains($0) })
        #expect(cache.count == 4)
        list.insert(Counter(id: 2), before: list.ids.first)
        #expect(list.contains(2))
    }

    @Test("Removing from the list leaves the entity in the cache")
    func removing() {
        list.replace(with: counters(1...3))
        #expect(list.remove(2))
        #expect(!list.remove(2))
        #expect(list.ids == [1, 3])
        #expect(cache.contains(Counter.self, id: 2))
        list.append(ids: [2])
        #expect(list.ids == [1, 3, 2])
        list.removeAll()
        #expect(list.isEmpty)
        #expect(cache.count == 3)
    }

    @Test("The order can be changed at will; of equal identifiers the first is kept, and a throw changes nothing")
    func updating() {
        struct Refusal: Error {}
        list.replace(withIDs: [3, 1, 2])
        #expect(
            list.update {
                $0.sort(); return $0.count
            } == 3
        )
        list.update { $0 += [1, 9] }
        #expect(list.ids == [1, 2, 3, 9])
        #expect(throws: Refusal.self) {
            try list.update { ids in
                ids = []
                throw Refusal()
            }
        }
        #expect(list.ids == [1, 2, 3, 9])
    }

    @Test("Lists of one name and type in one cache are one; others are others")
    func sharing() {
        list.append(ids: [1])
        #expect(cache.list("home", of: Counter.self) == list)
        #expect(CachedList<Counter>("home", in: cache).ids == [1])
        #expect(cache.list("profile", of: Counter.self).isEmpty)
        #expect(cache.list("home", of: Post.self).isEmpty)
        #expect(FlatCache().list("home", of: Counter.self).isEmpty)
        #expect("\(list)" == "CachedList<FlatCacheTests.Counter>(\"home\"): 1 entity")
    }

    @Test("The entities that keep lists are not counted, and are removed with all others")
    func bookkeeping() {
        list.append(contentsOf: counters(1...3))
        cache.reference("best", of: Counter.self).id = 1
        #expect(cache.count == 3)
        cache.removeAll()
        #expect(list.isEmpty)
        #expect(cache.reference("best", of: Counter.self).id == nil)
    }

    @Test("S2: A list takes part in transactions and reads")
    func transactions() {
        struct Refusal: Error {}
        let list = list
        list.append(ids: [1])
        #expect(throws: Refusal.self) {
            try cache.transaction {
                list.append(contentsOf: counters([2]))
                #expect(list.ids == [1, 2])
                throw Refusal()
            }
        }
        #expect(list.ids == [1])
        #expect(cache.count == 0)
        cache.read {
            #expect(list.ids == [1])
            onThreads(1) { _ in list.append(ids: [3]) }
            #expect(list.ids == [1])
            #expect(list.state.ids == [1])
        }
        #expect(list.ids == [1, 3])
    }

    @Test("N4: A commit notifies observers of the order and of the members once")
    func observing() {
        let states = Recorder<CachedListState<Counter>>()
        let subscription = list.observe { states.record($0) }
        #expect(states.take().map(\.ids) == [[]])
        list.append(contentsOf: counters(1...3))
        #expect(states.take().map(\.values) == [counters(1...3)])
        cache.set(contentsOf: [Counter(id: 1, count: 1), Counter(id: 2, count: 2), Counter(id: 4)])
        #expect(states.take().map { $0.values.map(\.count) } == [[1, 2, 0]])
        cache.set(Counter(id: 4, count: 1))
        list.append(contentsOf: [Counter(id: 2, count: 2)])
        #expect(states.take().count == 0)
        cache.remove(Counter.self, id: 2)
        let state = states.take()
        #expect(state.map(\.values.count) == [2])
        #expect(state.map(\.missingIDs) == [[2]])
        list.move(3, before: 1)
        #expect(states.take().map(\.ids) == [[3, 1, 2]])
        cache.removeAll()
        #expect(states.take().map(\.ids) == [[]])
        subscription.cancel()
        #expect(cache.slotCount(of: Counter.self) == 0)
    }

    @Test("A change of a member notifies views of the values, not views of the order")
    func tracking() {
        list.replace(with: counters(1...2))
        let notified = Recorder<String>()
        withObservationTracking {
            _ = list.ids
        } onChange: {
            notified.record("order")
        }
        withObservationTracking {
            _ = list.values
        } onChange: {
            notified.record("values")
        }
        cache.set(Counter(id: 3))
        #expect(notified.take() == [])
        cache.set(Counter(id: 2, count: 1))
        #expect(notified.take() == ["values"])
        list.append(ids: [3])
        #expect(notified.take() == ["order"])
    }

    @Test("The sequence of states begins with the one of now, and ends with the cache")
    func states() async {
        var cache: FlatCache? = FlatCache()
        guard let list = cache?.list("home", of: Counter.self) else { return }
        var states = list.updates.makeAsyncIterator()
        #expect(await states.next()?.ids == [])
        list.append(contentsOf: counters([1]))
        #expect(await states.next()?.values == counters([1]))
        cache = nil
        #expect(await states.next() == nil)
        #expect(list.ids == [])
        list.append(ids: [2])
        #expect(list.observe { _ in }.hashValue != 0)
    }

    @Test("S1: No change of another thread is lost")
    func racing() {
        let list = list
        onThreads(4) { number in
            for count in 0..<100 {
                let id = number * 100 + count
                switch number {
                case 0: list.append(contentsOf: [Counter(id: id)])
                case 1: list.prepend(ids: [id])
                case 2: list.update { $0.insert(id, at: $0.count / 2) }
                default:
                    list.append(ids: [id])
                    list.move(id, before: list.ids.first)
                }
            }
        }
        #expect(list.ids.sorted() == Array(0..<400))
    }

    @Test("N4: A call that leaves a list empty does not notify", arguments: 0..<4)
    func unchangedList(number: Int) {
        let list = cache.list("home", of: Counter.self)
        let notified = Recorder<Int>()
        withObservationTracking {
            _ = list.ids
        } onChange: {
            notified.record(1)
        }
        switch number {
        case 0: list.remove(9)
        case 1: list.move(9, before: nil)
        case 2: list.append(ids: [])
        default: list.update { $0.reverse() }
        }
        #expect(notified.count == 0)
    }
}
