import TestThreads
import Testing

@testable import FlatCache

/// The writes that pass through the merge of a type, and those that don't.
@Suite("Merged writes", .mayBlock)
struct MergedWritesTests {
    let cache = FlatCache()

    /// The ways in which a whole entity comes in.
    enum Way: CaseIterable {
        case set, batch, batchOfTwo, replacingUpdate, handle, besideUpdate
        case listReplace, listAppend, listPrepend, listInsert, existingList, reference
        case toOne, toOptional, toMany, toOptionalMany, heldToOne, relationshipOfHandle

        func store(_ value: Versioned, in cache: FlatCache) throws {
            let list = cache.list("list", of: Versioned.self)
            switch self {
            case .set: cache.set(value)
            case .batch: cache.set(contentsOf: [value])
            case .batchOfTwo: cache.set(contentsOf: [Versioned(id: 2), value])
            case .replacingUpdate: cache.update(value)
            case .handle: try Cached(Versioned.self, id: value.id, in: cache).set(value)
            case .besideUpdate:
                cache.set(Counter(id: 1))
                Cached(Counter.self, id: 1, in: cache).update(storing: [value]) { $0.count += 1 }
            case .listReplace: list.replace(with: [value])
            case .listAppend: list.append(value)
            case .listPrepend: list.prepend(value)
            case .listInsert: list.insert(value, before: nil)
            case .existingList:
                list.append(ids: [5])
                list.append(contentsOf: [Versioned(id: 2), value])
            case .reference: cache.reference("reference").set(value)
            case .toOne:
                var id = 0
                FlatCache._relate(&id, to: value, in: cache)
            case .toOptional:
                var id: Int?
                FlatCache._relate(&id, to: value, in: cache)
            case .toMany:
                var ids: [Int] = []
                FlatCache._relate(&ids, to: [Versioned(id: 2), value], in: cache)
            case .toOptionalMany:
                var ids: Set<Int>?
                FlatCache._relate(&ids, to: [value], in: cache)
            case .heldToOne: try FlatCache._relate(value.id, "id", to: value, in: cache)
            case .relationshipOfHandle:
                cache.set(Owner(id: 1))
                try Cached(Owner.self, id: 1, in: cache).set(\.related, to: value)
            }
        }
    }

    /// The owner of a relationship.
    struct Owner: Cachable, RelationshipOwner {
        let id: Int
        var relatedID = 0

        struct Relationships: Sendable {
            var related: FlatCache.Relationship<Owner, FlatCache.ToOne<Versioned>> {
                .init("Owner.relatedID", { $0.relatedID }, set: { $0.relatedID = $1 })
            }
        }
        static var relationships: Relationships { Relationships() }
    }

    @Test("What replaces all entities of a type isn't merged, also with each other", arguments: [false, true])
    func replacingAll(isInTransaction: Bool) {
        let new = [Versioned(id: 1, version: 9), Versioned(id: 1, version: 3), Versioned(id: 2, version: 1)]
        cache.set(contentsOf: [Versioned(id: 1, version: 20), Versioned(id: 2, version: 20), Versioned(id: 3)])
        if isInTransaction {
            cache.transaction { cache.replaceAll(of: Versioned.self, with: new) }
        } else {
            cache.replaceAll(of: Versioned.self, with: new)
        }
        #expect(cache.get(Versioned.self, ids: [1, 2, 3]).map(\.version) == [3, 1])
    }

    @Test("P3: Whole entities are merged, in a transaction or not", arguments: Way.allCases, [false, true])
    func merged(way: Way, isInTransaction: Bool) throws {
        cache.set(Versioned(id: 1, version: 2, text: "stored"))
        func store(_ version: Int) throws {
            let value = Versioned(id: 1, version: version, text: "\(version)")
            if isInTransaction {
                try cache.transaction { try way.store(value, in: cache) }
            } else {
                try way.store(value, in: cache)
            }
        }
        try store(1)
        #expect(cache.get(Versioned.self, id: 1)?.text == "stored")
        try store(3)
        #expect(cache.get(Versioned.self, id: 1)?.text == "3")
    }

    @Test("P3: A list, a reference and a relationship name an entity that the merge keeps")
    func named() throws {
        cache.set(Versioned(id: 1, version: 2))
        for way in [Way.listAppend, .reference, .relationshipOfHandle] {
            try way.store(Versioned(id: 1, version: 1), in: cache)
        }
        #expect(Array(cache.list("list", of: Versioned.self).ids) == [1])
        #expect(cache.reference("reference", of: Versioned.self).value?.version == 2)
        #expect(cache.get(Owner.self, id: 1)?.relatedID == 1)
    }

