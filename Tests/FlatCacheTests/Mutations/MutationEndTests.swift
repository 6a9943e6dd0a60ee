import Testing

@testable import FlatCache

@Suite("Ends of mutations")
struct MutationEndTests {
    private let cache = FlatCache()
    private let answer = ManualAnswer<Void>()

    @Test("M1: A mutation is pending until the commit that confirms or drops it", arguments: [true, false])
    func end(succeeds: Bool) async {
        cache.set(Song(id: 1))
        let begun = Recorder<Mutation<Void>>()
        let seen = Recorder<String>()
        let mutation = SyncPoint.$handler.withValue({ [cache] point in
            // No lock is held at these points.
            guard let mutation = begun.elements.first, [.ended, .listed, .committed].contains(point) else { return }
            SyncPoint.$handler.withValue(nil) {
                let isListed = cache.pendingMutations.contains { $0 === mutation }
                seen.record("\(point == .committed ? "after" : "before"): \(mutation.isPending) \(isListed)")
            }
        }) {
            cache.favourite(answer)
        }
        begun.record(mutation)
        if succeeds { answer.succeed() } else { answer.fail() }
        await mutation.ended()
        #expect(Set(seen.elements) == ["before: true true", "after: false false"])
        #expect(seen.elements.last == "after: false false")
    }

    @Test("S3: A removal of everything removes the entity of a mutation that is about to begin", arguments: [1, 2])
    func removalBeforeBeginning(changes: Int) async {
        cache.set(contentsOf: [Memo(id: "1"), Memo(id: "2")])
        let isDone = Recorder<Void>()
        let mutation = SyncPoint.$handler.withValue({ [cache] point in
            guard point == .listed, isDone.count == 0 else { return }
            isDone.record(())
            SyncPoint.$handler.withValue(nil) { cache.removeAll() }
        }) {
            cache.mutate { change in
                for id in 1...changes { change.update(Memo.self, id: "\(id)") { $0.text = "changed" } }
            } send: {
            }
        }
        #expect(isDone.count == 1)
        #expect(cache.allValues(of: Memo.self) == [])
        #expect(cache.confirmed { cache.allValues(of: Memo.self) } == [])
        await mutation.ended()
        guard case .dropped(.removed) = mutation.state else { return #expect(Bool(false), "\(mutation.state)") }
    }

    @Test(
        "S3: A mutation of an indexed type can begin and end while everything is removed",
        arguments: [0, 7, shardCount - 1, shardCount + 7, 2 * shardCount - 1]
    )
    func mutationBesideRemoval(pieces: Int) async {
        cache.set(contentsOf: (1...3).map { Song(id: $0) })
        let query = cache.query(FlatCache.Query(Song.self).filter(\.plays, equals: 0))
        #expect(query.values.count == 3)
        let begun = Recorder<Mutation<Void>>()
        let seen = Recorder<Void>()
        SyncPoint.$handler.withValue({ [cache, answer] point in
            SyncPoint.$handler.withValue(nil) {
                // The new type lets the commit be made again.
                if point == .listed, begun.count == 0 {
                    cache.set(Memo(id: "1"))
                    begun.record(
                        cache.mutate(Memo.self, id: "1", order: .serial("a")) {
                            $0.text = "sent"
                        } send: {
                            try await answer()
                        }
                    )
                    begun.record(
                        cache.mutate(Song.self, id: 1, order: .serial("a")) {
                            $0.plays += 1
                        } send: {
                        }
                    )
                } else if point == .piece, begun.count == 2 {
                    // The shards of each type with layers are visited, and then the layers of what was found are applied.
                    if seen.count == pieces { begun.elements[1].cancel() }
                    seen.record(())
                }
            }
        }) {
            cache.removeAll()
        }
        if pieces >= seen.count { begun.elements[1].cancel() }
        #expect(cache.count(of: Song.self) == 0)
        #expect(query.values.isEmpty)
        answer.succeed()
        for mutation in begun.elements { await mutation.ended() }
        #expect(cache.pendingMutations.isEmpty)
    }

    @Test("The latest mutation is sent, also if it replaces an insertion of its entity")
    func latestAfterInsertion() async throws {
        let first = cache.mutate(order: .latest("memo")) { _ in
        } send: { [answer] in
            try await answer()
        }
        await answer.hasBegun()
        let insertion = cache.mutate(inserting: Memo(id: "tmp"), order: .latest("memo")) { Memo(id: "7") }
        let latest = cache.mutate(Memo.self, id: "tmp", order: .latest("memo")) {
            $0.text = "latest"
        } send: {
            Memo(id: "8", text: "sent")
        }
        guard case .dropped(.replaced) = insertion.state else { return #expect(Bool(false), "\(insertion.state)") }
        answer.succeed()
        try await first.value
        #expect(try await latest.value == Memo(id: "8", text: "sent"))
        #expect(cache.text("8") == "sent")
        #expect(try await cache.resolvedID(of: Memo.self, "tmp") == "tmp")
    }

    @Test("An entity can be stored while a mutation of it begins whose insertion has failed", arguments: 0..<40)
    func storedMeanwhile(hashes: Int) async {
        let hook = Hook()
        let insertion = cache.mutate(inserting: HookedEntity(1, hook)) { throw RejectedError() }
        await insertion.ended()
        let count = Protected(0)
        hook.set { [cache] event in
            guard event == .hash else { return }
            let current = count.withLock { count in
                count += 1
                return count
            }
            if current == hashes + 1 { cache.set(HookedEntity(1, hook)) }
        }
        let mutation = cache.mutate(HookedEntity.self, id: HookedEntity.Identifier(1, hook)) {
            $0.count += 1
        } send: {
        }
        await mutation.ended()
        hook.set(nil)
        switch mutation.state {
        case .confirmed, .dropped(.insertionFailed): break
        default: #expect(Bool(false), "\(mutation.state)")
        }
    }
}
