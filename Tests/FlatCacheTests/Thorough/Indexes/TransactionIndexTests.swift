import SeededRandom
import Testing

@testable import FlatCache

/// The work of index queries in transactions that change entities, as the number of keys that are computed.
@Suite("Index queries in transactions")
struct TransactionIndexTests {
    let cache = FlatCache()
    private let computed = Protected(0)
    private let count = 300

    init() {
        cache.set(contentsOf: (0..<count).map { Ticket(id: $0, queue: $0, computed: computed) })
    }

    /// The number of keys that are computed in a transaction and its commit.
    private func keys(of body: () -> Void) -> Int {
        computed.withLock { $0 = 0 }
        cache.transaction(body)
        return computed.withLock { $0 }
    }

    @Test("Each query computes only the keys of what has changed since the query before")
    func equality() {
        cache.buildIndex(.init(\Ticket.key))
        let keys = keys {
            for number in 0..<count {
                let found = cache.query(FlatCache.Query<Ticket>().filter(\.key, equals: number)).first
                #expect(found?.id == number)
                cache.update(Ticket.self, id: number) { $0.queue = -number - 1 }
                #expect(cache.query(FlatCache.Query<Ticket>().filter(\.key, equals: -number - 1)).ids == [number])
            }
        }
        #expect(keys < 10 * count)
    }

    @Test("Entities that leave a key aren't asked by later queries of the key")
    func leaving() {
        cache.buildIndex(.init(\Ticket.key))
        let keys = keys {
            for number in 0..<count {
                cache.update(Ticket.self, id: number) { $0.queue = 10_000 }
                #expect(cache.query(FlatCache.Query<Ticket>().filter(\.key, equals: 10_000)).ids == [number])
                cache.update(Ticket.self, id: number) { $0.queue = 20_000 }
            }
        }
        #expect(keys < 10 * count)
    }

    @Test("A query computes one key for many changes of one entity")
    func oneEntity() {
        cache.buildIndex(.init(\Ticket.key))
        let keys = keys {
            for number in 0..<count {
                for change in 0..<20 { cache.update(Ticket.self, id: 0) { $0.queue = change * count + number } }
                let key = 19 * count + number
                #expect(cache.query(FlatCache.Query<Ticket>().filter(\.key, equals: key)).ids == [0])
            }
        }
        #expect(keys < 10 * count)
    }

    @Test("A range asks only the changed entities in the range")
    func range() {
        cache.buildIndex(.init(\Ticket.key), isOrdered: true)
        let keys = keys {
            for number in 0..<count {
                let found = cache.query(FlatCache.Query<Ticket>().filter(\.key, in: number...number)).first
                #expect(found?.id == number)
                cache.update(Ticket.self, id: number) { $0.queue = -number - 1 }
                let range = (-number - 1)...(-number - 1)
                #expect(cache.query(FlatCache.Query<Ticket>().filter(\.key, in: range)).ids == [number])
            }
        }
        #expect(keys < 20 * count)
    }

    @Test("The first entities in an order are asked without the other changed ones")
    func first() {
        cache.buildIndex(.init(\Ticket.key), isOrdered: true)
        let first = FlatCache.Query<Ticket>().sorted(by: \.key).limit(1)
        let keys = keys {
            for number in 0..<count {
                #expect(cache.query(first).ids == [number])
                cache.update(Ticket.self, id: number) { $0.queue += count }
            }
            #expect(cache.query(first).ids == [0])
        }
        #expect(keys < 20 * count)
    }

    @Test(
        "A circle that is removed, and whose entities lose references meanwhile, takes time for each entity once",
        arguments: [1, 2]
    )
    func circle(part: Int) {
        let count = Extent.count(10_000, full: 100_000)
        // An entity loses its reference long before it is removed, or shortly before.
        let distance = part == 1 ? count / 2 : 7
        cache.set(
            contentsOf: (0..<count).map {
                Carriage(id: $0, nextID: ($0 + 1) % count, seenIDs: [($0 + distance) % count], computed: computed)
            }
        )
        cache.buildIndex(Carriage.next)
        cache.buildIndex(Carriage.seen)
        computed.withLock { $0 = 0 }
        cache.remove(Carriage.self, id: 5)
        #expect(cache.count(of: Carriage.self) == 0)
        #expect(computed.withLock { $0 } < 40 * count)
    }

    @Test("The code of a key may ask its own index", arguments: [false, true])
    func recursiveKey(isOrdered: Bool) {
        let isAsking = Protected(true)
        let answers = Recorder<[Int]>()
        cache.set(contentsOf: (0..<5).map { Asking(id: $0, group: $0 % 2, isAsking: isAsking, answers: answers) })
        cache.buildIndex(.init(\Asking.key), isOrdered: isOrdered)
        let query = FlatCache.Query<Asking>()
        let ones = isOrdered ? query.filter(\.key, in: 1...1) : query.filter(\.key, equals: 1)
        cache.transaction {
            cache.set(Asking(id: 5, group: 1, isAsking: isAsking, answers: answers))
            isAsking.withLock { $0 = false }
            #expect(cache.query(ones).ids == [1, 3, 5])
            isAsking.withLock { $0 = true }
            cache.set(Asking(id: 3, group: 0, isAsking: isAsking, answers: answers))
            #expect(cache.query(ones).ids == [1, 5])
        }
        let all = answers.take()
        #expect(!all.isEmpty && all.allSatisfy { $0 == [1, 3, 5] })
    }
}

/// An entity that counts how often its key is computed.
private struct Ticket: Cachable {
    let id: Int
    var queue: Int
    let computed: Protected<Int>

    var key: Int {
        computed.withLock { $0 += 1 }
        return queue
    }
}

/// An entity that is removed with the next one, and forgets those that it has seen.
private struct Carriage: Cachable, RelationshipOwner {
    let id: Int
    var nextID: Int
    var seenIDs: [Int]
    let computed: Protected<Int>

    struct Relationships: Sendable {
        var next: _ToOne<Carriage> { .init("Carriage.nextID", { $0.nextID }, set: { $0.nextID = $1 }) }
        var seen: _ToMany<Carriage> { .init("Carriage.seenIDs", { $0.seenIDs }, set: { $0.seenIDs = $1 }) }
    }
    static var relationships: Relationships { Relationships() }
    static let next = FlatCache.Index<Carriage>(\.nextKey)
    static let seen = FlatCache.Index<Carriage>(each: \.seenKeys)
    static let deleteRules: [FlatCache.DeleteRule<Carriage>] = [
        .init(\.next, .cascade, index: next), .init(\.seen, .nullify, index: seen),
    ]

    var nextKey: Int {
        computed.withLock { $0 += 1 }
        return nextID
    }
    var seenKeys: [Int] {
        computed.withLock { $0 += 1 }
        return seenIDs
    }
}

/// An entity whose key asks the index of the key, unless it does so already.
private struct Asking: Cachable {
    let id: Int
    var group: Int
    let isAsking: Protected<Bool>
    let answers: Recorder<[Int]>

    var key: Int {
        let mayAsk = isAsking.withLock { isAsking in
            defer { isAsking = true }
            return !isAsking
        }
        guard mayAsk else { return group }
        defer { isAsking.withLock { $0 = false } }
        answers.record(FlatCache.current.query(FlatCache.Query<Asking>().filter(\.key, equals: 1)).ids)
        return group
    }
}
