import Observation
import TestThreads
import Testing

@testable import FlatCache

@Suite("Lists whose entities are all removed", .mayBlock)
struct ClearedListTests {
    private let cache = FlatCache()
    private let home: CachedList<Clip>

    init() {
        home = cache.list("home", of: Clip.self)
        home.setLoader { (_: Int?) in ListPage([Clip(id: 1), Clip(id: 2)], next: nil) }
    }

    /// Removes all entities, or replaces them.
    private func clear(_ isReplaced: Bool) {
        if isReplaced { cache.replaceAll(of: Clip.self, with: [Clip(id: 2)]) } else { cache.removeAll(of: Clip.self) }
    }

    @Test(
        "S4: A transaction that clears a type sees the list without an age, unless it is undone",
        arguments: [false, true]
    )
    func ownClear(isReplaced: Bool) async throws {
        struct Undone: Error {}
        try await home.load()
        #expect(throws: Undone.self) {
            try cache.transaction {
                clear(isReplaced)
                #expect(home.age == nil)
                throw Undone()
            }
        }
        #expect(home.age != nil && home.values.count == 2)
        cache.transaction {
            clear(isReplaced)
            #expect(home.age == nil)
        }
        #expect(home.age == nil)
    }

    @Test("S2: A read sees the age that belongs to its entities", arguments: [false, true])
    func read(isReplaced: Bool) async throws {
        try await home.load()
        cache.read {
            RunningThread { clear(isReplaced) }.finish()
            #expect(home.age != nil && home.values.count == 2)
        }
        #expect(home.age == nil)
    }

    @Test("S4: A transaction that has read the age runs again if another thread clears the type")
    func transaction() async throws {
        try await home.load()
        var runs = 0
        let isKnown = cache.transaction {
            runs += 1
            let isKnown = home.age != nil
            if runs == 1 { RunningThread { cache.removeAll(of: Clip.self) }.finish() }
            cache.set(Clip(id: 3))
            return isKnown
        }
        #expect(!isKnown && runs == 2)
    }

    @Test("Those who observe or track the age are notified of a clear", arguments: [false, true])
    func notified(isReplaced: Bool) async throws {
        try await home.load()
        let seen = Recorder<Bool>()
        let subscription = cache.observe {
            home.age != nil
        } onChange: {
            seen.record($0)
        }
        let notified = Protected(false)
        withObservationTracking {
            _ = home.age
        } onChange: {
            notified.withLock { $0 = true }
        }
        clear(isReplaced)
        #expect(seen.elements == [true, false])
        #expect(notified.withLock { $0 })
        subscription.cancel()
    }

    @Test("A list of which nothing is known leaves nothing when it is loaded without a loader, or invalidated")
    func unknown() async throws {
        let other = cache.list("other", of: Clip.self)
        await #expect(throws: ListError.noLoader("other")) { try await other.load() }
        await #expect(throws: ListError.noLoader("other")) { try await other.loadMore() }
        other.invalidate()
        #expect(cache.listLoaders.knownLoader(of: other) == nil)
        #expect(cache.get(ListLoading<Clip>.self, id: "other") == nil)
    }

    @Test("A gap is filled from above if pages have no cursor for the page before")
    func gapWithoutPrevious() async throws {
        let newest = Protected(30)
        home.setLoader { (cursor: Int?) in
            let top = cursor ?? newest.withLock { $0 }
            return ListPage((0..<4).map { Clip(id: top - $0) }, next: top - 4)
        }
        try await home.refresh()
        try await home.loadMore()
        newest.withLock { $0 = 42 }
        try await home.refresh(.insertAbove)
        #expect(home.gaps == [39])
        #expect(try await home.loadPrevious(before: 30))
        #expect(home.ids.elementsEqual((35...42).reversed() + (23...30).reversed()) && home.gaps == [35])
    }
}
