import Foundation
import TestThreads
import Testing

@testable import FlatCache

@Suite("Updating in place", .mayBlock)
struct UpdateTests {
    struct Failure: Error {}

    let cache = FlatCache()

    @Test("The changed entity is stored, and the result of the body returned")
    func update() {
        cache.set(Counter(id: 1, count: 1))
        let result = cache.update(Counter.self, id: 1) { counter in
            counter.count += 1
            return "was \(counter.count - 1)"
        }
        #expect(result == "was 1")
        #expect(cache.get(Counter.self, id: 1)?.count == 2)
    }

    @Test("A body that throws changes and notifies nothing, and its error keeps its type")
    func throwingBody() {
        cache.set(Counter(id: 1, count: 1))
        let calls = Recorder<ChangeKind>()
        let subscription = cache.observe(Counter.self, id: 1) { calls.record($0.kind) }
        do throws(Failure) {
            try cache.update(Counter.self, id: 1) { counter throws(Failure) in
                counter.count = 100
                throw Failure()
            }
            Issue.record("the error is lost")
        } catch {}
        #expect(cache.get(Counter.self, id: 1)?.count == 1)
        #expect(calls.elements == [.initial])
        subscription.cancel()
    }

    @Test("The body may read and write other keys, types and the whole cache")
    func bodyUsesCache() {
        cache.set(contentsOf: [Counter(id: 1, count: 1), Counter(id: 2, count: 20)])
        cache.update(Counter.self, id: 1) { counter in
            counter.count += cache.get(Counter.self, id: 2)?.count ?? 0
            cache.set(Post(id: "made in the body"))
            cache.update(Counter.self, id: 2) { $0.count += 1 }
            #expect(cache.count == 3)
        }
        #expect(cache.get(Counter.self, id: 1)?.count == 21)
        #expect(cache.get(Counter.self, id: 2)?.count == 21)
        #expect(cache.count == 3)
    }

    @Test("The body's own writes to the entity are replaced by its result", arguments: OwnWrite.allCases)
    func ownWrite(_ write: OwnWrite) {
        cache.set(Counter(id: 1, count: 1))
        var runs = 0
        cache.update(Counter.self, id: 1) { counter in
            runs += 1
            switch write {
            case .set: cache.set(Counter(id: 1, count: 50))
            case .setMany: cache.set(contentsOf: [Counter(id: 1, count: 50), Counter(id: 2)])
            case .update: cache.update(Counter.self, id: 1) { $0.count = 50 }
            case .updateTwiceNested:
                cache.update(Counter.self, id: 1) { _ in
                    cache.update(Counter.self, id: 1) { $0.count = 50 }
                }
            case .remove: cache.remove(Counter.self, id: 1)
            case .removeAll: cache.removeAll()
            case .handle: Cached(Counter.self, id: 1, in: cache).remove()
            }
            counter.count += 1
        }
        #expect(runs == 1)
        #expect(cache.get(Counter.self, id: 1)?.count == 2)
        #expect(cache.count(of: Counter.self) == (write == .setMany ? 2 : 1))
    }

    enum OwnWrite: CaseIterable {
        case set, setMany, update, updateTwiceNested, remove, removeAll, handle
    }

    @Test("A write of another thread during the body makes it run again, on the new entity")
    func foreignWrite() {
        cache.set(Counter(id: 1, count: 1))
        var seen: [Int] = []
        cache.update(Counter.self, id: 1) { [cache] counter in
            seen.append(counter.count)
            if seen.count == 1 { onThreads(1) { _ in cache.set(Counter(id: 1, count: 50)) } }
            counter.count += 1
        }
        #expect(seen == [1, 50])
        #expect(cache.get(Counter.self, id: 1)?.count == 51)
    }

    @Test("When another thread removes the entity during the body, nothing is stored")
    func foreignRemoval() {
        cache.set(Counter(id: 1, count: 1))
        let result: Void? = cache.update(Counter.self, id: 1) { [cache] counter in
            onThreads(1) { _ in cache.removeAll() }
            counter.count += 1
        }
        #expect(result == nil)
        #expect(cache.count == 0)
    }

