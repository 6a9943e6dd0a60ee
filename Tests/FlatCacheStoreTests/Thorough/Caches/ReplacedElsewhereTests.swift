import Testing

@testable import FlatCache
@testable import FlatCacheStore

/// How a cache gets the changes of another process.
struct NewsWay: CustomTestStringConvertible, Sendable {
    /// Whether the cache only reads, instead of writing in turn.
    var isReader = false
    /// Whether memos remain on disk.
    var isOnDemand = false
    /// Whether everything is read again.
    var isEverything = false

    static let all = (0..<8).map { NewsWay(isReader: $0 & 1 > 0, isOnDemand: $0 & 2 > 0, isEverything: $0 & 4 > 0) }

    static let writers = all.filter { !$0.isReader }

    var testDescription: String {
        "\(isReader ? "reader" : "writer")\(isOnDemand ? ", on demand" : "")\(isEverything ? ", everything" : "")"
    }
}

/// A folder that two processes use.
struct SharedFolder {
    let way: NewsWay
    private let folder = TemporaryFolder()

    init(_ way: NewsWay) { self.way = way }

    /// Opens the cache of this process, after the other one has stored something.
    func open(_ store: (FlatCache) -> Void) async throws -> FlatCache {
        let other = try await openCache(FileStore(at: folder.url))
        store(other)
        try await other.store?.close()
        return try await openCache(
            FileStore(at: folder.url),
            for: way.isOnDemand ? [Author.self] : [Author.self, Memo.self],
            onDemand: way.isOnDemand ? [Memo.self] : [],
            way.isReader ? .readOnly : .readWrite
        )
    }

    /// Opens the cache of another process, while the one of this process may not write.
    func openElsewhere() async throws -> FlatCache { try await openCache(FileStore(at: folder.url)) }

    /// Lets the other process write, and this one read what it has written.
    func elsewhere(in cache: FlatCache, _ write: (FlatCache) async throws -> Void) async throws {
        if !way.isReader { try await cache.store?.suspend() }
        let store = FileStore(at: folder.url)
        let other = try await openCache(store)
        try await write(other)
        try await other.flush()
        if way.isEverything { try store.compact() }
        try await other.store?.close()
        if way.isReader { try await cache.store?.refresh() } else { try await cache.store?.resume() }
    }

    /// What is on disk, after this process.
    func restarted(_ cache: FlatCache) async throws -> FlatCache {
        try await cache.store?.close()
        return try await openCache(FileStore(at: folder.url))
    }
}

@Suite("Identifiers that another process replaces", .timeLimit(.minutes(10)))
struct ReplacedElsewhereTests {
    @Test("A change is pending under the new identifier", arguments: NewsWay.all, [false, true])
    func pendingChange(_ way: NewsWay, fails: Bool) async throws {
        let folder = SharedFolder(way)
        let cache = try await folder.open {
            $0.set(contentsOf: [Memo(1, "a"), Memo(2, "b")])
            $0.list("a", of: Memo.self).append(ids: [Memo(1).id, Memo(2).id])
        }
        _ = try await cache.fetch(Memo.self, id: Memo(1).id, .cacheOnly)
        let handle = Cached(Memo.self, id: Memo(1).id, in: cache)
        let seen = Protected<[String?]>([])
        let subscription = handle.observe { change in seen.withLock { $0.append(change.value?.text) } }
        let request = Request()
        let mutation = cache.mutate { change in
            change.update(Memo.self, id: Memo(1).id) { $0.text += "!" }
            change.append(Memo(1).id, to: cache.list("b", of: Memo.self))
        } send: {
            try await request.send()
        }
        try await folder.elsewhere(in: cache) {
            $0.replaceIdentifier(of: Memo.self, Memo(1).id, with: Memo(3, "A"))
            $0.replaceIdentifier(of: Memo.self, Memo(3).id, with: Memo(4, "AA"))
        }
        #expect(cache.text(1) == "AA!" && cache.text(4) == "AA!" && cache.confirmedText(4) == "AA")
        #expect(handle.value?.text == "AA!" && handle.mutations.isPending)
        #expect(mutation.keys == [FlatCacheKey(Memo.self, id: Memo(4).id)] && mutation.problems.isEmpty)
        #expect(Array(cache.list("a", of: Memo.self).ids) == [Memo(4).id, Memo(2).id])
        #expect(Array(cache.list("b", of: Memo.self).ids) == [Memo(4).id])
        request.answer(fails ? RefusedError() : nil)
        _ = try? await mutation.value
        // What others have written since the change was sent stays.
        let text = "AA"
        #expect(cache.text(1) == text && cache.text(4) == text && cache.confirmedText(4) == text)
        #expect(Array(cache.list("b", of: Memo.self).ids) == (fails ? [] : [Memo(4).id]))
        #expect(!handle.mutations.isPending && cache.pendingMutations.isEmpty)
        cache.update(Memo.self, id: Memo(4).id) { $0.text = "new" }
        #expect(seen.withLock { $0.last } == "new")
        subscription.cancel()
        if way.isReader { return }
        let restored = try await folder.restarted(cache)
        #expect(restored.text(1) == "new" && restored.count(of: Memo.self) == 2)
        #expect(Array(restored.list("b", of: Memo.self).ids) == (fails ? [] : [Memo(4).id]))
    }

