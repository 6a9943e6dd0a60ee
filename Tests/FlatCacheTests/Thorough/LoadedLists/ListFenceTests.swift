import Observation
import Testing

@testable import FlatCache

/// Pages of calls that were made before the app changed its mind.
@Suite("Fences of lists that load")
struct ListFenceTests {
    private let cache = FlatCache()
    private struct Refusal: Error {}

    private func list(_ answer: ManualAnswer<Void>) -> CachedList<Clip> {
        let list = cache.list("home", of: Clip.self)
        list.setLoader { (_: Int?) in
            try await answer()
            return ListPage([Clip(id: 1)], next: 1)
        }
        return list
    }

    @Test("A first page of before the list was emptied or removed doesn't join", arguments: [false, true])
    func neverLoaded(isRemoved: Bool) async throws {
        let answer = ManualAnswer<Void>()
        let list = list(answer)
        let refresh = Task { try await list.refresh() }
        #expect(await eventually { list.isLoading })
        if isRemoved { list.remove() } else { list.removeAll() }
        #expect(!list.isLoading)
        answer.succeed()
        #expect(try await refresh.value == false)
        #expect(list.isEmpty)
    }

    @Test(
        "A first page of before the list was replaced by nothing doesn't join, and nobody is notified",
        arguments: [false, true],
        [false, true]
    )
    func replacedByNothing(isLoaded: Bool, byIDs: Bool) async throws {
        let answer = ManualAnswer<Void>()
        let list = list(answer)
        if isLoaded {
            answer.succeed()
            try await list.refresh()
            list.remove(1)
        }
        let notified = Recorder<Void>()
        withObservationTracking {
            _ = list.ids
        } onChange: {
            notified.record(())
        }
        let refresh = Task { try await list.refresh() }
        #expect(await eventually { list.isLoading })
        if byIDs { list.replace(withIDs: []) } else { list.replace(with: []) }
        answer.succeed()
        #expect(try await refresh.value == false)
        #expect(await eventually { !list.isLoading })
        #expect(list.isEmpty && notified.count == 0)
        let next = ManualAnswer<Void>()
        next.succeed()
        #expect(try await self.list(next).refresh())
        #expect(Array(list.ids) == [1])
    }

    @Test("A replacement by the same identifiers is a fence, too, and forgets the cursor", arguments: [false, true])
    func replacedByTheSame(byIDs: Bool) async throws {
        let answer = ManualAnswer<Void>()
        let list = list(answer)
        answer.succeed()
        try await list.refresh()
        #expect(list.age != nil)
        let refresh = Task { try await list.refresh() }
        #expect(await eventually { list.isLoading })
        if byIDs { list.replace(withIDs: [1]) } else { list.replace(with: [Clip(id: 1)]) }
        #expect(list.age == nil)
        answer.succeed()
        #expect(try await refresh.value == false)
        #expect(Array(list.ids) == [1])
    }

    @Test(
        "A page of before the removal of all entities of the type doesn't join, and the next call brings it",
        arguments: [false, true],
        [false, true]
    )
    func removedEntities(isReplaced: Bool, isInTransaction: Bool) async throws {
        let answer = ManualAnswer<Void>()
        let list = list(answer)
        let refresh = Task { try await list.refresh() }
        #expect(await eventually { list.isLoading })
        func remove() {
            if isReplaced {
                cache.replaceAll(of: Clip.self, with: [Clip(id: 70)])
            } else {
                cache.removeAll(of: Clip.self)
            }
        }
        if isInTransaction { cache.transaction { remove() } } else { remove() }
        #expect(!list.isLoading)
        answer.succeed()
        #expect(try await refresh.value == false)
        #expect(list.isEmpty && list.age == nil && list.error == nil)
        await #expect(throws: ListError.notLoaded("home")) { try await list.load(.cacheOnly) }
        let next = ManualAnswer<Void>()
        next.succeed()
        try await self.list(next).load()
        #expect(Array(list.ids) == [1] && list.values == [Clip(id: 1)])
    }

