import Testing

@testable import FlatCache

/// Mutations beside what else changes and reads entities.
@Suite("Mutations beside other features")
struct MutationsBesideTests {
    private let cache = FlatCache()

    @Test("The answer to a fetch that began before a change is stored below it")
    func fetchBelow() async throws {
        let answer = ManualAnswer<Song>()
        cache.setFetcher(of: Song.self) { (_: Set<Int>) in [try await answer()] }
        cache.set(Song(id: 1, plays: 1))
        let fetching = Task { [cache] in try await cache.fetch(Song.self, id: 1, .networkOnly) }
        await answer.hasBegun()
        let sent = ManualAnswer<Void>()
        let mutation = cache.mutate(Song.self, id: 1) {
            $0.plays += 1
        } send: {
            try await sent()
        }
        answer.succeed(Song(id: 1, title: "fetched", plays: 10))
        #expect(try await fetching.value.title == "fetched")
        #expect(cache.song() == Song(id: 1, title: "fetched", plays: 11))
        #expect(cache.confirmedSong() == Song(id: 1, title: "fetched", plays: 10))
        sent.fail()
        await mutation.ended()
        #expect(cache.song()?.plays == 10)
    }

    @Test(
        "A change that is dropped isn't a write: answers to earlier requests are stored",
        arguments: [true, false],
        [true, false]
    )
    func fetchBesideDropped(isStored: Bool, isBegunBefore: Bool) async throws {
        let answer = ManualAnswer<Song>()
        cache.setFetcher(of: Song.self) { (_: Set<Int>) in [try await answer()] }
        if isStored { cache.set(Song(id: 1)) }
        let sent = ManualAnswer<Void>()
        func begin() -> Mutation<Void> {
            cache.mutate { change in
                change.set(Song(id: 1, title: "pending"))
            } send: {
                try await sent()
            }
        }
        var mutation = isBegunBefore ? begin() : nil
        let fetching = Task { [cache] in try await cache.fetch(Song.self, id: 1, .networkOnly) }
        await answer.hasBegun()
        if !isBegunBefore { mutation = begin() }
        sent.fail()
        await mutation?.ended()
        // A second mutation doesn't make the dropped one count either.
        let second = begin()
        answer.succeed(Song(id: 1, title: "fetched"))
        #expect(try await fetching.value.title == "pending")
        #expect(cache.confirmedSong()?.title == "fetched")
        sent.fail()
        await second.ended()
        #expect(cache.song()?.title == "fetched")
    }

    @Test("A change makes no stale entity fresh, pending or dropped", arguments: [true, false])
    func staleness(isEnded: Bool) async throws {
        let calls = Recorder<Void>()
        cache.setFetcher(of: Song.self) { (ids: Set<Int>) in
            calls.record(())
            return ids.map { Song(id: $0, title: "fetched") }
        }
        cache.set(Song(id: 1))
        cache.invalidate(Song.self, id: 1)
        let answer = ManualAnswer<Void>()
        let mutation = cache.favourite(answer)
        if isEnded {
            answer.fail()
            await mutation.ended()
        }
        #expect(try await cache.fetch(Song.self, id: 1).title == "fetched")
        #expect(try await cache.fetch(Song.self, id: 1).title == "fetched")
        #expect(calls.count == 1)
        answer.fail()
        await mutation.ended()
    }

    @Test("A slot that a dropped insertion leaves is freed")
    func droppedInsertion() async {
        let answer = ManualAnswer<Void>()
        let mutation = cache.mutate { change in
            change.set(Song(id: 1))
        } send: {
            try await answer()
        }
        answer.fail()
        await mutation.ended()
        #expect(cache.slotCount(of: Song.self) == 0)
    }

    @Test("A merge combines confirmed entities, and never the result of a change")
    func merging() async {
        cache.set(Versioned(id: 1, version: 3, text: "three"))
        let answer = ManualAnswer<Void>()
        let mutation = cache.mutate(Versioned.self, id: 1) {
            $0.version = 9
            $0.text = "pending"
        } send: {
            try await answer()
        }
        #expect(!cache.set(Versioned(id: 1, version: 2, text: "two")))
        #expect(cache.set(Versioned(id: 1, version: 4, text: "four")))
        #expect(cache.get(Versioned.self, id: 1)?.text == "pending")
        answer.fail()
        await mutation.ended()
        #expect(cache.get(Versioned.self, id: 1)?.text == "four")
    }

    @Test("Large commits and batches are made below changes", arguments: [3, 6_000])
    func batches(count: Int) async {
        cache.set(contentsOf: (0..<count).map { Song(id: $0) })
        let answer = ManualAnswer<Void>()
        let mutation = cache.mutate { change in
            change.update(Song.self, id: 1) { $0.plays += 100 }
            change.remove(Song.self, id: 2)
        } send: {
            try await answer()
        }
        cache.set(contentsOf: (0..<count).map { Song(id: $0, plays: 1) })
        #expect(cache.song(1)?.plays == 101 && cache.song(2) == nil && cache.song(0)?.plays == 1)
        #expect(cache.count(of: Song.self) == count - 1)
        answer.fail()
        await mutation.ended()
        #expect(cache.allValues(of: Song.self, inOrder: true) == (0..<count).map { Song(id: $0, plays: 1) })
    }

