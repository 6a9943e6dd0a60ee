import Testing

@testable import FlatCache

@Suite("Delete rules")
struct DeleteRuleTests {
    let cache = FlatCache()

    /// A method that removes the folder 1.
    enum Removal: CaseIterable {
        case id, value, ids, all, condition, replacement, query, handle, transaction, nested

        func callAsFunction(in cache: FlatCache) throws {
            let others = cache.allValues(of: Folder.self).filter { $0.id != 1 && $0.parentID == nil }
            switch self {
            case .id: cache.remove(Folder.self, id: 1)
            case .value: cache.remove(Folder(id: 1))
            case .ids: cache.remove(Folder.self, ids: [7, 1, 1])
            case .all:
                cache.transaction {
                    cache.removeAll(of: Folder.self)
                    cache.set(contentsOf: others)
                }
            case .condition: cache.remove(Folder.self) { $0.id == 1 }
            case .replacement: cache.replaceAll(of: Folder.self, with: others + [Folder(id: 3, parentID: 2)])
            case .query: cache.query(FlatCache.Query(Folder.self).filter(\.id, equals: 1)).removeAll()
            case .handle: Cached(Folder.self, id: 1, in: cache).remove()
            case .transaction: cache.transaction { _ = cache.remove(Folder.self, id: 1) }
            case .nested:
                cache.transaction {
                    cache.set(Document(id: 5, folderID: 1))
                    cache.transaction { _ = cache.remove(Folder.self, id: 1) }
                }
            }
        }
    }

    @Test(
        "A removal of an entity that isn't stored changes those that refer to it, in one commit, and theirs",
        arguments: [Removal.id, .value, .ids, .handle, .transaction, .nested]
    )
    func missing(_ remove: Removal) throws {
        cache.set(contentsOf: [Folder(id: 2, coverID: 9), Folder(id: 3, parentID: 1), Folder(id: 4, parentID: 3)])
        cache.set(contentsOf: [
            Document(id: 1, folderID: 1), Document(id: 2, folderID: 2, authorID: 1), Document(id: 3, folderID: 4),
        ])
        let states = Recorder<[Int]>()
        let subscription = cache.observe { [cache] in
            (cache.allValues(of: Folder.self).map(\.id) + cache.allValues(of: Document.self).map { $0.id * 10 })
                .sorted()
        } onChange: {
            states.record($0)
        }
        _ = states.take()
        try? cache.transaction {
            try remove(in: cache)
            throw CancellationError()
        }
        #expect(states.elements.isEmpty && cache.count(of: Document.self) == 3)
        try remove(in: cache)
        #expect(states.elements == [[2, 20]])
        cache.remove(Person.self, id: 1)
        cache.remove(Document.self, id: 9)
        #expect(cache.get(Document.self, id: 2) == Document(id: 2, folderID: 2))
        #expect(cache.get(Folder.self, id: 2) == Folder(id: 2))
        withExtendedLifetime(subscription) {}
    }

    @Test(
        "Each method of removal removes the entities that refer to the removed one, in the same commit",
        arguments: Removal.allCases
    )
    func cascade(_ remove: Removal) throws {
        cache.set(contentsOf: [Folder(id: 1), Folder(id: 2), Folder(id: 3, parentID: 1), Folder(id: 4, parentID: 3)])
        cache.set(contentsOf: [
            Document(id: 1, folderID: 1), Document(id: 2, folderID: 2), Document(id: 3, folderID: 4),
        ])
        let states = Recorder<[Int]>()
        let subscription = cache.observe { [cache] in
            (cache.allValues(of: Folder.self).map(\.id) + cache.allValues(of: Document.self).map { $0.id * 10 })
                .sorted()
        } onChange: {
            states.record($0)
        }
        _ = states.take()
        try remove(in: cache)
        // A folder that is replaced in the transaction that removes the others keeps its documents.
        let expected = remove == .replacement ? [2, 3, 20] : remove == .all ? [2] : [2, 20]
        #expect(states.elements == [expected])
        withExtendedLifetime(subscription) {}
    }

    @Test("An identifier of a removed entity leaves properties of all kinds")
    func nullify() {
        let document = Document(
            id: 1,
            folderID: 1,
            authorID: 7,
            editorIDs: [7, 8, 7],
            readerIDs: [7, 9],
            formerIDs: [7, nil, 8],
            seatIDs: [[7], [8, 7], []],
            roleIDs: ["a": 7, "b": 8],
            creatorID: 7
        )
        cache.set(contentsOf: [Person(id: 7), Person(id: 8), Person(id: 9)])
        cache.set(document)
        cache.remove(Person.self, id: 7)
        #expect(cache.get(Document.self, id: 1) == document.without(7))
        cache.remove(Person.self, ids: [9, 8])
        let rest = Document(id: 1, folderID: 1, formerIDs: [], seatIDs: [[], [], []], creatorID: 7)
        #expect(cache.get(Document.self, id: 1) == rest)
    }

