import Testing

@testable import FlatCache

@Suite("Limits of the entities in memory")
struct LimitTests {
    private let cache = FlatCache()

    @Test("A limit is kept after each write", arguments: [1, 2, 10, 100, 1_000])
    func count(limit: Int) {
        cache.setLimit(limit, for: Note.self)
        cache.setLimit(limit, for: Sheet.self)
        for number in 0..<limit * 3 {
            cache.set(Note(id: number))
            cache.set(Sheet(number))
            #expect(cache.count(of: Note.self) <= limit && cache.count(of: Sheet.self) <= limit)
            #expect(cache.contains(Note.self, id: number) && cache.contains(Sheet(number)))
        }
        #expect(cache.statistics[Note.self]?.evictions == limit * 3 - cache.count(of: Note.self))
        #expect(cache.statistics[Note.self]?.excess == 0)
    }

    @Test("A limit is kept after a commit of many entities", arguments: [100, 20_000])
    func batch(count: Int) {
        cache.setLimit(50, for: Note.self)
        cache.set(contentsOf: (0..<count).map { Note(id: $0) })
        #expect(cache.count(of: Note.self) <= 50)
        cache.transaction { for number in 0..<count { cache.set(Note(id: -number)) } }
        #expect(cache.count(of: Note.self) <= 50)
    }

    @Test("A limit of one keeps one of several entities", arguments: 0..<3)
    func one(way: Int) {
        cache.setLimit(1, for: Note.self)
        let notes = [1, 2].map { Note(id: $0) }
        switch way {
        case 0: cache.set(contentsOf: notes)
        case 1: cache.replaceAll(of: Note.self, with: notes)
        default: cache.transaction { for note in notes { cache.set(note) } }
        }
        #expect(cache.count(of: Note.self) == 1)
    }

    @Test("A limit that is set later evicts, and one that is removed doesn't")
    func later() {
        cache.set(contentsOf: (0..<5_000).map { Note(id: $0) })
        cache.setLimit(100, for: Note.self)
        #expect(cache.count(of: Note.self) <= 100 && cache.count(of: Note.self) > 80)
        cache.removeLimit(for: Note.self)
        cache.set(contentsOf: (0..<5_000).map { Note(id: $0) })
        #expect(cache.count(of: Note.self) == 5_000 && cache.statistics[Note.self]?.limit == nil)
        cache.setLimit(1_000, for: Note.self)
        cache.setLimit(2_000, for: Note.self)
        cache.set(contentsOf: (0..<5_000).map { Note(id: $0) })
        #expect(cache.count(of: Note.self) <= 2_000 && cache.count(of: Note.self) > 1_900)
    }

    @Test("What was read stays longer than what wasn't", arguments: 0..<6)
    func use(way: Int) async throws {
        cache.setLimit(1_000, for: Note.self)
        cache.set(contentsOf: (0..<900).map { Note(id: $0) })
        for number in 0..<200 {
            switch way {
            case 0: _ = cache.get(Note.self, id: number)
            case 1: _ = cache.get(Note.self, id: number, \.text)
            case 2: _ = Cached(Note.self, id: number, in: cache).value
            case 3: _ = cache.read { cache.get(Note.self, id: number) }
            case 4: cache.transaction { _ = cache.get(Note.self, id: number) }
            default: _ = try await cache.fetch(Note.self, id: number, .cacheOnly)
            }
        }
        for number in 1_000..<1_400 { cache.set(Note(id: number)) }
        #expect((0..<200).allSatisfy { cache.contains(Note.self, id: $0) })
    }

