import FlatCache
import Synchronization
import Testing

/// Patches that aren't decoded in a payload.
@Suite("Patches made by hand")
struct PatchStoringTests {
    private let cache = FlatCache()

    private func account(_ id: String = "1") -> Account? { cache.get(Account.self, id: id) }

    @Test("Patches are stored in one commit, in order")
    func several() {
        cache.set(contentsOf: ["1", "2"].map { Account(id: $0, name: "A") })
        let notified = Mutex(0)
        let subscription = cache.observe(["1", "2"].map { Account.flatCacheKey(id: $0) }, initial: false) { _ in
            notified.withLock { $0 += 1 }
        }
        let stored = cache.store([Visit(id: "2"), Visit(id: "9"), Visit(id: "1"), Visit(id: "2", count: 5)])
        #expect(stored.value?.map(\.id) == ["2", "1", "2"] && stored.value?.map(\.visits) == [6, 1, 6])
        #expect(stored.ids(of: Account.self) == ["2", "9", "1"])
        #expect(
            stored.problems.map(\.description) == [
                "[1]: no Account with the identifier 9 is stored, and Visit.makeEntity() returns nil"
            ]
        )
        #expect(notified.withLock { $0 } == 1)
        subscription.cancel()
    }

    @Test("One patch returns the entity, or a problem")
    func one() throws {
        #expect(cache.store(Visit(id: "1")).value == nil)
        #expect(cache.store(Visit(id: "1")).problems.count == 1)
        cache.set(Account(id: "1", name: "A"))
        let stored = cache.store(Visit(id: "1"))
        #expect(stored.value?.visits == 1 && stored.problems.isEmpty)
        #expect(try cache.store(Visit(id: "1"), strict: true).value?.visits == 2)
        #expect(cache.store([Visit]()).value == [])
    }

    @Test("S2: Strict storing throws the first problem and changes nothing")
    func strict() {
        cache.set(Account(id: "1", name: "A"))
        let error = #expect(throws: PayloadProblem.self) {
            try cache.store([Visit(id: "1"), Visit(id: "8"), Visit(id: "9")], strict: true)
        }
        #expect(error?.codingPath.map(\.intValue) == [1])
        #expect(account()?.visits == 0)
        #expect(throws: PayloadProblem.self) { try cache.store(Visit(id: "9"), strict: true) }
    }

    @Test("S2: Patches join a transaction, and are undone with it")
    func transaction() {
        struct Undo: Error {}
        cache.set(Account(id: "1", name: "A"))
        #expect(throws: Undo.self) {
            try cache.transaction {
                #expect(cache.store(Visit(id: "1")).value?.visits == 1)
                #expect((try? cache.store([Visit(id: "1"), Visit(id: "9")], strict: true)) == nil)
                #expect(account()?.visits == 1)
                throw Undo()
            }
        }
        #expect(account()?.visits == 0)
    }

    /// A patch of an entity whose identifier can be changed.
    struct Renaming: EntityPatch {
        struct Label: Cachable, Equatable {
            var id: String
            var count = 0
        }

        let id: String
        let newID: String
        var makes = false

        func apply(to label: inout Label) {
            label.id = newID
            label.count += 1
        }

        func makeEntity() -> Label? { makes ? Label(id: newID) : nil }
    }

    @Test("A patch that changes the identifier is a problem and changes nothing", arguments: [false, true])
    func changedIdentifier(isStored: Bool) {
        cache.set(Renaming.Label(id: "b", count: 7))
        if isStored { cache.set(Renaming.Label(id: "a")) }
        let stored = cache.store([Renaming(id: "a", newID: "b", makes: true), Renaming(id: "b", newID: "b")])
        #expect(
            stored.problems.map(\.description) == [
                "[0]: Renaming changes the identifier of Label with the identifier a"
            ]
        )
        #expect(stored.problems.first?.key == Renaming.Label.flatCacheKey(id: "a"))
        #expect(cache.get(Renaming.Label.self, id: "a") == (isStored ? Renaming.Label(id: "a") : nil))
        #expect(cache.get(Renaming.Label.self, id: "b") == Renaming.Label(id: "b", count: 8))
    }

    /// A patch that runs a closure.
    struct Calling: EntityPatch {
        let id: String
        let body: @Sendable (inout Account) -> Void

        func apply(to account: inout Account) { body(&account) }

        func makeEntity() -> Account? { Account(id: id, name: "new") }
    }

    @Test("N1: A patch may use the cache, which is the current one, and its result counts")
    func reentrancy() {
        cache.set(Account(id: "1", name: "A", visits: 3))
        let patches = [
            Calling(id: "1") { [cache] account in
                #expect(FlatCache.current === cache)
                #expect(cache.get(Account.self, id: "1")?.visits == 3)
                cache.set(Account(id: "1", name: "lost"))
                cache.set(Account(id: "2", name: "kept"))
                account.visits += 1
            },
            Calling(id: "1") { [cache] account in
                cache.remove(Account.self, id: "1")
                cache.store(Visit(id: "2"))
                account.visits += 1
            },
            Calling(id: "3") { [cache] _ in
                cache.removeAll()
                try? cache.transaction {
                    cache.set(Account(id: "4", name: "undone"))
                    throw CancellationError()
                }
            },
        ]
        #expect(cache.store(patches.prefix(2)).value?.map(\.visits) == [5, 5])
        #expect(account("2") == Account(id: "2", name: "kept", visits: 1))
        #expect(cache.store(patches.dropFirst(2)).value == [Account(id: "3", name: "new")])
        #expect(cache.allValues(of: Account.self) == [Account(id: "3", name: "new")])
    }

    @Test("S1: Patches lose no changes of other threads, and other threads lose none of theirs")
    func concurrency() async {
        let ids = ["1", "2", "3"]
        cache.set(contentsOf: ids.map { Account(id: $0, name: "A") })
        let rounds = 300
        await withTaskGroup(of: Void.self) { group in
            for worker in 0..<4 {
                group.addTask { [cache] in
                    for round in 0..<rounds {
                        switch worker {
                        case 0: cache.update(Account.self, id: ids[round % 3]) { $0.visits += 1 }
                        case 1: cache.transaction { _ = cache.store(ids.map { Visit(id: $0) }) }
                        default: cache.store(ids.map { Visit(id: $0) })
                        }
                    }
                }
            }
        }
        #expect(ids.compactMap { account($0)?.visits }.reduce(0, +) == rounds * 10)
    }
}
