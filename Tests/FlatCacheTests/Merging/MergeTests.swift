import Testing

@testable import FlatCache

/// The results of the merges of the library and of users for two entities.
@Suite("Merges")
struct MergeTests {
    let cache = FlatCache()

    @Test(
        "P3: The newest version is stored, and none is older than any; of equal ones, the incoming entity is stored",
        arguments: [
            (1, 2, true), (2, 1, false), (2, 2, true), (nil, 1, true), (1, nil, false), (nil, nil, true),
        ] as [(Int?, Int?, Bool)]
    )
    func newest(stored: Int?, incoming: Int?, wins: Bool) {
        #expect(cache.set(Versioned(id: 1, version: stored, text: "stored")))
        #expect(cache.set(Versioned(id: 1, version: incoming, text: "incoming")) == wins)
        #expect(cache.get(Versioned.self, id: 1)?.text == (wins ? "incoming" : "stored"))
    }

    @Test("P3: A union has the stored identifiers, then the new ones, each once, and all else of the incoming entity")
    func union() {
        cache.set(Discussion([3, 1, 3], title: "stored", tags: ["a"], pinned: [1]))
        #expect(cache.set(Discussion([2, 1, 2], title: "incoming", tags: ["b"])))
        #expect(
            cache.allValues(of: Discussion.self)
                == [Discussion([3, 1, 2], title: "incoming", tags: ["a", "b"], pinned: [1])]
        )
        cache.set(Discussion(pinned: [2, 1]))
        #expect(cache.allValues(of: Discussion.self) == [Discussion([3, 1, 2], tags: ["a", "b"], pinned: [1, 2])])
    }

    @Test("P3: The identifiers of an optional union are nil only if both are")
    func optionalUnion() {
        cache.set(Discussion())
        cache.set(Discussion())
        #expect(cache.allValues(of: Discussion.self).first?.pinnedIDs == nil)
        cache.set(Discussion(pinned: [1]))
        #expect(cache.allValues(of: Discussion.self).first?.pinnedIDs == [1])
    }

    @Test("P3: The merge after another one gets its result, and isn't called if that keeps the stored entity")
    func chains() {
        let merge: Merge<Merged> = Merge { $1.entries == [0] ? nil : $1 }.then(Merge(Merged.adding))
        func result(_ merge: Merge<Merged>, _ incoming: [Int]) -> [Int]? {
            merge.resolver(for: Merged(1, incoming))(Merged(1, [1]))?.entries
        }
        #expect(result(merge, [2]) == [1, 2])
        #expect(result(merge, [0]) == nil)
        #expect(result(merge.then(Merge(Merged.adding)), [2]) == [1, 1, 2])
        #expect(result(merge.then(.replace), [0]) == nil)
        #expect(result(Merge.replace.then(merge), [2]) == [1, 2])
        #expect(Merge<Merged>.replace.then(.replace).isReplace)
    }

    @Test("P3: Nothing is merged if no entity is stored")
    func first() {
        let calls = Recorder<Int>()
        #expect(cache.set(Merged(1, [1], Merged.adding { calls.record($0) })))
        cache.set(contentsOf: [Merged(2, [1], Merged.adding { calls.record($0) })])
        #expect(cache.insertIfAbsent(Merged(3, [1], Merged.adding { calls.record($0) })).inserted)
        #expect(calls.count == 0)
        #expect((1...3).map { cache.get(Merged.self, id: $0)?.entries } == [[1], [1], [1]])
    }

    @Test("P3, N4: An entity that a merge keeps has no new revision, and notifies nobody")
    func outdated() throws {
        let handle = Cached(Merged.self, id: 1, in: cache)
        cache.set(Merged(1, [1]))
        let notified = Recorder<[Int]?>()
        let changed = Recorder<ChangeSet>()
        let subscriptions = [
            handle.observe { notified.record($0.value?.entries) },
            cache.observe([handle.key], initial: false) { changed.record($0) },
        ]
        let revision = handle.slotState.revision
        let outdated = Merged(1, [2]) { _, _ in nil }
        #expect(!cache.set(outdated))
        try handle.set(outdated)
        cache.set(contentsOf: [outdated, outdated])
        cache.transaction { #expect(!cache.set(outdated)) }
        #expect(cache.update(outdated))
        #expect(handle.slotState.revision == revision)
        #expect(notified.elements == [[1]] && changed.count == 0)
        // Of several entities in one commit, only those count that aren't kept.
        cache.set(contentsOf: [outdated, Merged(2, [1])])
        #expect(handle.slotState.revision == revision && changed.count == 0)
        for subscription in subscriptions { subscription.cancel() }
    }

    @Test("P3, N4: A merge whose result equals the stored entity notifies nobody")
    func equal() {
        cache.set(Discussion([1, 2]))
        let notified = Recorder<[Int]?>()
        let subscription = cache.observe(Discussion.self, id: Discussion().id) { notified.record($0.value?.commentIDs) }
        cache.set(Discussion([2]))
        cache.set(Discussion([3]))
        #expect(notified.elements == [[1, 2], [1, 2, 3]])
        subscription.cancel()
    }

    @Test("P3: If a merge changes the identifier, the incoming entity is stored under its own")
    func changedIdentifier() {
        let moving: @Sendable (Merged, Merged) -> Merged? = { _, _ in Merged(2, [7]) }
        cache.set(Merged(1, [1]))
        #expect(cache.set(Merged(1, [2], moving)))
        #expect(cache.get(Merged.self, id: 1)?.entries == [2])
        cache.set(contentsOf: [Merged(1, [3], moving), Merged(3, [3])])
        cache.transaction {
            cache.set(Merged(3, [4], moving))
            #expect(cache.get(Merged.self, id: 3)?.entries == [4])
        }
        #expect(cache.allValues(of: Merged.self).sorted { $0.id < $1.id }.map(\.entries) == [[3], [4]])
        #expect(cache.allValues(of: Merged.self).allSatisfy { cache.contains(Merged.self, id: $0.id) })
        #expect(!cache.contains(Merged.self, id: 2) && cache.slotCount(of: Merged.self) == 2)
    }
}
