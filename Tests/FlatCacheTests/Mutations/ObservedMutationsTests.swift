import Observation
import Testing

@testable import FlatCache

/// Observers of the mutations of a key.
@Suite("Observed mutations of a key")
struct ObservedMutationsTests {
    @Test("The commit that confirms a mutation comes from the server, those that begin and drop it from the user")
    func origins() async {
        let cache = FlatCache()
        cache.set(Song(id: 1))
        let seen = Recorder<Set<FlatCache.Origin>>()
        let subscription = cache.observe(Song.self, id: 1, initial: false) { seen.record($0.origins) }
        for fails in [false, true] {
            let mutation = cache.mutate(Song.self, id: 1) {
                $0.plays += 1
            } send: {
                if fails { throw RejectedError() }
                return Song(id: 1, plays: 9)
            }
            await mutation.ended()
        }
        #expect(seen.elements == [[.user], [.server], [.user], [.user]])
        subscription.cancel()
    }

    @Test("The commit that confirms a mutation without an answer comes from the server, too")
    func originWithoutAnswer() async {
        cache.set(Song(id: 1))
        let seen = Recorder<Set<FlatCache.Origin>>()
        let subscription = cache.observe(Song.self, id: 1, initial: false) { seen.record($0.origins) }
        // The change has another result each time it is made, so that the observer sees the confirmation.
        let mutation = cache.mutate(Song.self, id: 1) {
            $0.plays = Int.random(in: .min ... .max)
        } send: {
        }
        await mutation.ended()
        #expect(seen.elements == [[.user], [.server]])
        subscription.cancel()
    }

    private let cache = FlatCache()

    private func begin(_ handle: Cached<Song>, _ answer: ManualAnswer<Void>) -> Mutation<Void> {
        handle.mutate(order: .serial("song")) {
            $0.isFavourite = true
        } send: {
            try await answer()
        }
    }

    /// A step of the life of a mutation.
    enum Step: CaseIterable {
        case begin, confirm, fail, cancel
    }

    @Test("Tracked reads and closures are notified when a mutation begins and ends", arguments: Step.allCases)
    func notifications(step: Step) async {
        // Readers of the song see no change.
        cache.set(Song(id: 1, isFavourite: true))
        let handle = Cached(Song.self, id: 1, in: cache)
        let (sent, blocking) = (ManualAnswer<Void>(), ManualAnswer<Void>())
        let blocker = step == .cancel ? block(blocking) : nil
        let mutation = step == .begin ? nil : begin(handle, sent)
        let counts = Recorder<Int>()
        let tracked = Recorder<Int>()
        let subscription = cache.observe {
            handle.mutations.pending.count
        } onChange: {
            counts.record($0)
        }
        let before = withObservationTracking {
            handle.mutations.pending.count
        } onChange: {
            tracked.record(1)
        }
        var begun: Mutation<Void>?
        switch step {
        case .begin: begun = begin(handle, sent)
        case .confirm: sent.succeed()
        case .fail: sent.fail()
        case .cancel: #expect(mutation?.cancel() == true)
        }
        if step != .begin { await mutation?.ended() }
        #expect(await eventually { tracked.elements.count == 1 && counts.elements.last == (step == .begin ? 1 : 0) })
        #expect(before == (step == .begin ? 0 : 1))
        #expect((handle.mutations.lastError != nil) == (step == .fail))
        sent.succeed()
        blocking.succeed()
        await begun?.ended()
        await blocker?.ended()
        subscription.cancel()
    }

    /// What a row shows of a song.
    private struct Row: Equatable {
        let isFavourite: Bool?
        let isPending: Bool
        let hasFailed: Bool
    }

    @Test("A row that reads an entity and its mutations is read again once for both", arguments: Step.allCases)
    func row(step: Step) async {
        cache.set(Song(id: 1))
        let handle = Cached(Song.self, id: 1, in: cache)
        let (sent, blocking) = (ManualAnswer<Void>(), ManualAnswer<Void>())
        let blocker = step == .cancel ? block(blocking) : nil
        var mutation = step == .begin ? nil : begin(handle, sent)
        let rows = Recorder<Row>()
        let subscription = cache.observe {
            let mutations = handle.mutations
            let row = Row(
                isFavourite: handle.value?.isFavourite,
                isPending: mutations.isPending,
                hasFailed: mutations.lastError != nil
            )
            rows.record(row)
            return row
        } onChange: { _ in
        }
        let before = rows.elements.count
        switch step {
        case .begin: mutation = begin(handle, sent)
        case .confirm: sent.succeed()
        case .fail: sent.fail()
        case .cancel: #expect(mutation?.cancel() == true)
        }
        if step != .begin { await mutation?.ended() }
        let isFavourite = step == .begin || step == .confirm
        let expected = Row(isFavourite: isFavourite, isPending: step == .begin, hasFailed: step == .fail)
        #expect(await eventually { rows.elements.last == expected })
        #expect(rows.elements.dropFirst(before) == [expected])
        sent.succeed()
        blocking.succeed()
        await mutation?.ended()
        await blocker?.ended()
        subscription.cancel()
    }

    private func block(_ answer: ManualAnswer<Void>) -> Mutation<Void> {
        cache.mutate(order: .serial("song")) { _ in
        } send: {
            try await answer()
        }
    }

    @Test("Keys whose mutations nobody observes have no entry, and an entry ends with the observers and the error")
    func entries() async {
        for id in 0..<3 { cache.set(Song(id: id)) }
        let entries = cache.registry.table(of: EntityMutations.self).takeUnretainedValue()
        func run(_ id: Int, isConfirmed: Bool) async {
            let answer = ManualAnswer<Void>()
            let mutation = cache.mutate(Song.self, id: id) {
                $0.isFavourite = true
            } send: {
                try await answer()
            }
            if isConfirmed { answer.succeed() } else { answer.fail() }
            await mutation.ended()
        }
        await run(0, isConfirmed: true)
        #expect(entries.committedCount == 0)
        await run(1, isConfirmed: false)
        #expect(entries.committedCount == 1)
        await run(1, isConfirmed: true)
        #expect(entries.committedCount == 0)
    }
}
