import Testing

@testable import FlatCache

/// What users of optimistic updates rely on.
@Suite("Mutations")
struct MutationTests {
    private let cache = FlatCache()

    private func song(_ id: Int = 1) -> Song? { cache.get(Song.self, id: id) }

    private func confirmed(_ id: Int = 1) -> Song? { cache.confirmed { cache.get(Song.self, id: id) } }

    @discardableResult
    private func favourite(_ answer: ManualAnswer<Void>) -> Mutation<Void> {
        cache.mutate(Song.self, id: 1) {
            $0.isFavourite = true
        } send: {
            try await answer()
        }
    }

    @Test("A change is visible when 'mutate' returns, and confirmed when the server has answered")
    func success() async throws {
        cache.set(Song(id: 1, title: "a"))
        let answer = ManualAnswer<Void>()
        let mutation = favourite(answer)
        #expect(song() == Song(id: 1, title: "a", isFavourite: true))
        #expect(confirmed() == Song(id: 1, title: "a"))
        #expect(mutation.isPending)
        answer.succeed()
        try await mutation.value
        #expect(song()?.isFavourite == true)
        #expect(confirmed()?.isFavourite == true)
        guard case .confirmed = mutation.state else { return #expect(Bool(false), "\(mutation.state)") }
        #expect(cache.pendingMutations.isEmpty)
    }

    @Test("A failure drops the change, and its error is thrown to those who wait and kept at the handle")
    func failure() async throws {
        cache.set(Song(id: 1))
        let handle = Cached(Song.self, id: 1, in: cache)
        let answer = ManualAnswer<Void>()
        let mutation = handle.mutate {
            $0.isFavourite = true
        } send: {
            try await answer()
        }
        #expect(handle.mutations.isPending)
        #expect(handle.isFavourite == true)
        answer.fail(RejectedError(code: 503))
        await #expect(throws: RejectedError(code: 503)) { try await mutation.value }
        #expect(handle.isFavourite == false)
        #expect(!handle.mutations.isPending)
        #expect(handle.mutations.lastError as? RejectedError == RejectedError(code: 503))
        // The next success clears the error.
        let second = ManualAnswer<Void>()
        let next = handle.mutate {
            $0.isFavourite = true
        } send: {
            try await second()
        }
        second.succeed()
        try await next.value
        #expect(handle.mutations.lastError == nil)
        #expect(handle.isFavourite == true)
    }

    @Test("The entity that the server returns replaces the change")
    func answeredEntity() async throws {
        cache.set(Song(id: 1))
        let answer = ManualAnswer<Song>()
        let mutation = cache.mutate(Song.self, id: 1) {
            $0.plays += 1
        } send: {
            try await answer()
        }
        #expect(song()?.plays == 1)
        answer.succeed(Song(id: 1, title: "from the server", plays: 7))
        #expect(try await mutation.value.plays == 7)
        #expect(song() == Song(id: 1, title: "from the server", plays: 7))
        #expect(confirmed() == song())
    }

    @Test("Two pending changes of one value, of which the newer fails: the older one remains")
    func newerFails() async {
        cache.set(Song(id: 1, title: "a"))
        let (older, newer) = (ManualAnswer<Void>(), ManualAnswer<Void>())
        let first = cache.mutate(Song.self, id: 1) {
            $0.title = "b"
        } send: {
            try await older()
        }
        let second = cache.mutate(Song.self, id: 1) {
            $0.title = "c"
        } send: {
            try await newer()
        }
        #expect(song()?.title == "c")
        newer.fail()
        await second.ended()
        #expect(song()?.title == "b")
        older.succeed()
        await first.ended()
        #expect(song()?.title == "b")
        #expect(confirmed()?.title == "b")
    }

    @Test("Two pending changes of different properties, of which the older fails: the newer one remains")
    func olderFails() async {
        cache.set(Song(id: 1, title: "a"))
        let (older, newer) = (ManualAnswer<Void>(), ManualAnswer<Void>())
        let first = cache.mutate(Song.self, id: 1) {
            $0.title = "b"
        } send: {
            try await older()
        }
        let second = cache.mutate(Song.self, id: 1) {
            $0.isFavourite = true
        } send: {
            try await newer()
        }
        older.fail()
        await first.ended()
        #expect(song() == Song(id: 1, title: "a", isFavourite: true))
        newer.succeed()
        await second.ended()
        #expect(song() == Song(id: 1, title: "a", isFavourite: true))
    }

    @Test("A failure doesn't undo a success that overlapped it, as restoring a saved copy does")
    func overlap() async {
        cache.set(Song(id: 1))
        let (older, newer) = (ManualAnswer<Void>(), ManualAnswer<Void>())
        let saved = song()
        let first = cache.mutate(Song.self, id: 1) {
            $0.plays += 1
        } send: {
            try await older()
        }
        let second = cache.mutate(Song.self, id: 1) {
            $0.plays += 10
        } send: {
            try await newer()
        }
        newer.succeed()
        await second.ended()
        older.fail()
        await first.ended()
        #expect(song()?.plays == 10)
        #expect(saved?.plays == 0)
    }

    @Test("What the server sends meanwhile is kept, and the change is made to it")
    func rebase() async {
        cache.set(Song(id: 1, plays: 3))
        let answer = ManualAnswer<Void>()
        let mutation = cache.mutate(Song.self, id: 1) {
            $0.plays += 1
        } send: {
            try await answer()
        }
        cache.set(Song(id: 1, title: "new", plays: 10))
        #expect(song() == Song(id: 1, title: "new", plays: 11))
        #expect(confirmed() == Song(id: 1, title: "new", plays: 10))
        answer.fail()
        await mutation.ended()
        #expect(song() == Song(id: 1, title: "new", plays: 10))
    }

    @Test("A change of an entity that a pending mutation inserts is dropped with the insertion, and says so")
    func insertThenUpdate() async {
        let (inserting, updating) = (ManualAnswer<Void>(), ManualAnswer<Void>())
        let insertion = cache.mutate {
            $0.set(Song(id: 1, title: "new"))
        } send: {
            try await inserting()
        }
        let update = cache.mutate(Song.self, id: 1) {
            $0.plays = 1
        } send: {
            try await updating()
        }
        #expect(song() == Song(id: 1, title: "new", plays: 1))
        #expect(confirmed() == nil)
        inserting.fail()
        await insertion.ended()
        #expect(song() == nil)
        #expect(update.problems.keys.map { $0 } == [Song.flatCacheKey(id: 1)])
        // The entity comes after all.
        cache.set(Song(id: 1, title: "old"))
        #expect(song() == Song(id: 1, title: "old", plays: 1))
        #expect(update.problems.isEmpty)
        updating.succeed()
        await update.ended()
        #expect(confirmed() == Song(id: 1, title: "old", plays: 1))
    }

    @Test("A removal hides the entity, and a failure shows it again at its place")
    func removal() async {
        cache.set(contentsOf: [Song(id: 1), Song(id: 2), Song(id: 3)])
        let answer = ManualAnswer<Void>()
        let mutation = cache.mutate {
            $0.remove(Song.self, id: 2)
        } send: {
            try await answer()
        }
        #expect(cache.allValues(of: Song.self, inOrder: true).map(\.id) == [1, 3])
        #expect(cache.confirmed { cache.allValues(of: Song.self, inOrder: true).map(\.id) } == [1, 2, 3])
        #expect(cache.count(of: Song.self) == 2)
        cache.update(Song.self, id: 2) { $0.title = "changed below" }
        answer.fail()
        await mutation.ended()
        #expect(cache.allValues(of: Song.self, inOrder: true).map(\.id) == [1, 2, 3])
        #expect(song(2)?.title == "changed below")
    }

    @Test("Writes and transactions read and write the confirmed state")
    func writesBelow() async {
        cache.set(Song(id: 1))
        let answer = ManualAnswer<Void>()
        let mutation = cache.mutate(Song.self, id: 1) {
            $0.plays += 100
        } send: {
            try await answer()
        }
        cache.update(Song.self, id: 1) { song in
            #expect(song.plays == 0)
            song.plays += 1
        }
        #expect(song()?.plays == 101)
        cache.transaction {
            #expect(song()?.plays == 1)
            cache.update(Song.self, id: 1) { $0.plays += 1 }
            #expect(song()?.plays == 2)
            #expect(cache.query(FlatCache.Query(Song.self).filter { $0.plays == 2 }).values.count == 1)
        }
        #expect(song()?.plays == 102)
        #expect(cache.read { song()?.plays } == 102)
        answer.fail()
        await mutation.ended()
        #expect(song()?.plays == 2)
    }

    @Test("Storing a whole value that 'get' has returned confirms what is pending in it")
    func wholeValue() async throws {
        cache.set(Song(id: 1))
        let answer = ManualAnswer<Void>()
        let mutation = favourite(answer)
        let copy = try #require(song())
        cache.set(copy)
        answer.fail()
        await mutation.ended()
        #expect(song()?.isFavourite == true)
    }

    @Test("N4: A confirmed write that a change already shows notifies nobody")
    func silentConfirmation() async {
        cache.set(Song(id: 1))
        let seen = Recorder<Song?>()
        let subscription = cache.observe(Song.self, id: 1, initial: false) { seen.record($0.value) }
        let answer = ManualAnswer<Void>()
        let mutation = favourite(answer)
        #expect(seen.take() == [Song(id: 1, isFavourite: true)])
        cache.set(Song(id: 1, isFavourite: true))
        answer.succeed()
        await mutation.ended()
        #expect(seen.take() == [])
        withExtendedLifetime(subscription) {}
    }

    @Test("Changes of several entities and lists are shown in one commit, and dropped in one commit")
    func severalKeys() async {
        let home = cache.list("home", of: Song.self)
        home.replace(with: [Song(id: 1), Song(id: 2)])
        let current = cache.reference("current", of: Song.self)
        let states = Recorder<[Int]>()
        let subscription = cache.observe(initial: false, { home.values.map(\.id) + [current.id ?? 0] }) {
            states.record($0)
        }
        let answer = ManualAnswer<Void>()
        let mutation = cache.mutate { change in
            change.set(Song(id: 3, title: "draft"))
            change.prepend(3, to: home)
            change.remove(2, from: home)
            change.set(3, of: current)
        } send: {
            try await answer()
        }
        #expect(home.values.map(\.id) == [3, 1])
        #expect(current.value?.title == "draft")
        // Another page arrives below.
        home.append(Song(id: 4))
        #expect(home.ids == [3, 1, 4])
        answer.fail()
        await mutation.ended()
        #expect(home.ids == [1, 2, 4])
        #expect(current.id == nil)
        #expect(states.take() == [[3, 1, 3], [3, 1, 4, 3], [1, 2, 4, 0]])
        withExtendedLifetime(subscription) {}
    }

    @Test("Queries, indexes and live answers see changes")
    func queries() async {
        cache.set(contentsOf: (0..<10).map { Song(id: $0, plays: $0, albumID: $0 % 2) })
        let query = cache.query(FlatCache.Query(Song.self).filter(\.albumID, equals: 5))
        let live = Recorder<[Int]>()
        let subscription = query.observe { live.record($0.values.map(\.id)) }
        let answer = ManualAnswer<Void>()
        let mutation = cache.mutate(Song.self, id: 4) {
            $0.albumID = 5
        } send: {
            try await answer()
        }
        #expect(query.values.map(\.id) == [4])
        #expect(cache.transaction { query.values.map(\.id) } == [])
        answer.fail()
        await mutation.ended()
        #expect(query.values.map(\.id) == [])
        #expect(live.take() == [[], [4], []])
        withExtendedLifetime(subscription) {}
    }

    @Test("Serial mutations are sent one after the other")
    func serial() async {
        cache.set(Song(id: 1))
        let answers = (0..<3).map { _ in ManualAnswer<Void>() }
        let sent = Recorder<Int>()
        let mutations = answers.enumerated().map { number, answer in
            cache.mutate(Song.self, id: 1, order: .serial("song 1")) {
                $0.plays += 1
            } send: {
                sent.record(number)
                try await answer()
            }
        }
        #expect(song()?.plays == 3)
        for number in 0..<3 {
            await answers[number].hasBegun()
            #expect(sent.elements == Array(0...number))
            if number == 1 { answers[number].fail() } else { answers[number].succeed() }
            await mutations[number].ended()
        }
        #expect(song()?.plays == 2)
    }

    @Test("The latest mutation replaces those that aren't sent")
    func latest() async {
        cache.set(Song(id: 1))
        let answers = (0..<4).map { _ in ManualAnswer<Void>() }
        let mutations = answers.enumerated().map { number, answer in
            cache.mutate(Song.self, id: 1, order: .latest("title")) {
                $0.title += "\(number)"
            } send: {
                try await answer()
            }
        }
        #expect(song()?.title == "03")
        for number in 1...2 {
            await #expect { try await mutations[number].value } throws: {
                if case MutationError.replaced = $0 { true } else { false }
            }
        }
        answers[0].succeed()
        await answers[3].hasBegun()
        answers[3].succeed()
        await mutations[3].ended()
        #expect(confirmed()?.title == "03")
    }