    @Test("An entity whose identifier changes moves, in one commit")
    func movingEntity() {
        cache.set(contentsOf: [Draft(id: 1, text: "one"), Draft(id: 2, text: "two")])
        let changes = Recorder<ChangeSet>()
        let subscription = cache.observe((1...3).map { Draft.flatCacheKey(id: $0) }, initial: false) {
            changes.record($0)
        }
        cache.update(Draft.self, id: 1) { $0.id = 3 }
        #expect(cache.get(Draft.self, id: 1) == nil)
        #expect(cache.get(Draft.self, id: 3)?.text == "one")
        cache.update(Draft.self, id: 3) { $0.id = 2 }
        #expect(cache.get(Draft.self, id: 2)?.text == "one")
        #expect(cache.count == 1)
        #expect(changes.elements.map(\.removed) == [[Draft.flatCacheKey(id: 1)], [Draft.flatCacheKey(id: 3)]])
        #expect(changes.elements.map(\.inserted) == [[Draft.flatCacheKey(id: 3)], []])
        #expect(changes.elements.map(\.updated) == [[], [Draft.flatCacheKey(id: 2)]])
        subscription.cancel()
    }

    @Test("After an update by identifier or by handle no slot is held, however it ends", arguments: End.allCases)
    func end(_ end: End) throws {
        for usesHandle in [false, true] {
            weak var released: SharedCount?
            do {
                let count = SharedCount()
                released = count
                cache.set(Sheet(id: 1, count: count))
                #expect(try result(of: end, usesHandle: usesHandle) == end.isStored)
                #expect(cache.contains(Sheet.self, id: end == .moved ? 3 : 1) == (end != .removedMeanwhile))
                if end == .replacedIdentifier { cache.remove(Sheet.self, id: 2) }
                cache.removeAll()
            }
            #expect(released == nil)
            #expect(cache.slotCount(of: Sheet.self) == 0)
        }
    }

    /// Whether an update that ends in some way stores its result.
    private func result(of end: End, usesHandle: Bool) throws -> Bool {
        let handle = Cached(Sheet.self, id: 1, in: cache)
        func update(_ body: (inout Sheet) throws -> Void) rethrows -> Bool {
            usesHandle ? try handle.update(body) : try cache.update(Sheet.self, id: 1, body)
        }
        func fails(_ update: () throws -> Bool) -> Bool { (try? update()) == nil }
        switch end {
        case .stored: return update { $0.text = "new" }
        case .moved: return update { $0.id = 3 }
        case .thrown: return !fails { try update { _ in throw Failure() } }
        case .removedMeanwhile:
            return update { [cache] _ in onThreads(1) { _ in cache.remove(Sheet.self, id: 1) } }
        case .replacedIdentifier:
            if let sheet = cache.get(Sheet.self, id: 1) {
                cache.replaceIdentifier(of: Sheet.self, 1, with: Sheet(id: 2, count: sheet.count))
            }
            return update { $0.text = "new" }
        case .inTransaction: return cache.transaction { update { $0.text = "new" } }
        case .thrownInTransaction:
            return cache.transaction { !fails { try update { _ in throw Failure() } } }
        case .inRead: return cache.read { update { $0.text = "new" } }
        }
    }

    enum End: CaseIterable {
        case stored, moved, thrown, removedMeanwhile, replacedIdentifier, inTransaction, thrownInTransaction, inRead

        var isStored: Bool { ![.thrown, .removedMeanwhile, .thrownInTransaction].contains(self) }
    }

    struct Sheet: Cachable {
        var id: Int
        var text = ""
        let count: SharedCount
    }

    @Test("S1: 8 threads that increment 16 counters 100,000 times each lose none")
    func concurrentIncrements() {
        cache.set(contentsOf: (0..<16).map { Counter(id: $0) })
        // Fewer under the sanitizers, which take a hundred times as long for one.
        let count = ProcessInfo.processInfo.environment["FLATCACHE_INCREMENTS"].flatMap { Int($0) } ?? 100_000
        onThreads(8) { [cache] thread in
            for step in 0..<count {
                cache.update(Counter.self, id: (step &+ thread) % 16) { $0.count += 1 }
            }
        }
        #expect(cache.allValues(of: Counter.self).reduce(0) { $0 + $1.count } == 8 * count)
    }

    @Test("S1: An update keeps the fields that another task has written since the entity was read")
    func updateAfterWaiting() async {
        cache.set(Post(id: "1", title: "Draft"))
        let handle = Cached(Post.self, id: "1", in: cache)
        let likes = cache.get(Post.self, id: "1")?.likes
        _ = await Task.detached { [cache] in cache.update(Post.self, id: "1") { $0.title = "Final" } }.value
        cache.update(Post.self, id: "1") { $0.likes = (likes ?? 0) + 1 }
        #expect(cache.get(Post.self, id: "1") == Post(id: "1", title: "Final", likes: 1))
        _ = await Task.detached { [cache] in cache.update(Post.self, id: "1") { $0.authorID = "7" } }.value
        handle.update { $0.likes += 1 }
        #expect(handle.value == Post(id: "1", title: "Final", likes: 2, authorID: "7"))
    }
}
