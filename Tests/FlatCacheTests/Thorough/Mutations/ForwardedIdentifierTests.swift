import Observation
import TestThreads
import Testing

@testable import FlatCache

/// Reads, writes and observers of a replaced identifier.
@Suite("Reads and observers of a replaced identifier", .mayBlock)
struct ForwardedIdentifierTests {
    private let cache = FlatCache()

    init() {
        cache.set(contentsOf: [Memo(id: "a"), Memo(id: "tmp", text: "old")])
    }

    @Test("All forms of reads under the old identifier return the new entity, outside and inside of bodies")
    func reads() throws {
        cache.set(Stone(id: 1, memoID: "tmp"))
        let handle = Cached(Memo.self, id: "tmp", in: cache)
        cache.replaceMemo("tmp", by: "7")
        let later = Cached(Memo.self, id: "tmp", in: cache)
        func check() throws {
            #expect(cache.get(Memo.self, id: "tmp")?.id == "7")
            #expect(cache.get(Memo.self, id: "tmp", \.text) == "new")
            #expect(cache.get(Memo.self, id: "tmp", \.parentID) == nil)
            #expect(cache.contains(Memo.self, id: "tmp"))
            #expect(cache.get(Memo.self, ids: ["a", "tmp"]).map(\.id) == ["a", "7"])
            #expect(cache.missingIDs(of: Memo.self, among: ["tmp", "b"]) == ["b"])
            for handle in [handle, later] {
                #expect(handle.value?.id == "7")
                #expect(handle.text == "new")
                #expect(handle[\.text.count] == 3)
                #expect(handle.id == "7")
            }
            let stone = Cached(Stone.self, id: 1, in: cache)
            #expect(stone.memo?.text == "new")
            #expect(try stone.require(\.memo).id == "7")
            #expect(stone.missing(\.memo).isEmpty)
            #expect(cache.currentID(of: Memo.self, "tmp") == "7")
            #expect(cache.currentID(of: Memo.self, "b") == "b")
        }
        try check()
        try cache.read { try check() }
        try cache.transaction { try check() }
        try cache.tracked { _ in try check() }
        #expect(!cache.allKeys(of: Memo.self).contains(FlatCacheKey(Memo.self, id: "tmp")))
    }

    @Test("Several replacements one after the other lead to the last identifier, in any order of a circle")
    func chains() {
        cache.replaceMemo("tmp", by: "7")
        cache.replaceMemo("7", by: "8", "8")
        #expect(cache.text("tmp") == "8")
        #expect(cache.text("7") == "8")
        // The old identifier stands for the current one.
        cache.replaceMemo("tmp", by: "9", "9")
        #expect(["tmp", "7", "8", "9"].map { cache.text($0) } == ["9", "9", "9", "9"])
        cache.replaceMemo("9", by: "tmp", "tmp")
        #expect(["tmp", "7", "8", "9"].map { cache.text($0) } == ["tmp", "tmp", "tmp", "tmp"])
        #expect(cache.count(of: Memo.self) == 2)
        cache.transaction {
            cache.replaceMemo("tmp", by: "x", "x")
            cache.replaceMemo("x", by: "y", "y")
            cache.replaceMemo("y", by: "tmp", "z")
            cache.replaceMemo("tmp", by: "w", "w")
        }
        #expect(["tmp", "7", "x", "y", "w"].map { cache.text($0) } == ["w", "w", "w", "w", "w"])
        #expect(cache.allValues(of: Memo.self, inOrder: true).map(\.id) == ["a", "w"])
    }

    @Test("Writes under the old identifier concern the new entity", arguments: [false, true])
    func writes(isInTransaction: Bool) throws {
        let handle = Cached(Memo.self, id: "tmp", in: cache)
        cache.replaceMemo("tmp", by: "7")
        func write() throws {
            #expect(cache.update(Memo.self, id: "tmp") { $0.text += "1" })
            #expect(handle.update { $0.text += "2" })
            #expect(cache.text("7") == "new12")
            try handle.set(Memo(id: "7", text: "set"))
            #expect(cache.text("7") == "set")
            #expect(throws: HandleError.self) { try handle.set(Memo(id: "8")) }
            #expect(cache.remove(Memo.self, id: "tmp")?.id == "7")
            #expect(handle.value == nil)
            #expect(!handle.update { $0.text = "" })
            #expect(cache.remove(Memo.self, id: "tmp") == nil)
            cache.set(Memo(id: "7", text: "again"))
            #expect(handle.remove()?.text == "again")
            cache.set(Memo(id: "7", text: "again"))
            #expect(cache.remove(Memo.self, ids: ["tmp"]).map(\.id) == ["7"])
        }
        if isInTransaction { try cache.transaction(write) } else { try write() }
        #expect(cache.text("7") == nil)
    }

