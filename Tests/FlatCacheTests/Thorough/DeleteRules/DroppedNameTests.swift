import SeededRandom
import TestThreads
import Testing

@testable import FlatCache

@Suite("Lists and references that drop removed entities", .mayBlock)
struct DroppedNameTests {
    let cache = FlatCache()
    var list: CachedList<Person> { cache.list("members", dropsRemoved: true) }

    /// A write that makes a list of 1, 2 and 3.
    enum Write: CaseIterable {
        case replacement, identifiers, append, appended, prepend, insertion, update

        func callAsFunction(to list: CachedList<Person>) {
            let people = (1...3).map { Person(id: $0) }
            switch self {
            case .replacement: list.replace(with: people)
            case .identifiers: list.replace(withIDs: [1, 2, 3])
            case .append: list.append(contentsOf: people)
            case .appended: for person in people { list.append(person) }
            case .prepend: list.prepend(contentsOf: people)
            case .insertion: list.insert(contentsOf: people, before: nil)
            case .update: list.update { $0 = [1, 2, 3] }
            }
        }
    }

    @Test("A list drops a removed entity in the commit that removes it", arguments: Write.allCases)
    func list(_ write: Write) {
        cache.set(contentsOf: (1...3).map { Person(id: $0) })
        write(to: list)
        let states = Recorder<[[Int]]>()
        let subscription = cache.observe { [cache] in
            [Array(cache.list("members", of: Person.self).ids), cache.allValues(of: Person.self).map(\.id).sorted()]
        } onChange: {
            states.record($0)
        }
        _ = states.take()
        cache.remove(Person.self, id: 2)
        #expect(states.take() == [[[1, 3], [1, 3]]])
        cache.set(Person(id: 2))
        #expect(states.take() == [[[1, 3], [1, 2, 3]]])
        cache.removeAll(of: Person.self)
        #expect(states.take() == [[[], []]])
        withExtendedLifetime(subscription) {}
    }

    @Test("The choice belongs to the list, until the list is removed")
    func choice() {
        let plain = cache.list("members", of: Person.self)
        #expect(plain == list)
        #expect(Set([plain, list]).count == 1)
        plain.replace(withIDs: [1, 2])
        cache.set(contentsOf: [Person(id: 1), Person(id: 2), Person(id: 3)])
        cache.remove(Person.self, id: 1)
        #expect(plain.ids == [1, 2])
        list.append(ids: [3])
        plain.replace(withIDs: [1, 2, 3])
        plain.update { $0.reverse() }
        cache.remove(Person.self, id: 2)
        #expect(plain.ids == [3, 1])
        plain.removeAll()
        plain.append(ids: [3])
        cache.remove(Person.self, id: 3)
        #expect(plain.ids == [3])
    }

    @Test("A missing entity stays listed until it is removed, and one that is moved keeps its old identifier")
    func kept() {
        list.append(ids: [1, 2, 3, 4])
        let reference = cache.reference("leader", of: Person.self, dropsRemoved: true)
        reference.id = 3
        #expect(cache.remove(Person.self, id: 2) == nil)
        #expect(list.ids == [1, 3, 4] && reference.id == 3)
        cache.set(Person(id: 1))
        cache.update(Person.self, id: 1) { $0 = Person(id: 7) }
        #expect(list.ids == [1, 3, 4])
        try? cache.transaction {
            cache.remove(Person.self, id: 3)
            #expect(list.ids == [1, 4] && reference.id == nil)
            throw CancellationError()
        }
        #expect(list.ids == [1, 3, 4] && reference.id == 3)
        #expect(cache.remove(Person.self, ids: [3, 4]).isEmpty)
        #expect(list.ids == [1] && reference.id == nil)
    }

    @Test("A list that was written without the choice has it after the next write with it")
    func laterChoice() {
        cache.list("members", of: Person.self).append(contentsOf: (1...100).map { Person(id: $0) })
        list.remove(50)
        cache.remove(Person.self, ids: 20...40)
        #expect(Array(list.ids) == Array(1..<20) + Array(41..<50) + Array(51...100))
    }

    @Test("A transaction drops what it removes, and what it lists again remains")
    func transactions() {
        list.append(contentsOf: [Person(id: 1), Person(id: 2)])
        cache.transaction {
            cache.remove(Person.self, id: 1)
            #expect(list.ids == [2])
            list.append(ids: [1])
            cache.list("others", of: Person.self, dropsRemoved: true).append(contentsOf: [Person(id: 3), Person(id: 4)])
            cache.remove(Person.self, id: 3)
        }
        #expect(list.ids == [2, 1])
        #expect(cache.list("others", of: Person.self).ids == [4])
        try? cache.transaction {
            cache.remove(Person.self, id: 2)
            throw CancellationError()
        }
        #expect(list.ids == [2, 1])
    }