    @Test("Without a removal no rule is applied")
    func noRemoval() {
        cache.set(Folder(id: 1))
        cache.set(Document(id: 1, folderID: 1))
        cache.set(Document(id: 2, folderID: 8))
        cache.set(Folder(id: 1, coverID: 3))
        cache.update(Folder.self, id: 1) { $0 = Folder(id: 2, coverID: 3) }
        #expect(cache.contains(Document.self, id: 1) && cache.contains(Document.self, id: 2))
        #expect(cache.get(Folder.self, id: 2)?.coverID == 3)
        cache.transaction {
            cache.removeAll()
            cache.set(Document(id: 4, folderID: 2))
        }
        #expect(cache.allValues(of: Document.self).map(\.id) == [4])
    }

    @Test("What a transaction stores after a removal remains; what it has stored before doesn't")
    func order() {
        cache.set(Folder(id: 1))
        cache.transaction {
            cache.set(Document(id: 1, folderID: 1))
            cache.remove(Folder.self, id: 1)
            #expect(cache.get(Document.self, id: 1) == nil)
            cache.set(Document(id: 2, folderID: 1))
        }
        #expect(cache.allValues(of: Document.self).map(\.id) == [2])
    }

    @Test("A transaction that fails undoes what rules have done")
    func failure() {
        struct Failure: Error {}
        cache.set(contentsOf: [Folder(id: 1), Folder(id: 2, parentID: 1)])
        cache.set(Document(id: 1, folderID: 2, authorID: 3))
        cache.set(Person(id: 3))
        cache.transaction {
            #expect(throws: Failure.self) {
                try cache.transaction {
                    cache.remove(Folder.self, id: 1)
                    cache.remove(Person.self, id: 3)
                    #expect(cache.count == 0)
                    throw Failure()
                }
            }
            #expect(cache.count == 4)
        }
        #expect(cache.get(Document.self, id: 1)?.authorID == 3)
    }

    @Test("Entities that refer to each other are removed once each", arguments: [1, 2, 3, 1_000])
    func circle(length: Int) {
        cache.set(contentsOf: (0..<length).map { Folder(id: $0, parentID: ($0 + 1) % length) })
        let changes = Recorder<[Int]>()
        let subscription = cache.observe(all: Folder.self) { changes.record($0.removed.map(\.id)) }
        cache.remove(Folder.self, id: 0)
        #expect(changes.elements.map { $0.sorted() } == [Array(0..<length)])
        cache.set(Padlock(id: 1, keyID: 1))
        cache.set(DoorKey(id: 1, lockID: 1))
        cache.remove(DoorKey.self, id: 1)
        #expect(cache.count == 0)
        withExtendedLifetime(subscription) {}
    }

    @Test("A chain may be long", arguments: [true, false])
    func chain(isInTransaction: Bool) {
        let count = 3_000
        cache.set(contentsOf: (0..<count).map { Folder(id: $0, parentID: $0 == 0 ? nil : $0 - 1) })
        cache.set(Document(id: 1, folderID: count - 1))
        // An index that doesn't exist when a transaction begins doesn't help it.
        cache.set(Folder(id: -1))
        cache.remove(Folder.self, id: -1)
        if isInTransaction {
            cache.transaction { _ = cache.remove(Folder.self, id: 0) }
        } else {
            cache.remove(Folder.self, id: 0)
        }
        #expect(cache.count == 0)
    }

    @Test("A rule uses the index that it names, and queries use it, too")
    func sharedIndex() {
        cache.set(Folder(id: 1))
        cache.set(contentsOf: (0..<10).map { Document(id: $0, folderID: $0 % 2) })
        cache.remove(Folder.self, id: 1)
        #expect(cache.query(FlatCache.Query(Document.self).filter(\.folderID, equals: 0)).count == 5)
        let table = cache.registry.table(of: Document.self).takeUnretainedValue()
        let indexes = table.maintainedIndexes as? PropertyIndexes<Document>
        let properties = indexes?.list.map(\.property) ?? []
        #expect(properties.count == 1 && properties.first == \Document.folderID)
    }
    /// An entity whose rule names an index of another property.
    private struct Note: Cachable, RelationshipOwner, Hashable {
        let id: Int
        var personID: Int?
        var title = ""

        struct Relationships: Sendable {
            var person: _ToOptional<Person> { .init("Note.personID", { $0.personID }, set: { $0.personID = $1 }) }
        }
        static var relationships: Relationships { Relationships() }
        static var deleteRules: [FlatCache.DeleteRule<Note>] { [.init(\.person, .cascade, index: .init(\.title))] }
    }

    @Test("A rule whose index has keys of another type than the identifiers finds all owners", arguments: 0..<4)
    func foreignIndex(removal: Int) {
        cache.set(contentsOf: (0..<3).map { Person(id: $0) })
        cache.set(contentsOf: (0..<9).map { Note(id: $0, personID: $0 % 4 == 3 ? nil : $0 % 4, title: "\($0 % 3)") })
        let expected: [Int]
        switch removal {
        case 0:
            cache.remove(Person.self, id: 1)
            expected = [0, 2, 3, 4, 6, 7, 8]
        case 1:
            cache.remove(Person.self, ids: [0, 2])
            expected = [1, 3, 5, 7]
        case 2:
            cache.removeAll(of: Person.self)
            expected = [3, 7]
        default:
            // The rule sees what the transaction has stored and removed before.
            cache.transaction {
                cache.set(Note(id: 9, personID: 1))
                cache.update(Note.self, id: 1) { $0.personID = 2 }
                cache.remove(Note.self, id: 0)
                cache.remove(Person.self, id: 1)
            }
            expected = [1, 2, 3, 4, 6, 7, 8]
        }
        #expect(cache.query(FlatCache.Query(Note.self)).ids.sorted() == expected)
        let named = cache.query(FlatCache.Query(Note.self).filter(\.title, equals: "1"))
        #expect(named.ids == expected.filter { $0 % 3 == 1 })
    }

    @Test("Rules of one cache don't concern another")
    func otherCache() {
        let other = FlatCache()
        for cache in [cache, other] {
            cache.set(Folder(id: 1))
            cache.set(Document(id: 1, folderID: 1))
        }
        cache.remove(Folder.self, id: 1)
        #expect(cache.count == 0)
        #expect(other.count == 2)
    }

    @Test("Entities that replace all others remain, whatever the rules of the removed ones")
    func replacement() {
        cache.set(contentsOf: [Folder(id: 0), Folder(id: 1, parentID: 0), Folder(id: 2, parentID: 1)])
        cache.set(contentsOf: [Document(id: 1, folderID: 0), Document(id: 2, folderID: 1)])
        cache.replaceAll(of: Folder.self, with: [Folder(id: 1, parentID: 0), Folder(id: 2, parentID: 1)])
        #expect(cache.allValues(of: Folder.self).map(\.id).sorted() == [1, 2])
        #expect(cache.allValues(of: Document.self).map(\.id) == [2])
        cache.replaceAll(of: Folder.self, with: [Folder(id: 5, parentID: 2), Folder(id: 6, parentID: 7)])
        #expect(cache.allValues(of: Folder.self).map(\.id).sorted() == [5, 6])
        #expect(cache.allValues(of: Document.self).isEmpty)
    }

    @Test("The first removal of a long chain reads each entity few times", .serialized, arguments: [false, true])
    func firstRemoval(isInTransaction: Bool) {
        let count = 500
        cache.set(contentsOf: (0..<count).map { ChainLink(id: $0, previousID: $0 == 0 ? nil : $0 - 1) })
        let before = ChainLink.reads.withLock { $0 }
        if isInTransaction {
            cache.transaction {
                cache.set(ChainLink(id: count + 1))
                cache.remove(ChainLink.self, id: 0)
            }
        } else {
            cache.remove(ChainLink.self, id: 0)
        }
        #expect(cache.count(of: ChainLink.self) == (isInTransaction ? 1 : 0))
        let reads = ChainLink.reads.withLock { $0 } - before
        #expect(reads > 0 && reads < 20 * count)
    }
}

/// An entity that is removed with the one before it, and counts the reads of its property.
private struct ChainLink: Cachable, RelationshipOwner, Hashable {
    static let reads = Protected(0)

    let id: Int
    var previousID: Int?

    struct Relationships: Sendable {
        var previous: _ToOptional<ChainLink> {
            .init(
                "ChainLink.previousID",
                { link in
                    ChainLink.reads.withLock { $0 += 1 }
                    return link.previousID
                },
                set: { $0.previousID = $1 }
            )
        }
    }
    static var relationships: Relationships { Relationships() }
    static var deleteRules: [FlatCache.DeleteRule<ChainLink>] { [.init(\.previous, .cascade)] }
}
