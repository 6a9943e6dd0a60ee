import TestThreads
import Testing

@testable import FlatCache

@Suite("Observing all entities of a type", .mayBlock)
struct ObservingTypesTests {
    let cache = FlatCache()

    @Test("N4: Each commit is one call with the old and the new entities; equal ones and other types are no changes")
    func changes() {
        cache.set(contentsOf: (1...3).map { Counter(id: $0) })
        let all = Recorder<TypeChanges<Counter>>()
        let subscription = cache.observe(all: Counter.self) { all.record($0) }
        #expect(all.count == 0)
        cache.transaction {
            cache.set(Counter(id: 4))
            cache.set(Counter(id: 1, count: 5))
            cache.set(Counter(id: 2))
            cache.remove(Counter.self, id: 3)
            cache.set(Author(id: "1"))
            cache.set(Counter(id: 5))
            cache.remove(Counter.self, id: 5)
        }
        let changes = all.take()
        #expect(changes.count == 1)
        #expect(changes[0].inserted == [Counter(id: 4)] && changes[0].removed == [Counter(id: 3)])
        #expect(changes[0].updated.map(\.oldValue) == [Counter(id: 1)])
        #expect(changes[0].updated.map(\.value) == [Counter(id: 1, count: 5)])
        cache.set(Counter(id: 2))
        cache.set(Author(id: "1", name: "other"))
        #expect(all.count == 0)
        cache.removeAll()
        #expect(all.take().map(\.removed.count) == [3])
        subscription.cancel()
        cache.set(Counter(id: 1))
        #expect(all.count == 0)
    }

    @Test("Changes of slow consumers are folded, and none is lost")
    func sequence() async {
        var changes = cache.changes(ofAll: Counter.self).makeAsyncIterator()
        cache.set(Counter(id: 1))
        cache.set(Counter(id: 1, count: 1))
        cache.set(Counter(id: 2))
        cache.remove(Counter.self, id: 2)
        let folded = await changes.next()
        #expect(folded?.inserted == [Counter(id: 1, count: 1)] && folded?.updated.isEmpty == true)
        #expect(folded?.removed.isEmpty == true)
        cache.set(contentsOf: (10..<10_000).map { Counter(id: $0) })
        let many = await changes.next()
        #expect(many?.inserted.count == 9_990)
    }

    @Test("The changes of writers on several threads lead to the final state")
    func threads() async {
        let shown = Protected<[Int: Counter]>([:])
        let subscription = cache.observe(all: Counter.self) { changes in
            shown.withLock { shown in
                for value in changes.inserted + changes.updated.map(\.value) { shown[value.id] = value }
                for value in changes.removed { shown[value.id] = nil }
            }
        }
        onThreads(4) { [cache] thread in
            for step in 0..<500 {
                let id = (step * 7 + thread) % 50
                if step % 3 == 0 { cache.remove(Counter.self, id: id) } else { cache.set(Counter(id: id, count: step)) }
                if step == 250, thread == 0 { cache.removeAll(of: Counter.self) }
            }
        }
        let expected = Dictionary(uniqueKeysWithValues: cache.allValues(of: Counter.self).map { ($0.id, $0) })
        // A change that arrived during the last call is delivered by a task.
        #expect(await eventually { shown.withLock { $0 } == expected })
        subscription.cancel()
    }

    @Test("Changes can be received on the main actor")
    @MainActor func mainActor() {
        let all = Recorder<[Counter]>()
        let subscription = cache.observe(all: Counter.self, on: MainActor.shared) { all.record($0.inserted) }
        cache.set(Counter(id: 1))
        #expect(all.take() == [[Counter(id: 1)]])
        subscription.cancel()
    }
}

@Suite("Writing all entities of a type", .mayBlock)
struct WholeTypeTests {
    let cache = FlatCache()

    @Test("Entities that meet a condition are removed in one commit, in the order of their insertion")
    func removeWhere() {
        cache.set(contentsOf: [5, 3, 8, 1].map { Counter(id: $0) })
        let commits = Recorder<Int>()
        let subscription = cache.observe(all: Counter.self) { commits.record($0.removed.count) }
        #expect(cache.remove(Counter.self) { $0.id > 2 && $0.id < 8 } == [Counter(id: 5), Counter(id: 3)])
        #expect(cache.remove(Counter.self) { $0.id > 100 } == [])
        #expect(commits.elements == [2])
        #expect(cache.allValues(of: Counter.self, inOrder: true).map(\.id) == [8, 1])
        subscription.cancel()
    }

    @Test("Nothing is removed if the condition throws")
    func throwing() {
        struct Stop: Error {}
        cache.set(contentsOf: (1...3).map { Counter(id: $0) })
        #expect(throws: Stop.self) {
            try cache.remove(Counter.self) { counter in
                if counter.id == 3 { throw Stop() }
                return true
            }
        }
        #expect(cache.count(of: Counter.self) == 3)
    }

    @Test("All entities are replaced in one commit; the ones that remain keep their places and get no merge")
    func replaceAll() {
        cache.set(contentsOf: (1...4).map { Counter(id: $0) })
        let all = Recorder<TypeChanges<Counter>>()
        let subscription = cache.observe(all: Counter.self) { all.record($0) }
        cache.replaceAll(of: Counter.self, with: [Counter(id: 9), Counter(id: 3, count: 1), Counter(id: 2)])
        let changes = all.take()
        #expect(changes.count == 1)
        #expect(changes[0].inserted.map(\.id) == [9] && Set(changes[0].removed.map(\.id)) == [1, 4])
        #expect(changes[0].updated.map(\.value) == [Counter(id: 3, count: 1)])
        #expect(cache.allValues(of: Counter.self, inOrder: true).map(\.id) == [2, 3, 9])
        cache.replaceAll(of: Counter.self, with: [])
        #expect(cache.count(of: Counter.self) == 0)
        subscription.cancel()
    }

    @Test("The new entities are stored without a merge")
    func replaceMerged() {
        cache.set(Versioned(id: 1, version: 5, text: "old"))
        cache.set(Versioned(id: 1, version: 4, text: "outdated"))
        #expect(cache.get(Versioned.self, id: 1)?.text == "old")
        cache.replaceAll(of: Versioned.self, with: [Versioned(id: 1, version: 4, text: "new")])
        #expect(cache.get(Versioned.self, id: 1)?.text == "new")
    }
}
