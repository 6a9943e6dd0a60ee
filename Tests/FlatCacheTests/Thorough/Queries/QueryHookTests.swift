import Foundation
import SeededRandom
import TestThreads
import Testing

@testable import FlatCache

@Suite("Queries and the code of entities", .serialized, .mayBlock)
struct QueryHookTests {
    /// What the code of an entity does with the cache.
    enum Deed: CaseIterable {
        case query, observe, removeWhere, replaceAll, transaction, batch, observeAll
    }

    @Test(
        "The code of an entity queries and writes the queried type, in single, large and whole-type commits",
        arguments: Deed.allCases
    )
    func hooks(deed: Deed) {
        let isDone = ends {
            let cache = FlatCache()
            let hook = Hook()
            let other = Hook()
            let query = cache.query(
                FlatCache.Query(HookedEntity.self).filter { $0.count < 5 }.sorted(by: \.count, .descending).limit(9)
            )
            let subscription = query.observe { _ = $0.ids }
            let all = cache.observe(all: HookedEntity.self) { _ = $0.inserted.map(\.id) }
            let turns = Protected(0)
            hook.set { [weak cache] _ in
                guard let cache,
                    turns.withLock({
                        $0 += 1; return $0
                    }) % 1_009 == 1
                else { return }
                let queries = FlatCache.Query(HookedEntity.self)
                switch deed {
                case .query: _ = cache.query(queries.sorted(by: \.count)).count
                case .observe: cache.query(queries).observe { _ = $0.values.count }.cancel()
                case .removeWhere: cache.remove(HookedEntity.self) { $0.count == 77 }
                case .replaceAll: cache.replaceAll(of: Author.self, with: [Author(id: "1")])
                case .transaction: cache.transaction { _ = cache.count(of: HookedEntity.self) }
                case .batch: cache.set(contentsOf: (0..<3).map { HookedEntity(-1 - $0, count: 9, other) })
                case .observeAll: cache.observe(all: HookedEntity.self) { _ in }.cancel()
                }
            }
            for number in 0..<20 { cache.set(HookedEntity(number % 7, count: number % 6, hook)) }
            cache.set(contentsOf: (0..<300).map { HookedEntity($0, count: $0 % 9, hook) })
            // A query, a batch and a transaction also beside large commits.
            let isLarge = Extent.isFull || [.query, .batch, .transaction].contains(deed)
            let count = isLarge ? 4_500 : 300
            cache.set(contentsOf: (0..<count).map { HookedEntity($0, count: $0 % 8, hook) })
            _ = query.ids
            query.removeAll()
            cache.remove(HookedEntity.self) { $0.count == 3 }
            cache.replaceAll(
                of: HookedEntity.self,
                with: (count / 2..<count * 3 / 2).map { HookedEntity($0, count: $0 % 7, hook) }
            )
            cache.removeAll(of: HookedEntity.self)
            subscription.cancel()
            all.cancel()
            hook.set(nil)
        }
        #expect(isDone)
    }

    /// An entity whose `==` runs code.
    struct Compared: Cachable, Equatable {
        let id: Int
        var count = 0
        nonisolated(unsafe) static var code: @Sendable () -> Void = {}

        static func == (lhs: Compared, rhs: Compared) -> Bool {
            code()
            return lhs.id == rhs.id && lhs.count == rhs.count
        }
    }

    @Test("The `==` of an entity queries and writes the queried type")
    func equality() {
        let isDone = ends {
            let cache = FlatCache()
            let isBusy = Protected(false)
            Compared.code = { [weak cache] in
                let mayRun = isBusy.withLock { busy in
                    defer { busy = true }
                    return !busy
                }
                guard mayRun, let cache else { return }
                cache.query(FlatCache.Query(Compared.self)).observe { _ = $0.values.count }.cancel()
                cache.set(Compared(id: -1, count: 1))
                cache.transaction { cache.remove(Compared.self) { $0.id == -1 } }
                onThreads(1) { _ in cache.set(Compared(id: -2, count: 1)) }
                isBusy.withLock { $0 = false }
            }
            let results = Recorder<Int>()
            let subscription = cache.query(FlatCache.Query(Compared.self).sorted(by: \.count)).observe {
                results.record($0.ids.count)
            }
            let all = cache.observe(all: Compared.self) { _ in }
            for number in 0..<50 { cache.set(Compared(id: number % 5, count: number / 10)) }
            cache.set(contentsOf: (0..<5_000).map { Compared(id: $0) })
            cache.replaceAll(of: Compared.self, with: (0..<5_000).map { Compared(id: $0, count: $0 % 2) })
            subscription.cancel()
            all.cancel()
            Compared.code = {}
            #expect(results.elements.last ?? 0 >= 5_000)
        }
        #expect(isDone)
    }