    @Test("A transaction whose list begins to drop loses what is removed after that, and runs again for the rule")
    func ruleOfTheTransaction() {
        cache.list("members", of: Person.self).append(contentsOf: [Person(id: 1), Person(id: 2), Person(id: 4)])
        var runs = 0
        cache.transaction {
            runs += 1
            cache.remove(Person.self, id: 4)
            list.append(ids: [3])
            cache.remove(Person.self, id: 1)
        }
        #expect(list.ids == [2, 4, 3])
        #expect(runs == 2)
    }

    @Test("A reference drops a removed entity, and keeps others", arguments: [false, true])
    func reference(setsEntity: Bool) {
        let reference = cache.reference("owner", of: Person.self, dropsRemoved: true)
        let plain = cache.reference("owner", of: Person.self)
        #expect(reference == plain)
        cache.set(contentsOf: [Person(id: 1), Person(id: 2)])
        if setsEntity { reference.set(Person(id: 1)) } else { reference.id = 1 }
        plain.id = 2
        cache.remove(Person.self, id: 1)
        #expect(reference.id == 2)
        cache.remove(Person.self, id: 2)
        #expect(plain.id == nil)
        cache.set(Person(id: 2))
        plain.id = 2
        cache.remove(Person.self, id: 2)
        #expect(plain.id == 2)
    }

    @Test("Rules and dropped entities work together: the list loses what a rule removes")
    func cascade() {
        let list = cache.list("documents", of: Document.self, dropsRemoved: true)
        cache.set(Folder(id: 1))
        list.append(contentsOf: (1...5).map { Document(id: $0, folderID: $0 % 2) })
        cache.remove(Folder.self, id: 1)
        #expect(list.ids == [2, 4])
    }

    @Test("No list has an entity that another thread removes", arguments: 0..<4)
    func threads(seed: UInt64) {
        let cache = FlatCache()
        let mistakes = Recorder<String>()
        let names = ["a", "b", "c"]
        onThreads(4) { thread in
            var random = SeededGenerator(seed: seed * 10 + UInt64(thread))
            for _ in 0..<200 {
                let id = random.below(6)
                let list = cache.list(names[random.below(3)], of: Person.self, dropsRemoved: true)
                switch thread == 3 ? 9 : random.below(5) {
                case 0: list.append(Person(id: id))
                case 1:
                    cache.transaction {
                        if cache.contains(Person.self, id: id) { list.prepend(ids: [id]) }
                    }
                case 2: cache.remove(Person.self, id: id)
                case 3: list.update { $0.reverse() }
                case 4: cache.removeAll(of: Person.self)
                default:
                    let missing = cache.read { names.flatMap { cache.list($0, of: Person.self).missingIDs } }
                    if !missing.isEmpty { mistakes.record("\(missing)") }
                }
            }
        }
        #expect(mistakes.elements == [])
    }

    @Test(
        "Random lists are those of a plain implementation",
        arguments: Seeds.first(8, full: 20, orAsIn: "FLATCACHE_DELETIONS")
    )
    func sequences(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let cache = FlatCache()
        var lists: [String: [Int]] = [:]
        // Lists of more than 32 identifiers have branches.
        let count = seed.isMultiple(of: 2) ? 8 : 200
        for step in 0..<60 {
            let name = ["a", "b", "c"][random.below(3)]
            let list = cache.list(name, of: Person.self, dropsRemoved: true)
            let ids = (0..<random.below(count)).map { _ in random.below(count) }
            switch random.below(6) {
            case 0:
                list.append(contentsOf: ids.map { Person(id: $0) })
                lists[name] = distinct(lists[name, default: []] + ids)
            case 1:
                list.replace(withIDs: ids)
                lists[name] = distinct(ids)
            case 2:
                list.remove(ids: ids)
                lists[name]?.removeAll { ids.contains($0) }
            case 3:
                cache.set(contentsOf: ids.map { Person(id: $0) })
            default:
                cache.remove(Person.self, ids: ids)
                lists = lists.mapValues { $0.filter { !ids.contains($0) } }
            }
            for (name, ids) in lists {
                try #require(Array(cache.list(name, of: Person.self).ids) == ids, "seed \(seed), step \(step)")
            }
        }
    }

    private func distinct(_ ids: [Int]) -> [Int] {
        var known: Set<Int> = []
        return ids.filter { known.insert($0).inserted }
    }
}
