import Observation
import Testing

@testable import FlatCache

/// Mutations that end while their identifiers are replaced.
@Suite("Ends of mutations beside replacements")
struct ReplacementRaceTests {
    private let cache = FlatCache()
    private let answer = ManualAnswer<Void>()

    /// Begins a mutation that waits for another one, and returns both.
    private func begin(_ order: MutationOrder) async -> (sending: Mutation<Void>, waiting: Mutation<Void>) {
        cache.set(Memo(id: "a", text: "old"))
        cache.set(Memo(id: "other"))
        let sending = cache.mutate(Memo.self, id: "other", order: order) {
            $0.text = "sent"
        } send: { [answer] in
            try await answer()
        }
        await answer.hasBegun()
        let waiting = cache.mutate(Memo.self, id: "a", order: order) {
            $0.text += "!"
        } send: {
        }
        return (sending, waiting)
    }

    /// Replaces the identifier once, when the next commit has found its entities and hasn't made its changes.
    private func replacing(_ body: () -> Void) {
        let isDone = Recorder<Void>()
        SyncPoint.$handler.withValue({ [cache] point in
            guard point == .ended, isDone.count == 0 else { return }
            isDone.record(())
            SyncPoint.$handler.withValue(nil) { _ = cache.replaceMemo("a", by: "b") }
        }) {
            body()
        }
        #expect(isDone.count == 1)
    }

    @Test("A mutation that a newer one replaces has no layer left, also if its identifier is replaced meanwhile")
    func latest() async {
        let (sending, waiting) = await begin(.latest("memo"))
        var newest: Mutation<Void>?
        replacing {
            newest = cache.mutate(Memo.self, id: "other", order: .latest("memo")) {
                $0.text += "?"
            } send: {
            }
        }
        #expect(!waiting.isPending)
        answer.succeed()
        await sending.ended()
        await newest?.ended()
        #expect(cache.text("a") == "new" && cache.confirmed { cache.text("a") } == "new")
        #expect(cache.registry.table(of: Memo.self).takeUnretainedValue().layeredKeyCount == 0)
    }

    @Test("A mutation that is cancelled between the commit of a removal of everything and its end leaves no layer")
    func cancellationBesideRemoval() async {
        let (sending, waiting) = await begin(.serial("memo"))
        cache.replaceMemo("a", by: "b")
        let isDone = Recorder<Bool>()
        SyncPoint.$handler.withValue({ point in
            guard point == .committed, isDone.count == 0 else { return }
            SyncPoint.$handler.withValue(nil) { isDone.record(waiting.cancel()) }
        }) {
            cache.transaction { cache.removeAll() }
        }
        #expect(isDone.elements == [true])
        cache.set(Memo(id: "b", text: "stored"))
        #expect(cache.text("b") == "stored")
        answer.succeed()
        await sending.ended()
    }

    @Test("The removal of all entities leaves no layer, also if an identifier is replaced meanwhile")
    func removeAll() async {
        let (sending, waiting) = await begin(.serial("memo"))
        replacing { cache.removeAll() }
        #expect(!waiting.isPending && cache.pendingMutations.isEmpty)
        answer.succeed()
        await sending.ended()
        for id in ["a", "b"] {
            cache.set(Memo(id: id, text: "stored"))
            #expect(cache.text(id) == "stored")
        }
        #expect(cache.registry.table(of: Memo.self).takeUnretainedValue().layeredKeyCount == 0)
    }
}

/// What depends on an identifier that is replaced.
@Suite("Readers of replaced identifiers")
struct ReplacementReaderTests {
    private let cache = FlatCache()

    @Test(
        "A reader of a handle's mutations is notified when they end under another identifier",
        arguments: [true, false]
    )
    func handleMutations(isTracked: Bool) async throws {
        let answer = ManualAnswer<Memo>()
        let insertion = cache.mutate(inserting: Memo(id: "tmp")) { try await answer() }
        let handle = Cached(Memo.self, id: "tmp", in: cache)
        let seen = Recorder<Bool>()
        var subscription: CacheSubscription?
        if isTracked {
            withObservationTracking {
                #expect(handle.mutations.isPending)
            } onChange: {
                seen.record(false)
            }
        } else {
            subscription = cache.observe {
                handle.mutations.isPending
            } onChange: {
                seen.record($0)
            }
        }
        answer.succeed(Memo(id: "7"))
        _ = try await insertion.value
        #expect(await eventually { seen.elements.last == false })
        if !isTracked {
            let later = ManualAnswer<Void>()
            let edit = Cached(Memo.self, id: "7", in: cache).mutate {
                $0.text += "!"
            } send: {
                try await later()
            }
            #expect(await eventually { seen.elements.last == true })
            later.succeed()
            try await edit.value
            #expect(await eventually { seen.elements.last == false })
        }
        #expect(cache.registry.find(EntityMutations.self)?.takeUnretainedValue().storedCount ?? 0 == 0)
        subscription?.cancel()
    }

    @Test("A closure that has read a missing entity follows the first replacement of its identifier")
    func missing() async {
        let seen = Recorder<String?>()
        let subscription = cache.observe { [cache] in
            cache.text("a")
        } onChange: {
            seen.record($0)
        }
        cache.transaction {
            cache.replaceMemo("a", by: "b")
            cache.remove(Memo.self, id: "b")
        }
        cache.set(Memo(id: "b", text: "stored"))
        #expect(seen.elements.last == "stored")
        subscription.cancel()
    }

