import TestThreads
import Testing

@testable import FlatCache

@Suite("Identifiers that replace others while they are hashed", .mayBlock)
struct ReplacingIdentifierTests {
    /// An identifier that runs an action while it is hashed.
    struct ReplacingID: Hashable, Sendable {
        /// The action, and the number of hashes before it.
        @TaskLocal static var action: Protected<(left: Int, run: @Sendable () -> Void)>?

        let number: Int

        func hash(into hasher: inout Hasher) {
            let run = Self.action?.withLock { action in
                action.left -= 1
                return action.left == -1 ? action.run : nil
            }
            run?()
            hasher.combine(number)
        }
    }

    struct Entry: Cachable {
        let id: ReplacingID
        var count = 0
    }

    @Test("N1: A replacement while an identifier is hashed for another one joins its transaction", arguments: 0..<24)
    func hashed(count: Int) {
        let cache = FlatCache()
        let ids = (0..<6).map { ReplacingID(number: $0) }
        for id in ids { cache.set(Entry(id: id)) }
        let action: @Sendable () -> Void = { cache.replaceIdentifier(of: Entry.self, ids[2], with: Entry(id: ids[3])) }
        ReplacingID.$action.withValue(Protected((count, action))) {
            cache.transaction { _ = cache.replaceIdentifier(of: Entry.self, ids[0], with: Entry(id: ids[1])) }
        }
        #expect(cache.currentID(of: Entry.self, ids[0]) == ids[1] && cache.contains(Entry.self, id: ids[1]))
        let isReached = cache.currentID(of: Entry.self, ids[2]) == ids[3]
        #expect(isReached || count > 8)
        #expect(cache.count(of: Entry.self) == (isReached ? 4 : 5))
    }

    #if DEBUG
    @Test(
        "A cancelled mutation leaves no layer if another thread moves it while its identifier is hashed",
        arguments: [false, true]
    )
    func moved(isFollowed: Bool) async {
        let ids = (0..<3).map { ReplacingID(number: $0) }
        var reached = 0
        for count in 0..<40 {
            let (cache, answer) = (FlatCache(), ManualAnswer<Void>())
            cache.set(contentsOf: [Entry(id: ids[0]), Entry(id: ids[2])])
            let (sending, waiting) = (
                cache.mutate(Entry.self, id: ids[2], order: .serial("entry")) {
                    $0.count += 1
                } send: {
                    try await answer()
                },
                cache.mutate(Entry.self, id: ids[0], order: .serial("entry")) {
                    $0.count += 1
                } send: {
                }
            )
            cache.replaceIdentifier(of: Entry.self, ids[0], with: Entry(id: ids[1]))
            if isFollowed { cache.replaceIdentifier(of: Entry.self, ids[1], with: Entry(id: ids[0])) }
            let (old, new) = isFollowed ? (ids[0], ids[1]) : (ids[1], ids[0])
            let action: @Sendable () -> Void = {
                RunningThread { cache.replaceIdentifier(of: Entry.self, old, with: Entry(id: new)) }.finish()
            }
            ReplacingID.$action.withValue(Protected((count, action))) { #expect(waiting.cancel()) }
            if cache.currentID(of: Entry.self, old) == new { reached += 1 }
            answer.succeed()
            await sending.ended()
            #expect(cache.get(Entry.self, id: ids[0])?.count == 0, "after \(count) hashes")
            #expect(cache.registry.table(of: Entry.self).takeUnretainedValue().layeredKeyCount == 0)
        }
        #expect(reached > 5)
    }
    #endif
}
