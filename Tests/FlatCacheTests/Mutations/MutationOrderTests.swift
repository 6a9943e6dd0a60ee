import Testing

@testable import FlatCache

/// When mutations are sent, and when they end.
@Suite("Order and end of mutations")
struct MutationOrderTests {
    private let cache = FlatCache()

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
        #expect(cache.song()?.plays == 3)
        for number in 0..<3 {
            await answers[number].hasBegun()
            #expect(sent.elements == Array(0...number))
            if number == 1 { answers[number].fail() } else { answers[number].succeed() }
            await mutations[number].ended()
        }
        #expect(cache.song()?.plays == 2)
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
        #expect(cache.song()?.title == "03")
        for number in 1...2 {
            await #expect { try await mutations[number].value } throws: {
                if case MutationError.replaced = $0 { true } else { false }
            }
        }
        answers[0].succeed()
        await answers[3].hasBegun()
        answers[3].succeed()
        await mutations[3].ended()
        #expect(cache.confirmedSong()?.title == "03")
    }

    @Test("A mutation can be cancelled in the transaction that begins it")
    func cancelInTransaction() async {
        cache.set(Song(id: 1))
        let sent = Recorder<Void>()
        let mutation = cache.transaction {
            let mutation = cache.mutate(Song.self, id: 1) {
                $0.plays += 1
            } send: {
                sent.record(())
            }
            #expect(mutation.cancel())
            #expect(!mutation.cancel() && !mutation.isPending)
            return mutation
        }
        #expect(await !mutation.ended())
        #expect(sent.count == 0 && cache.song()?.plays == 0 && cache.pendingMutations.isEmpty)
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
        #expect(cache.song()?.plays == 1)
        await #expect { try await waiting.value } throws: {
            if case MutationError.cancelled = $0 { true } else { false }
        }
        first.succeed()
        await sending.ended()
        #expect(cache.confirmedSong()?.plays == 1)
    }

    @Test("The end of a task that waits doesn't end the mutation")
    func cancelledWaiter() async {
        cache.set(Song(id: 1))
        let answer = ManualAnswer<Void>()
        let mutation = cache.favourite(answer)
        let waiter = Task { try await mutation.value }
        waiter.cancel()
        await #expect(throws: CancellationError.self) { try await waiter.value }
        #expect(mutation.isPending)
        answer.succeed()
        #expect(await mutation.ended())
        #expect(cache.confirmedSong()?.isFavourite == true)
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
        #expect(cache.song()?.plays == 2)
        cache.set(Song(id: 1, plays: 7))
        #expect(cache.song()?.plays == 7)
        #expect(mutation.problems[Song.flatCacheKey(id: 1)] as? RejectedError == RejectedError(code: 1))
        answer.succeed()
        await mutation.ended()
        #expect(cache.confirmedSong()?.plays == 7)
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

    @Test("Mutations that another process has ended aren't sent one after the other while they are dropped")
    func endedElsewhere() async {
        let cache = FlatCache()
        cache.set(Song(id: 1))
        let answer = ManualAnswer<Void>()
        let sent = Recorder<String>()
        func begin(_ id: String) -> Mutation<Void> {
            let send = MutationSend<Void>.nothing {
                sent.record(id)
                if id == "a" { try await answer() }
            }
            let mutation = Mutation(
                number: cache.mutations.nextNumber(),
                [.update(id: 1, code: cache.mutationCode(of: Song.self)) { $0.plays += 1 }],
                .serial("song"),
                StoredMutation(id: id, name: "plays", order: .serial("song"), arguments: .bytes([])),
                in: cache.reference,
                send.work
            )
            cache.beginAfterTransaction(mutation)
            return mutation
        }
        let (first, second) = (begin("a"), begin("b"))
        await answer.hasBegun()
        cache.dropMutations(endedElsewhere: ["a", "b"])
        await first.ended()
        await second.ended()
        let third = begin("c")
        #expect(await third.ended())
        #expect(sent.elements == ["a", "c"])
        #expect(cache.get(Song.self, id: 1)?.plays == 1)
        answer.fail()
    }
}
