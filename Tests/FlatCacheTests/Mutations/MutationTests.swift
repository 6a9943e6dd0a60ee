import Testing

@testable import FlatCache

/// What users of optimistic updates rely on.
@Suite("Mutations")
struct MutationTests {
    private let cache = FlatCache()

    @Test("A change is visible when 'mutate' returns, and confirmed when the server has answered")
    func success() async throws {
        cache.set(Song(id: 1, title: "a"))
        let answer = ManualAnswer<Void>()
        let mutation = cache.favourite(answer)
        #expect(cache.song() == Song(id: 1, title: "a", isFavourite: true))
        #expect(cache.confirmedSong() == Song(id: 1, title: "a"))
        #expect(mutation.isPending)
        answer.succeed()
        try await mutation.value
        #expect(cache.song()?.isFavourite == true)
        #expect(cache.confirmedSong()?.isFavourite == true)
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
        // The next mutation clears the error.
        let second = ManualAnswer<Void>()
        let next = handle.mutate {
            $0.isFavourite = true
        } send: {
            try await second()
        }
        #expect(handle.mutations.lastError == nil)
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
        #expect(cache.song()?.plays == 1)
        answer.succeed(Song(id: 1, title: "from the server", plays: 7))
        #expect(try await mutation.value.plays == 7)
        #expect(cache.song() == Song(id: 1, title: "from the server", plays: 7))
        #expect(cache.confirmedSong() == cache.song())
    }

    @Test("Two pending changes of one value, of which the newer fails: the older one remains")
    func newerFails() async {
        cache.set(Song(id: 1, title: "a"))
        let (older, newer) = (ManualAnswer<Void>(), ManualAnswer<Void>())
        let first = cache.mutate(Song.self, id: 1, order: .concurrent) {
            $0.title = "b"
        } send: {
            try await older()
        }
        let second = cache.mutate(Song.self, id: 1, order: .concurrent) {
            $0.title = "c"
        } send: {
            try await newer()
        }
        #expect(cache.song()?.title == "c")
        newer.fail()
        await second.ended()
        #expect(cache.song()?.title == "b")
        older.succeed()
        await first.ended()
        #expect(cache.song()?.title == "b")
        #expect(cache.confirmedSong()?.title == "b")
    }

    @Test("Two pending changes of different properties, of which the older fails: the newer one remains")
    func olderFails() async {
        cache.set(Song(id: 1, title: "a"))
        let (older, newer) = (ManualAnswer<Void>(), ManualAnswer<Void>())
        let first = cache.mutate(Song.self, id: 1, order: .concurrent) {
            $0.title = "b"
        } send: {
            try await older()
        }
        let second = cache.mutate(Song.self, id: 1, order: .concurrent) {
            $0.isFavourite = true
        } send: {
            try await newer()
        }
        older.fail()
        await first.ended()
        #expect(cache.song() == Song(id: 1, title: "a", isFavourite: true))
        newer.succeed()
        await second.ended()
        #expect(cache.song() == Song(id: 1, title: "a", isFavourite: true))
    }

    @Test("A failure doesn't undo a success that overlapped it, as restoring a saved copy does")
    func overlap() async {
        cache.set(Song(id: 1))
        let (older, newer) = (ManualAnswer<Void>(), ManualAnswer<Void>())
        let saved = cache.song()
        let first = cache.mutate(Song.self, id: 1, order: .concurrent) {
            $0.plays += 1
        } send: {
            try await older()
        }
        let second = cache.mutate(Song.self, id: 1, order: .concurrent) {
            $0.plays += 10
        } send: {
            try await newer()
        }
        newer.succeed()
        await second.ended()
        older.fail()
        await first.ended()
        #expect(cache.song()?.plays == 10)
        #expect(saved?.plays == 0)
    }

