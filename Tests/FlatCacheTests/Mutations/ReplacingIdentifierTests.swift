import FlatCache
import Testing

@Suite("Identifiers that replace others while they are hashed")
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
}
