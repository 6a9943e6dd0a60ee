#if DEBUG
import TestThreads
import Testing

@testable import FlatCache

/// Mutations of replaced identifiers that begin while all entities are removed, which forgets the replacements.
@Suite("Mutations that begin beside a removal of all entities", .mayBlock)
struct ForgottenIdentifierTests {
    private let cache = FlatCache()
    private let answer = ManualAnswer<Void>()
    private let begun = Protected<Mutation<Void>?>(nil)

    init() {
        cache.set(Memo(id: "a", text: "old"))
        cache.replaceMemo("a", by: "b")
    }

    private var mutate: @Sendable () -> Void {
        { [cache, answer, begun] in
            let mutation = cache.mutate { change in
                change.update(Memo.self, id: "a") { $0.text += "!" }
                change.update(Memo.self, id: "a") { $0.text += "?" }
            } send: {
                try await answer()
            }
            begun.withLock { $0 = mutation }
        }
    }

    /// Stores entities again, and ends the mutation.
    private func checkThatItChangesTheFirst() async throws {
        let mutation = try #require(begun.withLock { $0 })
        #expect(mutation.isPending && cache.pendingMutations.count == 1)
        cache.set(contentsOf: [Memo(id: "a", text: "stored"), Memo(id: "b", text: "stored")])
        #expect(cache.text("a") == "stored!?" && cache.text("b") == "stored")
        await answer.hasBegun()
        answer.succeed()
        await mutation.ended()
        #expect(cache.text("a") == "stored!?" && cache.text("b") == "stored")
        #expect(cache.registry.table(of: Memo.self).takeUnretainedValue().layeredKeyCount == 0)
    }

    @Test("A mutation that begins before the commit of the removal changes the entity with its own identifier")
    func beforeTheCommit() async throws {
        stopping(at: .ended, while: mutate) { cache.removeAll() }
        try await checkThatItChangesTheFirst()
    }

    @Test("A mutation that is added beside the commit of the removal changes the entity with its own identifier")
    func besideTheCommit() async throws {
        let removal = StoppedThread(at: .ended) { [cache] in cache.removeAll() }
        let beginning = StoppedThread(at: .listed) { [cache, answer, begun] in
            let mutation = cache.mutate(Memo.self, id: "a") {
                $0.text += "!?"
            } send: {
                try await answer()
            }
            begun.withLock { $0 = mutation }
        }
        removal.finish()
        beginning.finish()
        try await checkThatItChangesTheFirst()
    }

    @Test("Readers of a handle's mutations are notified when the removal moves them to another identifier")
    func observed() async throws {
        let handles = ["a", "b"].map { Cached(Memo.self, id: $0, in: cache) }
        let counts = Recorder<[Int]>()
        let subscription = cache.observe {
            handles.map { $0.mutations.pending.count }
        } onChange: {
            counts.record($0)
        }
        stopping(at: .ended, while: mutate) { cache.removeAll() }
        #expect(await eventually { counts.elements.last == [1, 0] })
        try await checkThatItChangesTheFirst()
        #expect(await eventually { counts.elements.last == [0, 0] })
        subscription.cancel()
    }
}
#endif