    @Test("P3: The results of bodies aren't merged")
    func bodies() {
        let outdated = Versioned(id: 1, version: 1)
        func fill() { cache.update(default: Versioned(id: 1)) { $0.version = 2 } }
        func version() -> Int? { cache.get(Versioned.self, id: 1)?.version }
        fill()
        #expect(cache.update(Versioned.self, id: 1) { $0 = outdated })
        #expect(version() == 1)
        fill()
        #expect(Cached(outdated, in: cache).update { $0 = outdated })
        #expect(version() == 1)
        fill()
        // The result of the body is stored last.
        let isStored = Cached(outdated, in: cache).update(storing: [Versioned(id: 1, version: 3)]) { $0 = outdated }
        #expect(isStored && version() == 1)
        fill()
        cache.transaction { _ = cache.update(Versioned.self, id: 1) { $0 = outdated } }
        #expect(version() == 1)
        fill()
        cache.update(default: outdated) { $0 = outdated }
        #expect(version() == 1)
        cache.remove(outdated)
        cache.update(default: outdated) { value in
            cache.set(Versioned(id: 1, version: 5))
            value.text = "body"
        }
        #expect(cache.get(Versioned.self, id: 1) == Versioned(id: 1, version: 1, text: "body"))
    }

    @Test("P3: An entity that moves to another identifier replaces the one there", arguments: [false, true])
    func moving(isInTransaction: Bool) {
        cache.set(contentsOf: [Merged(1, [1]), Merged(2, [2])])
        func move() { cache.update(Merged.self, id: 1) { $0.id = 2 } }
        if isInTransaction { cache.transaction { move() } } else { move() }
        #expect(cache.allValues(of: Merged.self).map(\.entries) == [[1]])
    }

    @Test("P3: insertIfAbsent doesn't merge with a stored entity, and a removed one is gone")
    func absent() {
        let calls = Recorder<Int>()
        let incoming = Merged(1, [2], Merged.adding { calls.record($0) })
        cache.set(Merged(1, [1]))
        #expect(!cache.insertIfAbsent(incoming).inserted)
        cache.remove(Merged.self, id: 1)
        cache.set(incoming)
        #expect(cache.get(Merged.self, id: 1)?.entries == [2])
        cache.removeAll(of: Merged.self)
        cache.set(incoming)
        #expect(cache.get(Merged.self, id: 1)?.entries == [2])
        #expect(calls.count == 0)
    }

    @Test("P3: A replacing update stores nothing if nothing is stored, and otherwise merges", arguments: [false, true])
    func replacingUpdate(isInTransaction: Bool) {
        func update(_ value: Merged) -> Bool {
            isInTransaction ? cache.transaction { cache.update(value) } : cache.update(value)
        }
        #expect(!update(Merged(1, [1])))
        #expect(cache.count == 0)
        cache.set(Merged(1, [1]))
        #expect(update(Merged(1, [2])))
        #expect(cache.get(Merged.self, id: 1)?.entries == [1, 2])
    }

    @Test("P3: A replacing update in a transaction depends on whether the entity is stored")
    func replacingUpdateReads() {
        let runs = Recorder<Int>()
        cache.transaction {
            runs.record(1)
            let isStored = cache.update(Merged(1, [2]))
            if runs.count == 1 { onThreads(1) { [cache] _ in cache.set(Merged(1, [1])) } }
            cache.set(Counter(id: 1, count: isStored ? 1 : 0))
        }
        #expect(runs.count == 2)
        #expect(cache.get(Counter.self, id: 1)?.count == 1)
        #expect(cache.get(Merged.self, id: 1)?.entries == [1, 2])
    }

    @Test("P3: Several entities with one identifier are merged in order")
    func duplicates() {
        cache.set(Merged(1, [1]))
        cache.set(contentsOf: [Merged(1, [2]), Merged(2, [1]), Merged(1, [3]), Merged(2, [2])])
        cache.list("list").append(contentsOf: [Merged(1, [4]), Merged(1, [5])])
        cache.transaction {
            cache.set(contentsOf: [Merged(1, [6]), Merged(1, [7])])
            cache.set(Merged(1, [8]))
            #expect(cache.get(Merged.self, id: 1)?.entries == Array(1...8))
            cache.set(Merged(1, [9]))
        }
        #expect(cache.get(Merged.self, id: 1)?.entries == Array(1...9))
        #expect(cache.get(Merged.self, id: 2)?.entries == [1, 2])
    }

    @Test("P3: In the body of a read, a write is merged with the newest entity")
    func inRead() {
        cache.set(Merged(1, [1]))
        cache.read {
            onThreads(1) { [cache] _ in cache.set(Merged(1, [2])) }
            cache.set(Merged(1, [3]))
            #expect(cache.get(Merged.self, id: 1)?.entries == [1])
        }
        #expect(cache.get(Merged.self, id: 1)?.entries == [1, 2, 3])
    }
}