    @Test("A mutation with several changes of a key is listed once, and the first that has no effect is its problem")
    func severalChangesOfOneKey() async {
        let answer = ManualAnswer<Void>()
        let key = FlatCacheKey(Song.self, id: 1)
        let mutation = cache.mutate { change in
            change.update(Song.self, id: 1) { if $0.title == "" { throw RejectedError(code: 1) } }
            change.update(Song.self, id: 1) { _ in throw RejectedError(code: 2) }
            change.update(Song.self, id: 1) { $0.plays += 1 }
        } send: {
            try await answer()
        }
        #expect(mutation.keys == [key])
        #expect(Cached(Song.self, id: 1, in: cache).mutations.pending.map(\.number) == [mutation.number])
        if case MutationError.missing(key)? = mutation.problems[key] {} else { #expect(Bool(false)) }
        cache.set(Song(id: 1))
        #expect(mutation.problems[key] as? RejectedError == RejectedError(code: 1) && cache.song()?.plays == 1)
        cache.update(Song.self, id: 1) { $0.title = "a" }
        #expect(mutation.problems.count == 1 && mutation.problems[key] as? RejectedError == RejectedError(code: 2))
        answer.succeed()
        await mutation.ended()
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
        #expect(cache.song() == Song(id: 1, title: "new", plays: 11))
        #expect(cache.confirmedSong() == Song(id: 1, title: "new", plays: 10))
        answer.fail()
        await mutation.ended()
        #expect(cache.song() == Song(id: 1, title: "new", plays: 10))
    }

    @Test("A change of an entity that a pending mutation inserts is dropped with the insertion, and says so")
    func insertThenUpdate() async {
        let (inserting, updating) = (ManualAnswer<Void>(), ManualAnswer<Void>())
        let insertion = cache.mutate(order: .concurrent) {
            $0.set(Song(id: 1, title: "new"))
        } send: {
            try await inserting()
        }
        let update = cache.mutate(Song.self, id: 1, order: .concurrent) {
            $0.plays = 1
        } send: {
            try await updating()
        }
        #expect(cache.song() == Song(id: 1, title: "new", plays: 1))
        #expect(cache.confirmedSong() == nil)
        inserting.fail()
        await insertion.ended()
        #expect(cache.song() == nil)
        #expect(update.problems.keys.map { $0 } == [Song.flatCacheKey(id: 1)])
        // The entity comes after all.
        cache.set(Song(id: 1, title: "old"))
        #expect(cache.song() == Song(id: 1, title: "old", plays: 1))
        #expect(update.problems.isEmpty)
        updating.succeed()
        await update.ended()
        #expect(cache.confirmedSong() == Song(id: 1, title: "old", plays: 1))
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
        #expect(cache.song(2)?.title == "changed below")
    }

    @Test("A change by a handle whose cache is deallocated fails, and says so")
    func cacheGone() async {
        let handle = Cached(Song.self, id: 1, in: FlatCache())
        let mutation = handle.mutate {
            $0.plays += 1
        } send: {
        }
        await #expect {
            try await mutation.value
        } throws: { error in
            "\(error)".hasSuffix(
                "Song(1) can't be changed, because the cache of its handle is deallocated. Keep the cache for as long as its handles "
                    + "are used"
            )
        }
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
        #expect(cache.song()?.plays == 101)
        cache.transaction {
            #expect(cache.song()?.plays == 1)
            cache.update(Song.self, id: 1) { $0.plays += 1 }
            #expect(cache.song()?.plays == 2)
            #expect(cache.query(FlatCache.Query(Song.self).filter { $0.plays == 2 }).values.count == 1)
        }
        #expect(cache.song()?.plays == 102)
        #expect(cache.read { cache.song()?.plays } == 102)
        answer.fail()
        await mutation.ended()
        #expect(cache.song()?.plays == 2)
    }

    @Test("Storing a whole value that 'get' has returned confirms what is pending in it")
    func wholeValue() async throws {
        cache.set(Song(id: 1))
        let answer = ManualAnswer<Void>()
        let mutation = cache.favourite(answer)
        let copy = try #require(cache.song())
        cache.set(copy)
        answer.fail()
        await mutation.ended()
        #expect(cache.song()?.isFavourite == true)
    }

    @Test("N4: A confirmed write that a change already shows notifies nobody")
    func silentConfirmation() async {
        cache.set(Song(id: 1))
        let seen = Recorder<Song?>()
        let subscription = cache.observe(Song.self, id: 1, initial: false) { seen.record($0.value) }
        let answer = ManualAnswer<Void>()
        let mutation = cache.favourite(answer)
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

    @Test("A list and a reference that are first written by a mutation drop removed entities if they say so")
    func dropped() async {
        cache.set(Song(id: 1))
        let list = cache.list("songs", of: Song.self, dropsRemoved: true)
        let reference = cache.reference("song", of: Song.self, dropsRemoved: true)
        let mutation = cache.mutate {
            $0.append(1, to: list)
            $0.set(1, of: reference)
        } send: {
        }
        await mutation.ended()
        #expect(Array(list.ids) == [1] && reference.id == 1)
        cache.remove(Song.self, id: 1)
        #expect(list.isEmpty && reference.id == nil)
    }
}