    @Test("The resolver throws the error of an insertion that has failed before")
    func resolverAfterFailure() async throws {
        let insertion = cache.mutate(inserting: Memo(id: "tmp")) { throw RejectedError(code: 409) }
        await insertion.ended()
        await #expect(throws: RejectedError(code: 409)) { try await cache.resolvedID(of: Memo.self, "tmp") }
        let again = cache.mutate(inserting: Memo(id: "tmp")) { Memo(id: "7") }
        _ = try await again.value
        #expect(try await cache.resolvedID(of: Memo.self, "tmp") == "7")
        cache.set(Memo(id: "other"))
        #expect(try await cache.resolvedID(of: Memo.self, "other") == "other")
    }

    @Test("A mutation of an entity whose insertion has failed before fails without being sent")
    func mutationAfterFailure() async throws {
        let insertion = cache.mutate(inserting: Memo(id: "tmp")) { throw RejectedError(code: 409) }
        await insertion.ended()
        let late = cache.mutate(Memo.self, id: "tmp") {
            $0.text = "late"
        } send: {
            Issue.record("It is sent.")
        }
        guard case .dropped(.insertionFailed(let key, let error)) = late.state else {
            return #expect(Bool(false), "\(late.state)")
        }
        #expect(key == FlatCacheKey(Memo.self, id: "tmp"))
        #expect(error as? RejectedError == RejectedError(code: 409))
        #expect(cache.pendingMutations.isEmpty)
    }

    @Test("A mutation that ends while all entities are removed leaves no layer", arguments: [true, false])
    func removalAtTheEnd(succeeds: Bool) async {
        cache.set(Memo(id: "a"))
        cache.replaceMemo("a", by: "b")
        let isDone = Recorder<Void>()
        let mutation = SyncPoint.$handler.withValue({ [cache] point in
            guard point == .ended, isDone.count == 0 else { return }
            isDone.record(())
            SyncPoint.$handler.withValue(nil) { cache.removeAll() }
        }) {
            cache.mutate(Memo.self, id: "a") {
                $0.text += "!"
            } send: {
                if !succeeds { throw RejectedError() }
            }
        }
        await mutation.ended()
        #expect(isDone.count == 1)
        cache.set(Memo(id: "b", text: "stored"))
        #expect(cache.text("b") == "stored")
        #expect(cache.registry.table(of: Memo.self).takeUnretainedValue().layeredKeyCount == 0)
    }

    @Test("An insertion that isn't sent is shown again after its identifier was replaced and the new entity removed")
    func insertionAfterReplacement() async {
        let (turn, answer) = (ManualAnswer<Void>(), ManualAnswer<MemoSheet>())
        cache.mutate(order: .serial("drafts")) { _ in
        } send: {
            try await turn()
        }
        let draft = MemoSheet(id: "tmp", title: "draft")
        let insertion = cache.mutate(inserting: draft, order: .serial("drafts")) { try await answer() }
        cache.replaceIdentifier(of: MemoSheet.self, "tmp", with: MemoSheet(id: "7", title: "new"))
        cache.remove(MemoSheet.self, id: "7")
        #expect(cache.get(MemoSheet.self, id: "tmp") == MemoSheet(id: "7", title: "draft"))
        #expect(insertion.problems.isEmpty)
        turn.succeed()
        answer.fail()
        await insertion.ended()
        #expect(cache.count(of: MemoSheet.self) == 0)
    }

    @Test("An entity that is stored under a replaced identifier again keeps its place without indexes")
    func storedAgainWithoutIndexes() {
        cache.set(contentsOf: ["a", "tmp", "b"].map { Memo(id: $0) })
        cache.transaction {
            cache.replaceMemo("tmp", by: "7")
            cache.set(Memo(id: "tmp"))
        }
        #expect(cache.allValues(of: Memo.self, inOrder: true).map(\.id) == ["a", "tmp", "b", "7"])
    }

    @Test("An entity that is stored under a replaced identifier again keeps its place, and indexes have both once")
    func storedAgain() {
        cache.set(contentsOf: [Song(id: 1), Song(id: 3), Song(id: 5)])
        let range = FlatCache.Query(Song.self).filter(\.plays, in: 0...9).sorted(by: \.plays)
        for asksBefore in [false, true] {
            #expect(cache.query(range).ids == [1, 3, 5])
            cache.transaction {
                if asksBefore { #expect(cache.query(range).count == 3) }
                cache.replaceIdentifier(of: Song.self, 3, with: Song(id: 100))
                if asksBefore { #expect(cache.query(range).ids == [1, 100, 5]) }
                cache.set(Song(id: 3))
                #expect(cache.query(range).ids == [1, 3, 5, 100])
                #expect(cache.allValues(of: Song.self, inOrder: true).map(\.id) == [1, 3, 5, 100])
            }
            #expect(cache.query(range).ids == [1, 3, 5, 100])
            #expect(cache.allValues(of: Song.self, inOrder: true).map(\.id) == [1, 3, 5, 100])
            cache.update(Song.self, id: 3) { $0.plays = 2 }
            #expect(cache.query(range).ids == [1, 5, 100, 3])
            cache.update(Song.self, id: 3) { $0.plays = 0 }
            cache.remove(Song.self, id: 100)
        }
    }
}