    @Test("An entity with a pending change isn't evicted")
    func eviction() async {
        cache.set(contentsOf: (0..<20).map { Song(id: $0) })
        let answer = ManualAnswer<Void>()
        let mutation = cache.favourite(answer)
        cache.setLimit(5, for: Song.self)
        cache.collect()
        #expect(cache.allValues(of: Song.self).map(\.id) == [1])
        answer.succeed()
        await mutation.ended()
        cache.collect()
        #expect(cache.count(of: Song.self) == 0)
    }

    @Test("A snapshot keeps its state while changes begin and end")
    func snapshots() async {
        cache.set(Song(id: 1))
        let (first, second) = (ManualAnswer<Void>(), ManualAnswer<Void>())
        let removal = cache.mutate(order: .concurrent) {
            $0.remove(Song.self, id: 1)
        } send: {
            try await first()
        }
        var mutation: Mutation<Void>?
        cache.read {
            mutation = cache.mutate(order: .concurrent) {
                $0.set(Song(id: 1, title: "new"))
            } send: {
                try await second()
            }
            #expect(cache.song() == nil)
        }
        #expect(cache.song()?.title == "new")
        second.fail()
        await mutation?.ended()
        first.fail()
        await removal.ended()
        #expect(cache.song() == Song(id: 1))
    }

    @Test("A removal changes those that refer to the entity by its delete rules, and a failure restores them")
    func deleteRules() async {
        cache.set(contentsOf: [Folder(id: 1), Folder(id: 2)])
        cache.set(contentsOf: [Document(id: 1, folderID: 1), Document(id: 2, folderID: 2)])
        let list = cache.list("folders", of: Folder.self, dropsRemoved: true)
        list.append(ids: [1, 2])
        let documents = cache.allValues(of: Document.self, inOrder: true)
        for isConfirmed in [false, true] {
            let answer = ManualAnswer<Void>()
            let mutation = cache.mutate {
                $0.remove(Folder.self, id: 1)
            } send: {
                try await answer()
            }
            #expect(Array(list.ids) == [2])
            #expect(cache.allValues(of: Document.self).map(\.id) == [2])
            if isConfirmed { answer.succeed() } else { answer.fail() }
            await mutation.ended()
            if !isConfirmed {
                #expect(Array(list.ids) == [1, 2])
                #expect(cache.allValues(of: Document.self, inOrder: true) == documents)
            }
        }
        #expect(Array(list.ids) == [2])
        #expect(cache.confirmed { cache.allValues(of: Document.self).map(\.id) } == [2])
    }

    @Test("A pending removal leaves what has come to refer to another entity meanwhile")
    func changedOwners() async {
        cache.set(contentsOf: [Folder(id: 1), Folder(id: 2), Folder(id: 3, parentID: 1)])
        cache.set(contentsOf: [Document(id: 1, folderID: 1), Document(id: 2, folderID: 3)])
        let answer = ManualAnswer<Void>()
        let mutation = cache.mutate {
            $0.remove(Folder.self, id: 1)
        } send: {
            try await answer()
        }
        #expect(cache.allValues(of: Folder.self).map(\.id) == [2] && cache.count(of: Document.self) == 0)
        cache.set(Document(id: 1, folderID: 2))
        cache.set(Folder(id: 3, parentID: 2))
        #expect(cache.allValues(of: Document.self).map(\.id) == [1] && cache.contains(Folder.self, id: 3))
        answer.succeed()
        await mutation.ended()
        #expect(
            Set(cache.allValues(of: Folder.self).map(\.id)) == [2, 3]
                && Set(cache.allValues(of: Document.self).map(\.id)) == [1, 2]
        )
    }

    @Test("A removal of a missing entity shows and applies its delete rules")
    func removalOfMissing() async {
        cache.set(Document(id: 1, folderID: 1))
        let answer = ManualAnswer<Void>()
        let mutation = cache.mutate {
            $0.remove(Folder.self, id: 1)
        } send: {
            try await answer()
        }
        #expect(!cache.contains(Document.self, id: 1))
        #expect(cache.confirmed { cache.contains(Document.self, id: 1) })
        answer.succeed()
        await mutation.ended()
        #expect(!cache.contains(Document.self, id: 1))
    }

    @Test("A mutation in a transaction begins when the transaction is committed, and not if it throws")
    func inTransaction() async throws {
        cache.set(Song(id: 1))
        let answer = ManualAnswer<Void>()
        let dropped = try #require(throws: HeldMutation.self) {
            try cache.transaction { throw HeldMutation(cache.favourite(answer)) }
        }
        #expect(cache.song()?.isFavourite == false)
        await #expect { try await dropped.mutation.value } throws: {
            if case MutationError.cancelled = $0 { true } else { false }
        }
        let mutation = cache.transaction {
            let mutation = cache.favourite(answer)
            #expect(cache.song()?.isFavourite == false)
            cache.update(Song.self, id: 1) { $0.title = "a" }
            return mutation
        }
        #expect(cache.song() == Song(id: 1, title: "a", isFavourite: true))
        answer.succeed()
        try await mutation.value
    }

    private struct HeldMutation: Error {
        let mutation: Mutation<Void>

        init(_ mutation: Mutation<Void>) { self.mutation = mutation }
    }
}