    @Test("Identifiers that are equal by their own rule are one entity")
    func ownEquality() {
        struct Name: Hashable, Sendable {
            let text: String
            static func == (lhs: Name, rhs: Name) -> Bool { lhs.text.lowercased() == rhs.text.lowercased() }
            func hash(into hasher: inout Hasher) { hasher.combine(text.lowercased()) }
        }
        struct Named: Cachable, Equatable {
            let id: Name
            var count = 0
        }
        let cache = FlatCache()
        let texts = Recorder<[String]>()
        let query = cache.query(FlatCache.Query(Named.self))
        let subscription = query.observe { texts.record($0.values.map(\.id.text)) }
        cache.set(Named(id: Name(text: "a"), count: 1))
        cache.set(Named(id: Name(text: "A"), count: 2))
        cache.set(Named(id: Name(text: "b")))
        #expect(texts.elements == [[], ["a"], ["A"], ["A", "b"]])
        cache.replaceAll(of: Named.self, with: [Named(id: Name(text: "B"), count: 3), Named(id: Name(text: "a"))])
        #expect(query.values.map(\.id.text) == ["a", "B"])
        #expect(query.removeAll().count == 2 && cache.count(of: Named.self) == 0)
        subscription.cancel()
    }

    @Test("Entities whose identifiers all have one hash")
    func colliding() {
        let cache = FlatCache()
        let counts = Recorder<Int>()
        let query = FlatCache.Query(Colliding.self).filter(\.count, in: 1...).sorted(by: \.count)
        let subscription = cache.query(query).observe { counts.record($0.ids.count) }
        cache.set(contentsOf: (0..<300).map { Colliding($0, count: $0 % 3) })
        cache.remove(Colliding.self) { $0.count == 1 }
        cache.replaceAll(of: Colliding.self, with: (100..<200).map { Colliding($0, count: 2) })
        #expect(counts.elements == [0, 200, 100, 100])
        subscription.cancel()
    }
}

@Suite("Equality of queries", .mayBlock)
struct QueryEqualityTests {
    @Test("A query is equal to itself and found in a set, whatever its operands are")
    func reflexive() {
        let queries = [
            Tracks().filter(\.rating, equals: .nan), Tracks().filter(\.rating, in: [.nan, 1]),
            Tracks().filter(\.rating, equals: nil),
        ]
        for (place, query) in queries.enumerated() {
            #expect(query == query, "query \(place)")
            #expect(Set([query]).contains(query), "query \(place)")
        }
    }

    @Test("Identifiers of different types are different")
    func identifierTypes() {
        #expect(Tracks().filter(id: 1) { $0.id == 1 } != Tracks().filter(id: 1.0) { $0.rating == 1 })
        #expect(Tracks().filter(id: 1) { $0.id == 1 } != Tracks().filter(id: UInt8(1)) { $0.plays == 1 })
        #expect(Tracks().filter(id: "1") { $0.id == 1 } != Tracks().filter(id: 1) { $0.plays == 1 })
        #expect(Tracks().filter(id: Int?.some(1)) { $0.id == 1 } != Tracks().filter(id: 1) { $0.plays == 1 })
    }

    @Test("The elements and prefixes of collections don't depend on their order and form")
    func operands() {
        #expect(Tracks().filter(\.id, in: [1, 2]) == Tracks().filter(\.id, in: [2, 1, 1]))
        #expect(Tracks().filter(\.name, hasPrefix: "\u{e9}") == Tracks().filter(\.name, hasPrefix: "e\u{301}"))
        #expect(Tracks().filter(\.rating, equals: 0) == Tracks().filter(\.rating, equals: -0.0))
        #expect(Tracks().filter(\.name.count, equals: 1) == Tracks().filter(\.name.count, equals: 1))
        #expect(Tracks().filter(\.name.count, equals: 1) != Tracks().filter(\.id, equals: 1))
    }

    @Test("Prefixes are compared by characters")
    func prefixes() {
        let cache = FlatCache()
        cache.set(contentsOf: [
            Track(id: 1, name: "e\u{301}a"), Track(id: 2, name: "ea"), Track(id: 3, name: "\u{e9}b"),
        ])
        #expect(cache.query(Tracks().filter(\.name, hasPrefix: "e")).ids == [2])
        #expect(cache.query(Tracks().filter(\.name, hasPrefix: "\u{e9}")).ids == [1, 3])
        #expect(cache.query(Tracks().filter(\.name, hasPrefix: "")).ids == [1, 2, 3])
    }
}