    @Test(
        "Pending changes of the old and the new identifier are in the order in which they began",
        arguments: NewsWay.all
    )
    func pendingChangesOfBoth(_ way: NewsWay) async throws {
        let folder = SharedFolder(way)
        let cache = try await folder.open { $0.set(contentsOf: [Memo(1, "a"), Memo(2, "b")]) }
        for number in 1...2 { _ = try await cache.fetch(Memo.self, id: Memo(number).id, .cacheOnly) }
        let requests = (0..<3).map { _ in Request() }
        let mutations = zip(requests, [1, 2, 1]).enumerated().map { place, pair in
            cache.mutate(Memo.self, id: Memo(pair.1).id, order: .concurrent) {
                $0.text += "\(place)"
            } send: {
                try await pair.0.send()
            }
        }
        try await folder.elsewhere(in: cache) {
            $0.replaceIdentifier(of: Memo.self, Memo(1).id, with: Memo(2, "c"))
        }
        #expect(cache.text(1) == "c012" && cache.text(2) == "c012")
        requests[1].answer()
        try await mutations[1].value
        // What others have written since it was sent stays.
        #expect(cache.text(2) == "c02" && cache.confirmedText(2) == "c")
        requests[0].answer(RefusedError())
        _ = try? await mutations[0].value
        #expect(cache.text(2) == "c2" && cache.confirmedText(2) == "c")
        requests[2].answer()
        try await mutations[2].value
        #expect(cache.text(1) == "c" && cache.confirmedText(2) == "c" && cache.pendingMutations.isEmpty)
    }

    @Test(
        "A removal that is pending removes the entity under the new identifier",
        arguments: NewsWay.all,
        [false, true]
    )
    func pendingRemoval(_ way: NewsWay, fails: Bool) async throws {
        let folder = SharedFolder(way)
        let cache = try await folder.open { $0.set(Memo(1, "a")) }
        _ = try await cache.fetch(Memo.self, id: Memo(1).id, .cacheOnly)
        let request = Request()
        let mutation = cache.mutate {
            $0.remove(Memo.self, id: Memo(1).id)
        } send: {
            try await request.send()
        }
        try await folder.elsewhere(in: cache) {
            $0.replaceIdentifier(of: Memo.self, Memo(1).id, with: Memo(2, "b"))
        }
        #expect(cache.text(1) == nil && cache.text(2) == nil && cache.confirmedText(2) == "b")
        request.answer(fails ? RefusedError() : nil)
        _ = try? await mutation.value
        #expect(cache.text(2) == (fails ? "b" : nil))
        if way.isReader { return }
        #expect(try await folder.restarted(cache).text(2) == (fails ? "b" : nil))
    }

