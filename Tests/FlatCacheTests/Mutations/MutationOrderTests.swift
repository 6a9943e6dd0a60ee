import TestThreads
import Testing

@testable import FlatCache

/// When mutations are sent, and when they end.
@Suite("Order and end of mutations", .mayBlock)
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

    @Test("Mutations are listed in the order in which they began, also those that a transaction begins")
    func listed() async {
        let answer = ManualAnswer<Void>()
        let begun = Protected<[Mutation<Void>]>([])
        @Sendable func begin() {
            let mutation = cache.mutate {
                $0.set(Song(id: 1))
            } send: {
                try await answer()
            }
            begun.withLock { $0.append(mutation) }
        }
        begin()
        cache.transaction {
            begin()
            // These have begun before the transaction is committed.
            for _ in 0..<2 { onThreads(1) { _ in begin() } }
        }
        begin()
        #expect(cache.pendingMutations.elementsEqual(begun.withLock { $0 }) { $0 === $1 })
        for place in [1, 4, 2] {
            #expect(begun.withLock { $0[place] }.cancel())
        }
        #expect(cache.pendingMutations.elementsEqual(begun.withLock { [$0[0], $0[3]] }) { $0 === $1 })
        answer.succeed()
        answer.succeed()
        for mutation in begun.withLock({ $0 }) { await mutation.ended() }
        #expect(cache.pendingMutations.isEmpty)
    }

    @Test("Cancelled mutations leave the order of the others as it is", arguments: [1, 3, 199])
    func cancelledInLine(step: Int) async {
        cache.set(Song(id: 1))
        let answer = ManualAnswer<Void>()
        let sent = Recorder<Int>()
        func begin(_ number: Int) -> Mutation<Void> {
            cache.mutate(Song.self, id: 1, order: .serial("song 1")) {
                $0.plays += 1
            } send: {
                sent.record(number)
                if number == 0 { try await answer() }
            }
        }
        var mutations = [begin(0)]
        await answer.hasBegun()
        for number in 1..<200 { mutations.append(begin(number)) }
        for number in 1..<200 where number % step != 0 { #expect(mutations[number].cancel()) }
        for number in 200..<300 { mutations.append(begin(number)) }
        answer.succeed()
        await mutations[299].ended()
        #expect(sent.elements == [0] + (1..<200).filter { $0 % step == 0 } + Array(200..<300))
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
            let send = MutationSend<Void>.nothing { _ in
                sent.record(id)
                if id == "a" { try await answer() }
            }
            let mutation = Mutation(
                number: cache.mutations.nextNumber(),
                .one(EntityStep.update(id: 1, code: cache.mutationCode(of: Song.self)) { $0.plays += 1 }),
                .serial("song"),
                StoredMutation(id: id, name: "plays", order: .serial("song"), arguments: .bytes([])),
                in: cache.reference,
                send
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

/// The order of mutations of the same entities, which is the default.
@Suite("Order of mutations of one entity", .mayBlock)
struct EntityOrderTests {
    private let cache = FlatCache()
    private let sent = Recorder<String>()

    init() {
        cache.set(contentsOf: [Song(id: 1), Song(id: 2)])
    }

    @discardableResult
    private func begin(
        _ name: String,
        _ ids: Int...,
        order: MutationOrder = .byEntity,
        answer: ManualAnswer<Void>? = nil
    ) -> Mutation<Void> {
        cache.mutate(order: order) { change in
            for id in ids { change.update(Song.self, id: id) { $0.title += name } }
        } send: { [sent] in
            sent.record(name)
            try await answer?()
        }
    }

    @Test("Mutations of one entity are sent one after the other, also after a failure", arguments: [true, false])
    func oneEntity(succeeds: Bool) async {
        let answer = ManualAnswer<Void>()
        let first = begin("a", 1, answer: answer)
        let second = begin("b", 1)
        let third = begin("c", 1)
        await answer.hasBegun()
        #expect(sent.elements == ["a"] && cache.song()?.title == "abc")
        if succeeds { answer.succeed() } else { answer.fail() }
        #expect(await first.ended() == succeeds)
        #expect(await second.ended())
        #expect(await third.ended())
        #expect(sent.elements == ["a", "b", "c"])
        #expect(cache.confirmedSong()?.title == (succeeds ? "abc" : "bc"))
    }

    @Test("Mutations of different entities don't wait for each other, nor do those of one list")
    func differentEntities() async {
        let answer = ManualAnswer<Void>()
        let list = cache.list("songs", of: Song.self)
        let listing = cache.mutate { change in
            change.update(Song.self, id: 1) { $0.plays = 1 }
            change.append(1, to: list)
        } send: {
            try await answer()
        }
        await answer.hasBegun()
        #expect(await begin("b", 2).ended())
        let other = cache.mutate {
            $0.append(2, to: list)
        } send: {
        }
        #expect(await other.ended())
        #expect(listing.isPending)
        answer.succeed()
        await listing.ended()
        #expect(Array(cache.confirmed { list.ids }) == [1, 2])
    }

    @Test("A mutation of several entities waits for those of each, and those after it for it")
    func severalEntities() async {
        let (first, second) = (ManualAnswer<Void>(), ManualAnswer<Void>())
        let mutations = [
            begin("a", 1, answer: first), begin("b", 2, answer: second), begin("ab", 1, 2), begin("c", 2),
        ]
        await first.hasBegun()
        await second.hasBegun()
        second.succeed()
        await mutations[1].ended()
        #expect(sent.elements.sorted() == ["a", "b"])
        first.succeed()
        for mutation in mutations { await mutation.ended() }
        #expect(Array(sent.elements.suffix(2)) == ["ab", "c"])
    }

    @Test("A concurrent mutation waits for none, and the next one for all before it")
    func concurrent() async {
        let (first, second) = (ManualAnswer<Void>(), ManualAnswer<Void>())
        let a = begin("a", 1, answer: first)
        let b = begin("b", 1, order: .concurrent, answer: second)
        await first.hasBegun()
        await second.hasBegun()
        let c = begin("c", 1)
        second.succeed()
        await b.ended()
        #expect(sent.count == 2)
        first.succeed()
        await a.ended()
        #expect(await c.ended())
        #expect(cache.confirmedSong()?.title == "abc")
    }

    @Test("The mutations after one that is cancelled wait for those before it")
    func cancelled() async {
        let answer = ManualAnswer<Void>()
        let a = begin("a", 1, answer: answer)
        let b = begin("b", 1)
        let c = begin("c", 1)
        await answer.hasBegun()
        #expect(b.cancel())
        #expect(sent.elements == ["a"] && c.isPending)
        answer.succeed()
        await a.ended()
        #expect(await c.ended())
        #expect(sent.elements == ["a", "c"] && cache.confirmedSong()?.title == "ac")
    }

    @Test("A closure that sends can begin a mutation of the same entity and wait for it")
    func nested() async throws {
        let outer = cache.mutate(Song.self, id: 1) {
            $0.title += "a"
        } send: { [cache] in
            try await cache.mutate(Song.self, id: 1) {
                $0.title += "b"
            } send: {
            }.value
        }
        try await outer.value
        #expect(cache.confirmedSong()?.title == "ab")
    }

    @Test("Serial mutations that threads begin at the same time, of the same entities, all end")
    func threads() async {
        let mutations = Recorder<Mutation<Void>>()
        onThreads(4) { [self] thread in
            for step in 0..<50 {
                let order: MutationOrder =
                    step % 3 == 0 ? .serial("songs") : step % 3 == 1 ? .byEntity : .latest("songs")
                mutations.record(begin("x", 1 + (thread + step) % 2, order: order))
            }
        }
        for mutation in mutations.elements { await mutation.ended() }
        #expect(cache.pendingMutations.isEmpty)
    }
}