    @Test("D4: What is needed isn't evicted", arguments: 0..<9)
    func held(way: Int) {
        cache.set(Note(id: 0, text: "needed"))
        var needs: [Any] = []
        switch way {
        case 0: needs.append(Cached(Note.self, id: 0, in: cache))
        case 1: needs.append(cache.observe(Note.self, id: 0) { _ in })
        case 2: needs.append(cache.observe([Note.flatCacheKey(id: 0)]) { _ in })
        case 3: needs.append(cache.observe({ cache.get(Note.self, id: 0)?.text }, onChange: { _ in }))
        case 4: cache.list("home", of: Note.self).append(ids: [5, 6, 0])
        case 5: cache.reference("first", of: Note.self).id = 0
        case 6:
            let query = FlatCache.Query(Note.self).sorted(by: \.text, .descending).limit(1)
            needs.append(cache.query(query).observe { _ in })
        case 7:
            let query = FlatCache.Query(Note.self).filter(\.writerID, equals: 0).sorted(by: \.text, .descending).limit(
                1
            )
            needs.append(cache.query(query).observe { _ in })
        default:
            needs.append(
                cache.query(FlatCache.Query(Note.self).filter(\.text, equals: "needed").limit(5)).observe { _ in }
            )
        }
        cache.setLimit(20, for: Note.self)
        for number in 1..<500 { cache.set(Note(id: number, writerID: way)) }
        #expect(cache.count(of: Note.self) <= 20)
        withExtendedLifetime(needs) { #expect(cache.get(Note.self, id: 0)?.text == "needed") }
        needs = []
        cache.list("home", of: Note.self).removeAll()
        cache.reference("first", of: Note.self).id = nil
        for number in 1..<500 { cache.set(Note(id: number)) }
        #expect(!cache.contains(Note.self, id: 0))
    }

    @Test("Observers of whole types, lists behind their beginning, and queries without a limit protect nothing")
    func unprotected() {
        cache.setLimit(20, for: Note.self, keeps: 2)
        let list = cache.list("home", of: Note.self)
        let counts = Recorder<Int>()
        let observations = [
            cache.observe(all: Note.self) { _ in },
            cache.query(FlatCache.Query(Note.self).filter(\.writerID, equals: 0)).observe { _ in },
            list.observe { counts.record($0.values.count) },
        ]
        for number in 0..<100 { list.append(Note(id: number)) }
        #expect(cache.count(of: Note.self) <= 20 && list.count == 100 && list.missingIDs.count >= 80)
        #expect(Array(list.values.prefix(2)).map(\.id) == [0, 1] && counts.elements.last ?? .max <= 20)
        withExtendedLifetime(observations) {}
    }

    @Test("A list says how many it keeps", arguments: [0, 5])
    func keeps(count: Int) {
        cache.setLimit(10, for: Note.self, keeps: 2)
        let list = cache.list("home", of: Note.self, keeps: count)
        list.append(contentsOf: (0..<8).map { Note(id: $0) })
        // Without saying it again.
        cache.list("home", of: Note.self).append(ids: [99])
        for number in 100..<400 { cache.set(Note(id: number)) }
        #expect((0..<8).filter { cache.contains(Note.self, id: $0) } == Array(0..<count))
    }

    @Test("D4: What is needed protects what it refers to, as far as the depth says", arguments: 0..<4)
    func depth(depth: Int) {
        // A note refers to the writers 1 to 3, and each writer to the one with the tenfold number.
        let poll = Poll(voterIDs: [2], followUps: [Poll(voterIDs: [3])])
        cache.set(Note(id: 1, writerID: 1, poll: poll))
        for number in [1, 2, 3] { cache.set(Writer(id: number, teacherID: number * 10)) }
        for number in [10, 20, 30] { cache.set(Writer(id: number, teacherID: number * 10)) }
        for number in [100, 200, 300] { cache.set(Writer(id: number)) }
        cache.setLimit(30, for: Writer.self, depth: depth)
        let handle = Cached(Note.self, id: 1, in: cache)
        for number in 1_000..<2_000 { cache.set(Writer(id: number)) }
        let left = [1, 2, 3, 10, 20, 30, 100, 200, 300].filter { cache.contains(Writer.self, id: $0) }
        let expected = [[], [1, 2, 3], [1, 2, 3, 10, 20, 30], [1, 2, 3, 10, 20, 30, 100, 200, 300]]
        #expect(left == expected[depth])
        withExtendedLifetime(handle) {}
    }

    @Test("If all is protected, the limit is exceeded, and kept again when it can be")
    func exceeded() {
        cache.setLimit(10, for: Note.self)
        var handles = (0..<50).map { Cached(Note.self, id: $0, in: cache) }
        for number in 0..<50 { cache.set(Note(id: number)) }
        #expect(cache.count(of: Note.self) == 50)
        #expect(cache.statistics[Note.self]?.excess == 40 && cache.statistics[Note.self]?.held == 50)
        handles = []
        cache.evictNow()
        #expect(cache.count(of: Note.self) <= 10 && handles.isEmpty)
        handles = (100..<150).map { Cached(Note.self, id: $0, in: cache) }
        for number in 100..<150 { cache.set(Note(id: number)) }
        handles = []
        for _ in 0..<200 { cache.set(Note(id: 1)) }
        #expect(cache.count(of: Note.self) <= 10)
    }

    @Test("N5, D4: An eviction is distinguished from a removal")
    func kinds() {
        let writer = cache.list("home", of: Writer.self, dropsRemoved: true)
        cache.setLimit(8, for: Writer.self, keeps: 1)
        let changes = Recorder<TypeChanges<Writer>>()
        let subscription = cache.observe(all: Writer.self) { changes.record($0) }
        // Each is the teacher of the next one, whose delete rule is a cascade.
        for number in 0..<40 { writer.append(Writer(id: number, teacherID: number - 1)) }
        let left = cache.allValues(of: Writer.self).map(\.id)
        let evicted = changes.elements.flatMap(\.evicted).map(\.id)
        #expect(Set(evicted).isDisjoint(with: left) && evicted.count + left.count == 40)
        #expect(changes.elements.allSatisfy { $0.removed.isEmpty })
        // The list keeps their places.
        #expect(writer.count == 40 && writer.missingIDs.count == evicted.count)
        #expect(!cache.isComplete(Writer.self) && cache.isComplete(Note.self))
        cache.removeAll(of: Writer.self)
        #expect(cache.isComplete(Writer.self))
        withExtendedLifetime(subscription) {}
    }

    @Test("Folded changes have the kind of the last commit")
    func folded() async {
        cache.set(contentsOf: [Note(id: 1), Note(id: 2), Note(id: 3)])
        var changes = cache.changes(ofAll: Note.self).makeAsyncIterator()
        cache.remove(Note.self, id: 1)
        cache.set(Note(id: 1))
        cache.collect(keeping: [Note.flatCacheKey(id: 3)])
        cache.set(Note(id: 2, text: "back"))
        cache.collect(keeping: [Note.flatCacheKey(id: 2)])
        cache.set(Note(id: 3))
        cache.remove(Note.self, id: 3)
        cache.set(Note(id: 4))
        let net = await changes.next()
        #expect(net?.evicted.map(\.id) == [1] && net?.removed.map(\.id) == [3])
        #expect(net?.updated.map(\.value) == [Note(id: 2, text: "back")] && net?.inserted.map(\.id) == [4])
    }

    @Test("An entity that is evicted while an observer reads is evicted for it, too")
    func observedKind() {
        cache.set(Note(id: 1))
        let query = FlatCache.Query(Note.self).filter(\.writerID, equals: 0)
        let removed = Recorder<Int>()
        let subscription = cache.query(query).observe { removed.record($0.values.count) }
        cache.collect()
        #expect(cache.count(of: Note.self) == 0 && removed.elements == [1, 0])
        withExtendedLifetime(subscription) {}
    }

    @Test("An eviction isn't a removal for an answer that is on its way")
    func fence() async throws {
        let cache = cache
        cache.set(Note(id: 1, text: "old"))
        cache.set(Note(id: 2, text: "old"))
        cache.setFetcher(of: Note.self) { (ids: Set<Int>) in
            cache.collect()
            #expect(!cache.contains(Note.self, id: 2))
            // The answer has another entity, which was evicted meanwhile.
            return [Note(id: 1, text: "new"), Note(id: 2, text: "new")]
        }
        #expect(try await cache.fetch(Note.self, id: 1, .networkOnly).text == "new")
        #expect(cache.get(Note.self, id: 2)?.text == "new")
    }

    @Test("A fetch brings an evicted entity back")
    func fetch() async throws {
        let cache = cache
        cache.setFetcher(of: Note.self) { (ids: Set<Int>) in ids.map { Note(id: $0, text: "fetched") } }
        cache.countsRequests = true
        cache.set(Note(id: 1, text: "stored"))
        #expect(try await cache.fetch(Note.self, id: 1).text == "stored")
        cache.collect()
        #expect(cache.get(Note.self, id: 1) == nil)
        #expect(try await cache.fetch(Note.self, id: 1).text == "fetched")
        #expect(try await cache.fetch(Note.self, ids: [1, 2]).count == 2)
        #expect(cache.statistics.hits == 2 && cache.statistics.misses == 2)
        cache.countsRequests = false
        _ = try await cache.fetch(Note.self, id: 1)
        #expect(cache.statistics.hits == 2)
    }

    @Test("A snapshot keeps what is evicted meanwhile")
    func snapshot() {
        cache.set(contentsOf: (0..<10).map { Note(id: $0) })
        cache.read {
            cache.collect()
            #expect(cache.count(of: Note.self) == 10 && cache.get(Note.self, id: 3) != nil)
        }
        #expect(cache.count(of: Note.self) == 0)
    }

    @Test("Marks as stale don't keep entities in memory, and end with them")
    func stale() async throws {
        let cache = cache
        cache.setFetcher(of: Note.self) { (ids: Set<Int>) in ids.map { Note(id: $0, text: "fetched") } }
        cache.set(contentsOf: (0..<100).map { Note(id: $0) })
        for _ in 0..<3 {
            for number in 0..<100 { cache.invalidate(Note.self, id: number) }
        }
        let handle = Cached(Note.self, id: 7, in: cache)
        cache.setLimit(10, for: Note.self)
        #expect(cache.count(of: Note.self) <= 10 && cache.contains(Note.self, id: 7))
        cache.collect()
        #expect(cache.count(of: Note.self) == 1)
        #expect(try await cache.fetch(Note.self, id: 7).text == "fetched")
        #expect(try await cache.fetch(Note.self, id: 8).text == "fetched")
        withExtendedLifetime(handle) {}
    }

    @Test("Entities that are too old are evicted", arguments: [false, true])
    func age(isWriting: Bool) {
        let clock = ManualClock()
        let cache = FlatCache(clock: clock)
        cache.setLimit(1_000, for: Note.self, maxAge: .seconds(60))
        cache.set(contentsOf: (0..<10).map { Note(id: $0) })
        clock.advance(by: .seconds(40))
        cache.set(Note(id: 5, text: "new"))
        let handle = Cached(Note.self, id: 6, in: cache)
        for number in 0..<10 { _ = cache.get(Note.self, id: number) }
        clock.advance(by: .seconds(30))
        if isWriting { cache.set(Writer(id: 1)) } else { cache.evictNow() }
        #expect(Set(cache.allValues(of: Note.self).map(\.id)) == [5, 6])
        withExtendedLifetime(handle) {}
    }

    @Test("Entities from before the first use of ages aren't too old before their time")
    func earlyAge() {
        let clock = ManualClock()
        let cache = FlatCache(clock: clock)
        clock.advance(by: .seconds(10))
        cache.set(Note(id: 1))
        cache.setLimit(1_000, for: Note.self, maxAge: .seconds(60))
        #expect(cache.count(of: Note.self) == 1)
    }

    @Test("Costs are added up and limited")
    func cost() {
        cache.set(contentsOf: (0..<10).map { Note(id: $0, text: String(repeating: "x", count: 100)) })
        cache.setLimit(cost: 1_000, for: Note.self) { $0.text.utf8.count }
        func sum() -> Int { cache.allValues(of: Note.self).reduce(0) { $0 + $1.text.utf8.count } }
        #expect(sum() == 1_000)
        cache.update(Note.self, id: 3) { $0.text += "y" }
        #expect(sum() <= 1_000 && sum() > 700)
        for number in 10..<200 {
            cache.set(Note(id: number, text: String(repeating: "x", count: number * 7 % 300)))
            #expect(sum() <= 1_000)
        }
        cache.set(Note(id: 0, text: String(repeating: "x", count: 5_000)))
        // A write doesn't evict its own entity, the next one does.
        #expect(sum() == 5_000)
        cache.set(Note(id: 1, text: "x"))
        #expect(sum() <= 1_000)
        cache.removeAll(of: Note.self)
        cache.set(contentsOf: (0..<10).map { Note(id: $0, text: String(repeating: "x", count: 100)) })
        #expect(sum() == 1_000)
        let handle = Cached(Note.self, id: 1, in: cache)
        handle.update { $0.text = String(repeating: "x", count: 3_000) }
        #expect(cache.statistics[Note.self]?.limit == .cost(1_000))
        #expect(cache.statistics[Note.self]?.excess == sum() - 1_000 && sum() >= 3_000)
    }

    @Test("Costs may be as great as an integer can be", arguments: [1, 1_000, Int.max])
    func greatCosts(limit: Int) {
        cache.setLimit(cost: limit, for: Note.self) { $0.id % 2 == 0 ? .max : .min }
        for number in 0..<50 { cache.set(Note(id: number)) }
        #expect(cache.allValues(of: Note.self).filter { $0.id % 2 == 0 }.count <= 1)
        #expect(cache.statistics[Note.self].map { $0.excess >= 0 } == true)
    }

    @Test(
        "Any age is allowed, and what was just stored isn't too old",
        arguments: [Duration.zero, .seconds(-1), .seconds(Int64.max)]
    )
    func anyAge(age: Duration) {
        cache.setLimit(10, for: Note.self, maxAge: age)
        for number in 0..<50 {
            cache.set(Note(id: number))
            #expect(cache.contains(Note.self, id: number) && cache.count(of: Note.self) <= 10)
        }
    }

    @Test("A limit that is set in a transaction is kept after its commit")
    func inTransaction() {
        cache.set(contentsOf: (0..<100).map { Note(id: $0) })
        cache.transaction {
            for number in 0..<100 { cache.update(Note.self, id: number) { $0.text = "new" } }
            cache.setLimit(10, for: Note.self)
            #expect(cache.count(of: Note.self) == 100)
        }
        #expect(cache.count(of: Note.self) <= 10)
    }

    @Test("N1: A cost may use the cache")
    func nosyCost() {
        let cache = cache
        cache.setLimit(cost: 100, for: Note.self) { note in
            cache.set(Sheet(note.id))
            return cache.count(of: Sheet.self) > 0 ? 1 : 0
        }
        for number in 0..<200 { cache.set(Note(id: number)) }
        #expect(cache.count(of: Note.self) <= 100 && cache.count(of: Sheet.self) == 200)
    }

    @Test("N1: Observers of evictions may write entities of the limited type")
    func nosyObserver() {
        let cache = cache
        cache.setLimit(10, for: Note.self)
        let subscription = cache.observe(all: Note.self) { changes in
            for note in changes.evicted where note.id < 100 { cache.set(Note(id: note.id + 1_000)) }
        }
        for number in 0..<100 { cache.set(Note(id: number)) }
        #expect(cache.count(of: Note.self) <= 10)
        withExtendedLifetime(subscription) {}
    }

    @Test("Q2: Indexes and lists in order have what is in memory")
    func indexes() {
        cache.setLimit(30, for: Note.self)
        for number in 0..<300 {
            cache.set(Note(id: number, writerID: number % 3))
            let all = cache.allValues(of: Note.self, inOrder: true)
            for writer in 0..<3 {
                let found = cache.query(FlatCache.Query(Note.self).filter(\.writerID, equals: writer)).values
                #expect(Array(found) == all.filter { $0.writerID == writer })
            }
        }
    }

    @Test("A transaction that writes more than the limit is committed whole")
    func transaction() {
        cache.setLimit(5, for: Note.self)
        let counts = Recorder<Int>()
        let subscription = cache.observe(all: Note.self) { counts.record($0.inserted.count) }
        cache.transaction {
            for number in 0..<20 { cache.set(Note(id: number)) }
            #expect(cache.count(of: Note.self) == 20)
        }
        #expect(counts.elements.first == 20 && cache.count(of: Note.self) <= 5)
        withExtendedLifetime(subscription) {}
    }
}