    @Test(
        "A page doesn't store or list what was removed while it was loaded, although it wasn't stored",
        arguments: 0..<4
    )
    func removedMissing(way: Int) async throws {
        let server = PageServer()
        let list = cache.list("home", of: Clip.self)
        list.setLoader { try await server.load($0) }
        let refresh = Task { try await list.refresh() }
        #expect(await server.hasCalls(1))
        switch way {
        case 0: cache.remove(Clip.self, id: 2)
        case 1: cache.remove(Clip.self, ids: [2, 9])
        case 2: Cached(Clip.self, id: 2, in: cache).remove()
        default: cache.transaction { _ = cache.remove(Clip.self, id: 2) }
        }
        await server.answer(0, [1, 2, 3], next: 1)
        #expect(try await refresh.value)
        #expect(Array(list.ids) == [1, 3] && !cache.contains(Clip.self, id: 2))
        let next = Task { try await list.refresh() }
        await server.answer(1, [1, 2, 3], next: 1)
        #expect(try await next.value)
        #expect(Array(list.ids) == [1, 2, 3] && cache.contains(Clip.self, id: 2))
    }

    @Test(
        "A page with new entities doesn't join if the cache doesn't know that they weren't removed",
        arguments: [true, false]
    )
    func manyRemovedEntities(areStored: Bool) async throws {
        let server = PageServer()
        let list = cache.list("home", of: Clip.self)
        list.setLoader { try await server.load($0) }
        if areStored { cache.set(contentsOf: (100..<8_100).map { Clip(id: $0) }) }
        let refresh = Task { try await list.refresh() }
        #expect(await server.hasCalls(1))
        cache.remove(Clip.self, ids: Array(100..<8_100))
        await server.answer(0, [1], next: 1)
        #expect(try await refresh.value == false)
        #expect(list.isEmpty && !list.isLoading && list.age == nil && cache.get(Clip.self, id: 1) == nil)
        let next = Task { try await list.refresh() }
        await server.answer(1, [1], next: 1)
        #expect(try await next.value)
        #expect(Array(list.ids) == [1])
    }

    @Test("A removal or a replacement that is undone leaves the loader and the calls", arguments: [true, false])
    func undone(isRemoval: Bool) async throws {
        let answer = ManualAnswer<Void>()
        let list = list(answer)
        let refresh = Task { try await list.refresh() }
        #expect(await eventually { list.isLoading })
        #expect(throws: Refusal.self) {
            try cache.transaction {
                if isRemoval { list.remove() } else { list.replace(withIDs: []) }
                throw Refusal()
            }
        }
        answer.succeed()
        #expect(try await refresh.value)
        answer.succeed()
        #expect(try await list.refresh())
        #expect(Array(list.ids) == [1])
    }

    @Test("A loader that is set in a transaction after the removal of its list remains", arguments: [false, true])
    func setAfterRemoval(hasOther: Bool) async throws {
        let answer = ManualAnswer<Void>()
        let list = hasOther ? list(answer) : cache.list("home", of: Clip.self)
        list.append(ids: [5])
        cache.transaction {
            list.remove()
            list.setLoader { (_: Int?) in ListPage([Clip(id: 2)], next: nil) }
        }
        #expect(list.isEmpty)
        #expect(try await list.refresh())
        #expect(Array(list.ids) == [2])
        cache.transaction {
            list.setLoader { (_: Int?) in ListPage([Clip(id: 3)], next: nil) }
            list.remove()
        }
        await #expect(throws: ListError.noLoader("home")) { try await list.refresh() }
    }

    @Test("A list that only a pending mutation shows isn't stored")
    func pending() async throws {
        let (answer, sent) = (ManualAnswer<Void>(), ManualAnswer<Void>())
        let list = list(answer)
        answer.succeed()
        let mutation = cache.mutate {
            $0.set(Clip(id: 9))
            $0.append(9, to: list)
        } send: {
            try await sent()
        }
        await #expect(throws: ListError.self) { try await list.load(.cacheOnly) }
        try await list.load()
        #expect(Array(list.ids) == [1, 9])
        sent.fail()
        await mutation.ended()
        #expect(Array(list.ids) == [1])
    }

    @Test("A task that is cancelled before it asks doesn't call the loader")
    func cancelled() async {
        let calls = Recorder<Int>()
        let list = cache.list("home", of: Clip.self)
        list.setLoader { (_: Int?) in
            calls.record(1)
            return ListPage([Clip(id: 1)], next: nil)
        }
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await list.refresh()
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(calls.elements.isEmpty)
    }
}
