import Testing

@testable import FlatCache

/// The ends of observations whose identifiers were replaced; the address sanitizer finds a use of a slot that is gone.
@Suite("Ends of moved observers")
struct MovedObserverRaceTests {
    enum Step: CaseIterable {
        case remove, replaceAgain, removeAll, storeAgain
    }

    @Test("N7: An observation of a replaced identifier can end after its cache", arguments: [nil] + Step.allCases)
    func endAfterCache(step: Step?) {
        var cache: FlatCache? = FlatCache()
        weak let reference = cache
        cache?.set(Memo(id: "a"))
        var subscriptions = (0..<5).compactMap { _ in cache?.observe(Memo.self, id: "a") { _ in } }
        cache?.replaceMemo("a", by: "b")
        switch step {
        case .remove: cache?.remove(Memo.self, id: "b")
        case .replaceAgain: cache?.replaceMemo("b", by: "c")
        case .removeAll: cache?.removeAll()
        case .storeAgain: cache?.set(Memo(id: "a"))
        case nil: break
        }
        cache = nil
        #expect(reference == nil)
        #expect(subscriptions.count == 5)
        subscriptions.removeAll()
    }

    @Test("N7: An identifier can be replaced while an observation of its entity ends", arguments: [1, 2])
    func replacementMeanwhile(observers: Int) {
        let cache = FlatCache()
        cache.set(Memo(id: "a"))
        let ended = Recorder<Void>()
        var released: OnRelease? = OnRelease {
            cache.replaceMemo("a", by: "b")
            cache.removeAll()
            ended.record(())
        }
        let others = (1..<observers).map { _ in cache.observe(Memo.self, id: "a") { _ in } }
        let subscription = cache.observe(Memo.self, id: "a") { [released] _ in withExtendedLifetime(released) {} }
        released = nil
        subscription.cancel()
        #expect(ended.count == 1)
        cache.set(Memo(id: "a", text: "again"))
        #expect(cache.text("a") == "again")
        withExtendedLifetime(others) {}
    }
}

/// Calls a closure when it is released.
private final class OnRelease: Sendable {
    private let action: @Sendable () -> Void

    init(_ action: @escaping @Sendable () -> Void) {
        self.action = action
    }

    deinit { action() }
}