    @Test("An entity that is stored under the old identifier again is read under it as long as it is stored")
    func storedAgain() {
        cache.replaceMemo("tmp", by: "7")
        cache.set(Memo(id: "tmp", text: "another"))
        #expect(cache.text("tmp") == "another")
        #expect(cache.currentID(of: Memo.self, "tmp") == "tmp")
        cache.remove(Memo.self, id: "tmp")
        #expect(cache.text("tmp") == "new")
    }

    @Test("A body has one state of a replaced identifier under which a pending change shows an entity")
    func shownAgain() async {
        cache.replaceMemo("tmp", by: "7")
        @Sendable func begin() -> Mutation<Void> {
            cache.mutate(order: .serial("all")) {
                $0.insert(temporary: Memo(id: "tmp", text: "another"))
            } send: {
            }
        }
        let answer = ManualAnswer<Void>()
        let first = cache.mutate(Memo.self, id: "a", order: .serial("all")) { _ in
        } send: {
            try await answer()
        }
        let mutation = begin()
        @Sendable func check(_ id: String) { #expect(cache.currentID(of: Memo.self, "tmp") == id) }
        func checkAll(_ id: String, meanwhile: @escaping @Sendable () -> Void) {
            cache.transaction {
                check(id)
                RunningThread { meanwhile() }.finish()
                check(id)
            }
        }
        checkAll("tmp") { #expect(mutation.cancel()) }
        checkAll("7") { _ = begin() }
        check("tmp")
        cache.confirmed { check("tmp") }
        answer.succeed()
        await first.ended()
    }

    @Test("The removal of all entities ends the forwarding, and that of the type doesn't")
    func removals() {
        cache.replaceMemo("tmp", by: "7")
        cache.removeAll(of: Memo.self)
        cache.set(Memo(id: "7", text: "again"))
        #expect(cache.text("tmp") == "again")
        cache.removeAll()
        cache.set(Memo(id: "7", text: "again"))
        #expect(cache.text("tmp") == nil)
    }

    @Test("A read that began before the replacement has the old state")
    func earlierRead() {
        let handle = Cached(Memo.self, id: "tmp", in: cache)
        cache.read {
            _ = cache.text("a")
            onThreads(1) { _ in cache.replaceMemo("tmp", by: "7") }
            #expect(cache.text("tmp") == "old")
            #expect(handle.text == "old")
            #expect(cache.text("7") == nil)
        }
        #expect(cache.text("tmp") == "new")
    }

    @Test("Observers of the old key are notified of one update, and then of changes of the new key")
    func observers() async {
        let handle = Cached(Memo.self, id: "tmp", in: cache)
        let seen = Recorder<String>()
        @Sendable func record(_ change: EntityChange<Memo>) {
            seen.record("\(change.kind) \(change.oldValue?.text ?? "-") \(change.value?.text ?? "-") \(change.id)")
        }
        let subscriptions = [
            cache.observe(Memo.self, id: "tmp", initial: false) { record($0) },
            handle.observe(initial: false) { record($0) },
        ]
        cache.replaceMemo("tmp", by: "7")
        #expect(seen.take() == ["updated old new 7", "updated old new 7"])
        cache.update(Memo.self, id: "7") { $0.text = "newer" }
        #expect(seen.take() == ["updated new newer 7", "updated new newer 7"])
        let later = [
            cache.observe(Memo.self, id: "tmp") { record($0) },
            handle.observe { record($0) },
        ]
        #expect(seen.take() == ["initial - newer 7", "initial - newer 7"])
        cache.remove(Memo.self, id: "7")
        #expect(seen.take().sorted() == Array(repeating: "removed newer - 7", count: 4))
        for subscription in subscriptions + later { subscription.cancel() }
        cache.set(Memo(id: "7"))
        cache.set(Memo(id: "tmp"))
        #expect(seen.take().isEmpty)
        let table = cache.registry.table(of: Memo.self).takeUnretainedValue()
        for id in ["tmp", "7"] { #expect(table.withSlot(for: id, HashedID(id)) { $0.observers == nil }) }
    }

    @Test("Observers of keys hear of the old and the new key in one call")
    func keyObservers() {
        let seen = Recorder<ChangeSet>()
        let subscription = cache.observe([FlatCacheKey(Memo.self, id: "tmp")], initial: false) { seen.record($0) }
        cache.replaceMemo("tmp", by: "7")
        #expect(seen.count == 1)
        #expect(seen.elements.first?.removed == [FlatCacheKey(Memo.self, id: "tmp")])
        #expect(seen.elements.first?.inserted == [FlatCacheKey(Memo.self, id: "7")])
        cache.update(Memo.self, id: "7") { $0.text = "newer" }
        #expect(seen.elements.last?.updated == [FlatCacheKey(Memo.self, id: "7")])
        subscription.cancel()
    }

    @Test("Closures, queries and sequences that read the old key go on with the new one", arguments: [false, true])
    func closures(isStored: Bool) async {
        if !isStored { cache.remove(Memo.self, id: "tmp") }
        let old = isStored ? "old" : nil
        let handle = Cached(Memo.self, id: "tmp", in: cache)
        let (read, ofHandle) = (Recorder<String?>(), Recorder<String?>())
        let subscriptions = [
            cache.observe { [cache] in
                cache.text("tmp")
            } onChange: {
                read.record($0)
            },
            cache.observe {
                handle.text
            } onChange: {
                ofHandle.record($0)
            },
        ]
        var updates = handle.updates.makeAsyncIterator()
        let first = await updates.next()
        #expect(first.map { $0?.text } == .some(old))
        cache.replaceMemo("tmp", by: "7")
        #expect(read.take() == [old, "new"])
        #expect(ofHandle.take() == [old, "new"])
        let second = await updates.next()
        #expect(second.map { $0?.text } == .some("new"))
        cache.update(Memo.self, id: "7") { $0.text = "newer" }
        #expect(read.take() == ["newer"])
        #expect(ofHandle.take() == ["newer"])
        let third = await updates.next()
        #expect(third.map { $0?.text } == .some("newer"))
        for subscription in subscriptions { subscription.cancel() }
    }

    @Test(
        "Tracked reads of the old key are notified, and follow the new one",
        arguments: [false, true],
        [false, true]
    )
    func tracked(byHandle: Bool, isStored: Bool) async {
        if !isStored { cache.remove(Memo.self, id: "tmp") }
        let handle = Cached(Memo.self, id: "tmp", in: cache)
        let notified = Recorder<Int>()
        func track(_ number: Int) -> String? {
            withObservationTracking {
                byHandle ? handle.value?.text : cache.tracked { $0.text("tmp") }
            } onChange: {
                notified.record(number)
            }
        }
        #expect(track(1) == (isStored ? "old" : nil))
        cache.replaceMemo("tmp", by: "7")
        #expect(notified.take() == [1])
        #expect(track(2) == "new")
        cache.update(Memo.self, id: "7") { $0.text = "newer" }
        #expect(notified.take() == [2])
    }

    @Test("A fetch of the old key asks for the new one")
    func fetches() async throws {
        cache.replaceMemo("tmp", by: "7")
        let asked = Recorder<Set<String>>()
        cache.setFetcher(of: Memo.self) { ids in
            asked.record(ids)
            return ids.map { Memo(id: $0, text: "fetched") }
        }
        #expect(try await cache.fetch(Memo.self, id: "tmp").text == "new")
        #expect(try await cache.fetch(Memo.self, id: "tmp", .networkOnly).id == "7")
        #expect(try await Cached(Memo.self, id: "tmp", in: cache).fetch(.networkOnly).text == "fetched")
        cache.invalidate(Memo.self, id: "tmp")
        #expect(try await cache.fetch(Memo.self, ids: ["tmp"]).map(\.id) == ["7"])
        #expect(asked.elements == [["7"], ["7"], ["7"]])
    }

    @Test("A large commit replaces identifiers, too")
    func large() {
        let seen = Recorder<String>()
        let subscription = cache.observe(Memo.self, id: "tmp", initial: false) {
            seen.record("\($0.kind) \($0.value?.text ?? "-")")
        }
        let list = cache.list("home", of: Memo.self)
        list.append(ids: ["tmp"])
        cache.transaction {
            cache.set(contentsOf: (0..<5_000).map { Memo(id: "many \($0)") })
            cache.replaceMemo("tmp", by: "7")
        }
        #expect(seen.take() == ["updated new"])
        #expect(cache.allValues(of: Memo.self, inOrder: true).prefix(3).map(\.id) == ["a", "7", "many 0"])
        cache.update(Memo.self, id: "tmp") { $0.text = "newer" }
        #expect(seen.take() == ["updated newer"])
        #expect(Array(list.ids) == ["7"])
        subscription.cancel()
    }
}