    @Test(
        "An insertion that another process has sent is over, and what waits for it is sent with the new identifier",
        arguments: NewsWay.writers
    )
    func insertion(_ way: NewsWay) async throws {
        let folder = SharedFolder(way)
        let cache = try await folder.open { _ in }
        let server = MutationServer()
        let otherServer = MutationServer()
        let insertion = MutationServer.$current.withValue(server) { cache.mutate(Creating(memo: Memo(1, "a"))) }
        let request = Request()
        let sent = Protected<[Int]>([])
        let follower = cache.mutate { change in
            change.update(Memo.self, id: Memo(1).id) { $0.text += "!" }
            change.append(Memo(1).id, to: cache.list("b", of: Memo.self))
        } send: {
            let id = try await FlatCache.current.resolvedID(of: Memo.self, Memo(1).id)
            sent.withLock { $0.append(id.number) }
            try await request.send()
        }
        #expect(cache.text(1) == "a!")
        try await folder.elsewhere(in: cache) { other in
            MutationServer.$current.withValue(otherServer) { other.registerMutations(Creating.self) }
            await otherServer.received(1)
            otherServer.answer("create")
            for mutation in other.pendingMutations { try await mutation.waitForEnd() }
        }
        #expect(cache.text(101) == "a!" && cache.text(1) == "a!" && cache.confirmedText(101) == "a")
        #expect(Array(cache.list("b", of: Memo.self).ids) == [Memo(101).id])
        await #expect(throws: MutationError.self) { try await insertion.value }
        #expect(follower.keys == [FlatCacheKey(Memo.self, id: Memo(101).id)] && follower.problems.isEmpty)
        request.answer()
        try await follower.value
        #expect(sent.withLock { $0 } == [101])
        #expect(cache.confirmedText(101) == "a!" && cache.pendingMutations.isEmpty)
        let restored = try await folder.restarted(cache)
        #expect(restored.text(101) == "a!" && restored.text(1) == "a!" && restored.count(of: Memo.self) == 1)
    }

    @Test("A mutation that outlives the process is pending under the new identifier", arguments: NewsWay.writers)
    func storableChange(_ way: NewsWay) async throws {
        let folder = SharedFolder(way)
        let cache = try await folder.open { $0.set(Memo(1, "a")) }
        _ = try await cache.fetch(Memo.self, id: Memo(1).id, .cacheOnly)
        let server = MutationServer()
        let mutation = MutationServer.$current.withValue(server) { cache.mutate(Appending(1, "!")) }
        try await folder.elsewhere(in: cache) {
            $0.replaceIdentifier(of: Memo.self, Memo(1).id, with: Memo(2, "b"))
        }
        #expect(cache.text(1) == "b!" && cache.text(2) == "b!" && mutation.isPending)
        await server.received(1)
        server.answer("!")
        try await mutation.value
        // What others have written since it was sent stays.
        #expect(cache.confirmedText(2) == "b")
        #expect(try await folder.restarted(cache).text(1) == "b")
    }

    @Test("Layers of a replaced identifier end with their mutation after another process has removed everything")
    func removedElsewhere() async throws {
        for way in NewsWay.all {
            let folder = SharedFolder(way)
            let cache = try await folder.open { $0.set(Memo(1, "a")) }
            _ = try await cache.fetch(Memo.self, id: Memo(1).id, .cacheOnly)
            let request = Request()
            let mutation = cache.mutate {
                $0.set(Memo(1, "pending"))
            } send: {
                try await request.send()
            }
            try await folder.elsewhere(in: cache) {
                $0.replaceIdentifier(of: Memo.self, Memo(1).id, with: Memo(2, "b"))
            }
            #expect(cache.text(2) == "pending")
            try await folder.elsewhere(in: cache) { other in other.removeAll() }
            #expect(cache.confirmedText(2) == nil && mutation.isPending)
            request.answer(RefusedError())
            _ = try? await mutation.value
            #expect(cache.count(of: Memo.self) == 0 && cache.pendingMutations.isEmpty, "\(way.testDescription)")
        }
    }

    @Test("What this process stores under the old identifier meanwhile remains, if everything is read again")
    func storedAgain() async throws {
        let folder = SharedFolder(NewsWay(isEverything: true))
        let cache = try await folder.open { $0.set(Memo(1, "a")) }
        try await cache.store?.suspend()
        cache.set(Memo(1, "here"))
        // The suspension of a suspended store has no effect.
        try await folder.elsewhere(in: cache) {
            $0.replaceIdentifier(of: Memo.self, Memo(1).id, with: Memo(2, "b"))
        }
        #expect(cache.text(1) == "here" && cache.text(2) == "b")
        let restored = try await folder.restarted(cache)
        #expect(restored.text(1) == "here" && restored.text(2) == "b")
    }

    @Test("Thousands of identifiers that were replaced in chains arrive", arguments: NewsWay.all)
    func many(_ way: NewsWay) async throws {
        let folder = SharedFolder(way)
        let numbers = 1...700
        let cache = try await folder.open { $0.set(contentsOf: numbers.map { Memo($0, "a") }) }
        _ = try await cache.fetch(Memo.self, ids: numbers.map { Memo($0).id }, .cacheOnly)
        let request = Request()
        let mutation = cache.mutate { change in
            for number in numbers { change.update(Memo.self, id: Memo(number).id) { $0.text += "!" } }
        } send: {
            try await request.send()
        }
        try await folder.elsewhere(in: cache) { other in
            other.transaction {
                for number in numbers {
                    for step in 1...3 {
                        let (old, new) = (number + 10_000 * (step - 1), number + 10_000 * step)
                        other.replaceIdentifier(of: Memo.self, Memo(old).id, with: Memo(new, "\(step)"))
                    }
                }
            }
        }
        #expect(numbers.allSatisfy { cache.text($0) == "3!" && cache.text($0 + 30_000) == "3!" })
        #expect(cache.count(of: Memo.self) == numbers.count)
        request.answer()
        try await mutation.value
        // What others have written since it was sent stays.
        #expect(numbers.allSatisfy { cache.confirmedText($0 + 30_000) == "3" })
    }

