import FlatCache
import Foundation
import Observation
import TestThreads
import Testing

@Suite("Backlinks", .mayBlock)
struct BacklinkTests {
    let cache = FlatCache()

    private func book(
        _ id: Int,
        by novelist: Int = 1,
        translator: Int? = nil,
        subjects: [Int] = [],
        places: Set<String>? = nil,
        after prequel: Int? = nil,
        title: String = "",
        year: Int? = nil
    ) -> Book {
        Book(
            id: id,
            novelistID: novelist,
            translatorID: translator,
            subjectIDs: subjects,
            shelfPlaceIDs: places,
            prequelID: prequel,
            checkerID: nil,
            title: title,
            year: year
        )
    }

    @Test("A backlink returns the entities that refer to an entity, in order of insertion")
    func insertion() {
        let novelist = Novelist(id: 1)
        #expect(novelist.books(in: cache).isEmpty)
        for id in [3, 1, 2] { cache.set(book(id)) }
        cache.set(book(4, by: 2))
        #expect(novelist.books(in: cache).map(\.id) == [3, 1, 2])
        FlatCache.withCurrent(cache) { #expect(novelist.books.map(\.id) == [3, 1, 2]) }
        #expect(Novelist(id: 3).books(in: cache).isEmpty)
    }

    @Test("Each kind of identifier has a backlink")
    func kinds() {
        cache.set(contentsOf: [
            book(1, translator: 1, subjects: [1, 2], places: ["a", "b"]),
            book(2, subjects: [2], places: ["b"], after: 1),
            book(3, after: 1),
        ])
        #expect(Novelist(id: 1).translations(in: cache).map(\.id) == [1])
        #expect(Subject(id: 2).books(in: cache).map(\.id) == [1, 2])
        #expect(Shelf.Place(id: "b", label: "").books(in: cache).map(\.id) == [1, 2])
        #expect(book(1).sequels(in: cache).map(\.id) == [2, 3])
        cache.set(contentsOf: [Subject(id: 1), Subject(id: 2, broaderSubjectID: 1)])
        #expect(Subject(id: 1).narrower(in: cache).map(\.id) == [2])
    }

    @Test("A sorted backlink is in the order of its property, without a value last")
    func sorted() {
        cache.set(contentsOf: [
            book(1, translator: 1, year: nil), book(2, translator: 1, year: 1999), book(3, translator: 1, year: 1855),
        ])
        #expect(Novelist(id: 1).translations(in: cache).map(\.id) == [3, 2, 1])
        cache.set(contentsOf: [book(4, subjects: [7], title: "b"), book(5, subjects: [7], title: "a")])
        #expect(Subject(id: 7).books(in: cache).map(\.id) == [5, 4])
    }

    @Test("A backlink follows moves and removals")
    func moves() {
        cache.set(contentsOf: [book(1), book(2), book(3)])
        cache.set(book(2, by: 2))
        #expect(Novelist(id: 1).books(in: cache).map(\.id) == [1, 3])
        #expect(Novelist(id: 2).books(in: cache).map(\.id) == [2])
        cache.remove(Book.self, id: 1)
        #expect(Novelist(id: 1).books(in: cache).map(\.id) == [3])
        cache.set(book(1))
        #expect(Novelist(id: 1).books(in: cache).map(\.id) == [3, 1])
        Cached(Book.self, id: 3, in: cache).update { $0.novelistID = 2 }
        #expect(Novelist(id: 2).books(in: cache).map(\.id) == [2, 3])
        cache.removeAll()
        #expect(Novelist(id: 2).books(in: cache).isEmpty)
    }

    @Test("In a transaction and in a read, a backlink is that of the state of the body")
    func states() throws {
        cache.set(book(1))
        let novelist = Novelist(id: 1)
        cache.transaction {
            cache.set(book(2))
            #expect(novelist.books.map(\.id) == [1, 2])
            cache.remove(Book.self, id: 1)
            #expect(novelist.books(in: cache).map(\.id) == [2])
            #expect(Cached(Novelist.self, id: 1).books.isEmpty, "the novelist isn't stored")
        }
        #expect(novelist.books(in: cache).map(\.id) == [2])
        let later = book(3)
        cache.read {
            RunningThread { [cache] in cache.set(later) }.finish()
            #expect(novelist.books(in: cache).map(\.id) == [2])
        }
        #expect(novelist.books(in: cache).map(\.id) == [2, 3])
    }

    @Test("A handle has the backlinks of its entity")
    func handles() throws {
        cache.set(contentsOf: [book(1), book(2)])
        let handle = Cached(Novelist.self, id: 1, in: cache)
        #expect(handle.books.isEmpty && handle.cached(\.books).isEmpty && handle.missing(\.books).isEmpty)
        #expect(throws: RelationshipError.ownerMissing(Novelist.flatCacheKey(id: 1))) { try handle.require(\.books) }
        cache.set(Novelist(id: 1))
        #expect(handle.books.map(\.id) == [1, 2])
        #expect(try handle.require(\.books).map(\.id) == [1, 2])
        #expect(handle.cached(\.books).map(\.id) == [1, 2])
        #expect(handle.missing(\.books).isEmpty)
        let books = Novelist(id: 1).cached(\.books, in: cache)
        books[1].update { $0.title = "changed" }
        #expect(handle.books[1].title == "changed")
        #expect(Novelist(id: 1).missing(\.books, in: cache).isEmpty)
        #expect(try Novelist(id: 1).require(\.books, in: cache).count == 2)
    }

    @Test("A path over a backlink prefetches from the entities that the cache holds")
    func prefetching() async throws {
        let requests = Requests()
        cache.setFetcher(of: Subject.self) { ids in
            await requests.add(ids.map { $0 })
            return ids.map { Subject(id: $0) }
        }
        cache.set(contentsOf: [book(1, subjects: [1, 2]), book(2, subjects: [2, 3]), book(3, by: 2, subjects: [4])])
        try await cache.prefetch(\.books, for: [Novelist(id: 1)])
        #expect(await requests.all.isEmpty)
        try await cache.prefetch(\.books.subjects, for: [Novelist(id: 1)])
        #expect(await requests.all.map { $0.sorted() } == [[1, 2, 3]])
        #expect(cache.count(of: Subject.self) == 3)
    }

    private actor Requests {
        private(set) var all: [[Int]] = []

        func add(_ ids: [Int]) { all.append(ids) }
    }

    @Test("Observation notifies a reader of a backlink of what enters, leaves and changes")
    func tracking() {
        cache.set(Novelist(id: 1))
        let handle = Cached(Novelist.self, id: 1, in: cache)
        let changes: [(FlatCache) -> Void] = [
            { $0.set(book(1)) }, { $0.set(book(1, title: "new")) }, { $0.set(book(1, by: 2)) }, { $0.set(book(1)) },
            { $0.remove(Book.self, id: 1) },
        ]
        let reads: [() -> [Book]] = [
            { [cache] in Novelist(id: 1).books(in: cache) }, { handle.books },
            { handle.cached(\.books).compactMap(\.value) },
        ]
        for read in reads {
            for change in changes {
                let notifications = Commits()
                _ = withObservationTracking(read) { notifications.add(1) }
                change(cache)
                #expect(notifications.counts == [1])
            }
        }
    }

    @Test("An observed closure is called again when a backlink has another answer")
    func observing() {
        cache.set(Novelist(id: 1))
        let counts = Commits()
        let subscription = cache.observe {
            Novelist(id: 1).books.count
        } onChange: {
            counts.add($0)
        }
        cache.set(book(1))
        cache.set(book(2, by: 2))
        cache.set(book(2))
        subscription.cancel()
        #expect(counts.counts.last == 2)
    }

    @Test("The indexes of a type are those of its annotations and backlinks")
    func indexes() {
        #expect(
            Book.indexes == [
                .init(\.novelistID), .init(\.translatorID, isUnique: true), .init(each: \.subjectIDs),
                .init(each: \.shelfPlaceIDs), .init(\.prequelID), .init(\.title), .init(\.checkerID),
            ]
        )
        #expect(Subject.indexes == [.init(\.broaderSubjectID)])
        #expect(Shelf.Place.indexes == [.init(\.label)])
        #expect(Novelist.indexes.isEmpty)
    }
}