    @Test("A mutation that isn't sent can be cancelled, one that is being sent stays")
    func cancel() async {
        cache.set(Song(id: 1))
        let (first, second) = (ManualAnswer<Void>(), ManualAnswer<Void>())
        let sending = cache.mutate(Song.self, id: 1, order: .serial("a")) {
            $0.plays += 1
        } send: {
            try await first()
        }
        let waiting = cache.mutate(Song.self, id: 1, order: .serial("a")) {
            $0.plays += 10
        } send: {
            try await second()
        }
        await first.hasBegun()
        #expect(!sending.cancel())
        #expect(waiting.cancel())
        #expect(!waiting.cancel())
        #expect(song()?.plays == 1)
        await #expect { try await waiting.value } throws: {
            if case MutationError.cancelled = $0 { true } else { false }
        }
        first.succeed()
        await sending.ended()
        #expect(confirmed()?.plays == 1)
    }

    @Test("The end of a task that waits doesn't end the mutation")
    func cancelledWaiter() async {
        cache.set(Song(id: 1))
        let answer = ManualAnswer<Void>()
        let mutation = favourite(answer)
        let waiter = Task { try await mutation.value }
        waiter.cancel()
        await #expect(throws: CancellationError.self) { try await waiter.value }
        #expect(mutation.isPending)
        answer.succeed()
        #expect(await mutation.ended())
        #expect(confirmed()?.isFavourite == true)
    }

    @Test("A closure that throws has no effect, and its error is one of the problems")
    func throwing() async {
        cache.set(Song(id: 1, plays: 1))
        let answer = ManualAnswer<Void>()
        let mutation = cache.mutate(Song.self, id: 1) {
            guard $0.plays < 5 else { throw RejectedError(code: 1) }
            $0.plays += 1
        } send: {
            try await answer()
        }
        #expect(song()?.plays == 2)
        cache.set(Song(id: 1, plays: 7))
        #expect(song()?.plays == 7)
        #expect(mutation.problems[Song.flatCacheKey(id: 1)] as? RejectedError == RejectedError(code: 1))
        answer.succeed()
        await mutation.ended()
        #expect(confirmed()?.plays == 7)
    }

    @Test("'removeAll' drops mutations, and an answer that comes later isn't stored")
    func removeAll() async {
        cache.set(Song(id: 1))
        let (first, second) = (ManualAnswer<Song>(), ManualAnswer<Void>())
        let sending = cache.mutate(Song.self, id: 1, order: .serial("a")) {
            $0.plays = 1
        } send: {
            try await first()
        }
        let waiting = cache.mutate(order: .serial("a")) {
            $0.set(Song(id: 2))
        } send: {
            try await second()
        }
        await first.hasBegun()
        cache.removeAll()
        #expect(cache.count == 0)
        #expect(cache.pendingMutations.isEmpty)
        for mutation in [sending, waiting] as [PendingMutation] {
            guard case .dropped(.removed) = mutation.state else { return #expect(Bool(false), "\(mutation.state)") }
        }
        first.succeed(Song(id: 1, title: "late"))
        await sending.ended()
        cache.set(Song(id: 3))
        #expect(cache.allValues(of: Song.self) == [Song(id: 3)])
    }

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
        #expect(song() == Song(id: 1, title: "fetched", plays: 11))
        #expect(confirmed() == Song(id: 1, title: "fetched", plays: 10))
        sent.fail()
        await mutation.ended()
        #expect(song()?.plays == 10)
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
        #expect(song(1)?.plays == 101 && song(2) == nil && song(0)?.plays == 1)
        #expect(cache.count(of: Song.self) == count - 1)
        answer.fail()
        await mutation.ended()
        #expect(cache.allValues(of: Song.self, inOrder: true) == (0..<count).map { Song(id: $0, plays: 1) })
    }

    @Test("An entity with a pending change isn't evicted")
    func eviction() async {
        cache.set(contentsOf: (0..<20).map { Song(id: $0) })
        let answer = ManualAnswer<Void>()
        let mutation = favourite(answer)
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
        let removal = cache.mutate {
            $0.remove(Song.self, id: 1)
        } send: {
            try await first()
        }
        var mutation: Mutation<Void>?
        cache.read {
            mutation = cache.mutate {
                $0.set(Song(id: 1, title: "new"))
            } send: {
                try await second()
            }
            #expect(song() == nil)
        }
        #expect(song()?.title == "new")
        second.fail()
        await mutation?.ended()
        first.fail()
        await removal.ended()
        #expect(song() == Song(id: 1))
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

    @Test("A mutation in a transaction begins when the transaction is committed, and not if it throws")
    func inTransaction() async throws {
        cache.set(Song(id: 1))
        let answer = ManualAnswer<Void>()
        let dropped = try #require(throws: HeldMutation.self) {
            try cache.transaction { throw HeldMutation(favourite(answer)) }
        }
        #expect(song()?.isFavourite == false)
        await #expect { try await dropped.mutation.value } throws: {
            if case MutationError.cancelled = $0 { true } else { false }
        }
        let mutation = cache.transaction {
            let mutation = favourite(answer)
            #expect(song()?.isFavourite == false)
            cache.update(Song.self, id: 1) { $0.title = "a" }
            return mutation
        }
        #expect(song() == Song(id: 1, title: "a", isFavourite: true))
        answer.succeed()
        try await mutation.value
    }

    private struct HeldMutation: Error {
        let mutation: Mutation<Void>

        init(_ mutation: Mutation<Void>) { self.mutation = mutation }
    }
}