    @Test(
        "A replacement of this process remains if another one replaces an identifier by the old one",
        arguments: NewsWay.all
    )
    func replacedFurther(_ way: NewsWay) async throws {
        let folder = SharedFolder(way)
        let cache = try await folder.open { $0.set(contentsOf: [Memo(1, "a"), Memo(2, "b")]) }
        for number in 1...2 { _ = try await cache.fetch(Memo.self, id: Memo(number).id, .cacheOnly) }
        let request = Request()
        let mutation = cache.mutate(Memo.self, id: Memo(1).id) {
            $0.text += "!"
        } send: {
            try await request.send()
        }
        if !way.isReader { try await cache.store?.suspend() }
        let elsewhere = try await folder.openElsewhere()
        try await elsewhere.store?.suspend()
        // It reads the replacement of 2 by 3 after this.
        elsewhere.replaceIdentifier(of: Memo.self, Memo(1).id, with: Memo(2, "c"))
        if way.isReader {
            let writer = try await folder.openElsewhere()
            writer.replaceIdentifier(of: Memo.self, Memo(2).id, with: Memo(3, "d"))
            try await writer.store?.close()
            try await cache.store?.refresh()
        } else {
            try await cache.store?.resume()
            cache.replaceIdentifier(of: Memo.self, Memo(2).id, with: Memo(3, "d"))
            try await cache.store?.suspend()
        }
        try await elsewhere.store?.resume()
        try await elsewhere.store?.close()
        if way.isReader { try await cache.store?.refresh() } else { try await cache.store?.resume() }
        for number in 1...3 {
            #expect(cache.text(number) == "d!" && cache.confirmedText(number) == "d", "\(number)")
            #expect(cache.currentID(of: Memo.self, Memo(number).id) == Memo(3).id)
        }
        request.answer()
        try await mutation.value
        // What others have written since it was sent stays.
        #expect(cache.text(1) == "d" && cache.confirmedText(3) == "d" && cache.pendingMutations.isEmpty)
    }

    @Test(
        "An index has each entity once, whatever places two processes give them",
        arguments: NewsWay.all,
        [false, true]
    )
    func indexed(_ way: NewsWay, isOrdered: Bool) async throws {
        let folder = SharedFolder(way)
        let cache = try await folder.open { $0.set(contentsOf: (0..<3).map { Memo($0, "a") }) }
        for number in 0..<3 { _ = try await cache.fetch(Memo.self, id: Memo(number).id, .cacheOnly) }
        cache.buildIndex(.init(\Memo.text), isOrdered: isOrdered)
        let query = FlatCache.Query(Memo.self).filter(\.text, equals: "a")
        let writes: [(FlatCache) -> Void] = [
            {
                $0.replaceIdentifier(of: Memo.self, Memo(1).id, with: Memo(5, "a"))
                $0.set(Memo(1, "a"))
            },
            { $0.remove(Memo.self, id: Memo(1).id) },
            { $0.set(Memo(1, "a")) },
            { $0.set(Memo(5, "b")) },
            { $0.set(Memo(1, "b")) },
        ]
        for write in writes {
            try await folder.elsewhere(in: cache) { write($0) }
            let expected = cache.allValues(of: Memo.self).filter { $0.text == "a" }.map(\.id.number).sorted()
            #expect(cache.query(query).values.map(\.id.number).sorted() == expected)
            #expect(cache.transaction { cache.query(query).values.map(\.id.number).sorted() } == expected)
            cache.transaction {
                cache.set(Memo(1, "z"))
                cache.set(Memo(5, "a"))
                cache.set(Memo(1, "a"))
                let all = cache.allValues(of: Memo.self).filter { $0.text == "a" }.map(\.id.number).sorted()
                #expect(cache.query(query).values.map(\.id.number).sorted() == all)
            }
        }
    }
}
