#if DEBUG
import TestThreads
import Testing

@testable import FlatCache

/// Types that come in while everything is being removed.
@Suite("Races of clearing", .mayBlock)
struct ClearingRaces {
    let cache = FlatCache()

    @Test("S1: An entity of a new type that is stored before all is locked is removed, too", arguments: Way.allCases)
    func newType(_ way: Way) {
        cache.set(Counter(id: 1))
        let notified = Recorder<ChangeKind>()
        let store: @Sendable () -> Void = { [cache] in
            cache.set(Post(id: "1"))
            // Whoever has stored it still sees the others: so the clearing comes after both.
            #expect(cache.contains(Counter.self, id: 1))
        }
        stopping(at: .listed, while: store) { way.clear(cache) }
        #expect(cache.count == 0)
        let subscription = cache.observe(Post.self, id: "1") { notified.record($0.kind) }
        cache.set(Post(id: "1"))
        #expect(notified.elements == [.initial, .inserted])
        subscription.cancel()
    }

    /// How everything is removed.
    enum Way: CaseIterable {
        case directly, inTransaction

        func clear(_ cache: FlatCache) {
            switch self {
            case .directly: cache.removeAll()
            case .inTransaction: cache.transaction { cache.removeAll() }
            }
        }
    }
}
#endif
