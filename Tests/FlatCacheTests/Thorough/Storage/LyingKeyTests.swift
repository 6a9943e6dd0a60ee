import Foundation
import SeededRandom
import Testing

@testable import FlatCache

/// Keys and identifiers that break the rules of `Hashable` give wrong answers at most.
@Suite("Keys that break the rules of Hashable")
struct LyingKeyTests {
    /// How a key breaks the rules.
    enum Lie: CaseIterable {
        case isAlwaysEqual, isAlwaysEqualWithOneHash, isNeverEqual, isEqualAtRandom, hasRandomHash, isRandom
        /// Like its number, except that every hash is the same.
        case none
    }

    struct Liar: Hashable, Comparable, Sendable {
        let number: Int
        let lie: Lie
        let random: Protected<SeededGenerator>

        static func == (lhs: Liar, rhs: Liar) -> Bool {
            switch lhs.lie {
            case .isAlwaysEqual, .isAlwaysEqualWithOneHash: true
            case .isNeverEqual: false
            case .isEqualAtRandom, .isRandom: lhs.random.withLock { $0.below(2) == 0 }
            case .hasRandomHash, .none: lhs.number == rhs.number
            }
        }

        static func < (lhs: Liar, rhs: Liar) -> Bool {
            lhs.lie == .isRandom ? lhs.random.withLock { $0.below(2) == 0 } : lhs.number < rhs.number
        }

        func hash(into hasher: inout Hasher) {
            switch lie {
            case .isAlwaysEqual, .isNeverEqual: hasher.combine(number)
            case .isAlwaysEqualWithOneHash, .none, .isEqualAtRandom: break
            case .hasRandomHash, .isRandom: hasher.combine(random.withLock { $0.below(8) })
            }
        }
    }

    /// An entity with keys that lie.
    struct Keyed: Cachable {
        let id: Int
        var key: Liar
        var other: Liar?
        var keys: [Liar] = []
    }

    /// An entity with identifiers that lie.
    struct Owned: Cachable, RelationshipOwner {
        let id: Liar
        var parentID: Liar?
        var childIDs: [Liar] = []
        var friendIDs: [Liar] = []
        var rank = 0

        struct Relationships: Sendable {
            var parent: _ToOptional<Owned> { .init("Owned.parentID", { $0.parentID }, set: { $0.parentID = $1 }) }
            var children: _ToMany<Owned> { .init("Owned.childIDs", { $0.childIDs }, set: { $0.childIDs = $1 }) }
            var friends: _ToMany<Owned> { .init("Owned.friendIDs", { $0.friendIDs }, set: { $0.friendIDs = $1 }) }
        }
        static var relationships: Relationships { Relationships() }
        static var indexes: [FlatCache.Index<Owned>] { [.init(each: \.friendIDs)] }
        static var deleteRules: [FlatCache.DeleteRule<Owned>] {
            [.init(\.parent, .cascade), .init(\.friends, .nullify), .init(\.children, .nullify)]
        }
        static var inverses: _Inverses { [.init(\.parent, \.children), .init(\.children, \.parent)] }
    }

    let cache = FlatCache()

    private func liars(_ lie: Lie, _ seed: UInt64) -> (Int) -> Liar {
        let random = Protected(SeededGenerator(seed: seed))
        return { Liar(number: $0, lie: lie, random: random) }
    }

    @Test("Queries, sections, aggregates and indexes by such keys", arguments: Lie.allCases, Seeds.first(1, full: 3))
    func keys(lie: Lie, seed: UInt64) {
        let liar = liars(lie, seed)
        var random = SeededGenerator(seed: seed)
        let query = FlatCache.Query(Keyed.self)
        let all = cache.query(query.sorted(by: \.key))
        let some = cache.query(query.filter(\.key, equals: liar(1)).limit(5))
        let several = cache.query(query.filter(\.key, in: (0..<20).map { liar($0) }).sorted(by: \.other))
        let element = cache.query(query.filter(\.keys, contains: liar(2)))
        let shown = Protected(0)
        let subscriptions = [
            all.observe { result in shown.withLock { $0 += Array(result.values).count } },
            all.grouped(by: \.key).observe { result in
                shown.withLock { $0 += result.sections.reduce(0) { $0 + Array($1.values).count } }
            },
            all.grouped(by: \.other).observe { result in _ = result.sections.map { Array($0.values) } },
            all.grouped(by: \.keys).observe { result in _ = Array(result.difference.oldSections) },
            all.distinct(\.key).observe { _ = Array($0) }, all.distinct(\.other).observe { _ = Array($0) },
            all.min(of: \.key).observe { _ in }, all.max(of: \.other).observe { _ in },
            some.observe { _ = Array($0.values) }, several.observe { _ = Array($0.values) },
            element.observe { _ = Array($0.values) },
        ]
        for step in 0..<60 {
            if step == 20 { cache.buildIndex(.init(\Keyed.key, isUnique: true)) }
            if step == 40 { cache.buildIndex(.init(each: \Keyed.keys)) }
            let new = (0...random.below(3)).map { _ in
                Keyed(
                    id: random.below(40),
                    key: liar(random.below(30)),
                    other: random.below(3) == 0 ? nil : liar(random.below(30)),
                    keys: (0..<random.below(12)).map { _ in liar(random.below(30)) }
                )
            }
            switch random.below(8) {
            case 0: cache.remove(Keyed.self, id: new[0].id)
            case 1: cache.update(Keyed.self, id: new[0].id) { $0.keys.append($0.key) }
            case 2:
                cache.transaction {
                    cache.set(contentsOf: new)
                    _ = (some.count, several.count, element.count, all.grouped(by: \.key).sections.count)
                    cache.remove(Keyed.self, id: new[0].id)
                }
            case 3 where step % 8 == 0: cache.removeAll(of: Keyed.self)
            default: cache.set(contentsOf: new)
            }
        }
        _ = (some.ids, several.ids, element.ids, all.min(of: \.key).value, all.distinct(\.key).value.count)
        _ = FlatCache.Index(\Keyed.key, isUnique: true).duplicates(cache.allValues(of: Keyed.self))
        let sections = all.grouped(by: \.key).sections
        #expect(sections.reduce(0) { $0 + $1.values.count } == cache.count(of: Keyed.self))
        #expect(shown.withLock { $0 } > 0)
        for subscription in subscriptions { subscription.cancel() }
    }

    @Test(
        "Rules, inverses, lists and queries of entities with such identifiers",
        arguments: Lie.allCases,
        Seeds.first(1)
    )
    func identifiers(lie: Lie, seed: UInt64) throws {
        let liar = liars(lie, seed)
        var random = SeededGenerator(seed: seed)
        let all = cache.query(FlatCache.Query(Owned.self).sorted(by: \.rank).limit(20))
        let list = cache.list("all", of: Owned.self, dropsRemoved: true)
        let reference = cache.reference("one", of: Owned.self, dropsRemoved: true)
        let friends = cache.query(FlatCache.Query(Owned.self).filter(\.friendIDs, contains: liar(1)))
        let subscriptions = [
            all.observe { _ = Array($0.values) }, all.grouped(by: \.id).observe { _ = Array($0.sections) },
            all.grouped(by: \.parentID).observe { _ = Array($0.sections) }, friends.observe { _ = Array($0.values) },
            list.observe { _ = $0.ids.count }, cache.observe(all: Owned.self) { _ = $0.inserted.count },
        ]
        for step in 0..<60 {
            let ids = (0..<12).map { _ in liar(random.below(12)) }
            let owned = Owned(
                id: ids[0],
                parentID: random.below(2) == 0 ? nil : ids[1],
                childIDs: Array(ids[2..<2 + random.below(3)]),
                friendIDs: Array(ids[5..<5 + random.below(6)]),
                rank: random.below(4)
            )
            switch random.below(16) {
            case 0: cache.remove(Owned.self, id: ids[0])
            case 1: cache.remove(Owned.self, ids: ids[..<4])
            case 2 where step % 8 == 0: cache.removeAll(of: Owned.self)
            case 3: cache.replaceAll(of: Owned.self, with: cache.allValues(of: Owned.self).dropFirst())
            case 4: try? cache.set(Owned.self, id: ids[0], \.parent, to: owned)
            case 5: try? cache.set(Owned.self, id: ids[0], \.children, to: cache.get(Owned.self, ids: ids[..<3]))
            case 6: list.append(ids: ids[..<3])
            case 7: list.replace(with: cache.allValues(of: Owned.self))
            case 8:
                list.move(ids[0], before: ids[1])
                list.remove(ids[2])
                list.prepend(ids: ids[3..<6])
            case 9: reference.id = ids[0]
            case 10: cache.update(Owned.self, id: ids[0]) { $0.friendIDs += ids }
            case 11:
                cache.transaction {
                    cache.set(owned)
                    _ = (all.ids.count, friends.count, cache.missingIDs(of: Owned.self, among: ids))
                    cache.remove(Owned.self, id: ids[3])
                }
            default: cache.set(contentsOf: [owned, Owned(id: ids[1], parentID: ids[0])])
            }
        }
        _ = (cache.inconsistencies(), list.ids.count, list.values.count, friends.ids, all.ids)
        _ = CachedListIDs<Liar>(arrayLiteral: liar(1), liar(2), liar(1))
        #expect(cache.allValues(of: Owned.self).count == cache.count(of: Owned.self))
        for subscription in subscriptions { subscription.cancel() }
    }
}

@Suite("Values by key")
struct KeyedValuesTests {
    @Test(
        "They are those of a dictionary, whatever was inserted and removed",
        arguments: [1, 7, 1_000],
        Seeds.first(2, full: 5)
    )
    func random(hashCount: Int, seed: UInt64) {
        struct Key: Hashable {
            let number, hashCount: Int

            static func == (lhs: Key, rhs: Key) -> Bool { lhs.number == rhs.number }

            func hash(into hasher: inout Hasher) { hasher.combine(number % hashCount) }
        }
        var random = SeededGenerator(seed: seed)
        var values = KeyedValues<Key, Int>()
        var expected: [Int: Int] = [:]
        for step in 0..<2_000 {
            let number = random.below(step < 1_000 ? 200 : 12)
            let key = Key(number: number, hashCount: hashCount)
            switch random.below(4) {
            case 0: #expect(values.removeValue(forKey: key) == expected.removeValue(forKey: number))
            case 1:
                values[key, default: 0] += step
                expected[number, default: 0] += step
            case 2:
                values[key] = step
                expected[number] = step
            default: #expect(values[key] == expected[number])
            }
            #expect(values.count == expected.count)
        }
        #expect(Dictionary(uniqueKeysWithValues: zip(values.keys.map(\.number), values.values)) == expected)
    }

    @Test("Keys have the order of their insertion, and a set has each once")
    func order() {
        let numbers = (0..<100).map { $0 * 37 % 50 }
        #expect(KeySet(numbers).keys == (0..<50).map { $0 * 37 % 50 })
        #expect(KeySet([1, 2, 3]).difference(to: KeySet([3, 4])) == ([1, 2], [4]))
        #expect(KeySet([1, 2, 1]) == KeySet([2, 1]) && KeySet([1]) != KeySet([2]) && KeySet([1]) != KeySet([1, 2]))
        #expect(KeySet([1, 2]).hashValue == KeySet([2, 1]).hashValue)
        let unequal = KeySet([Double.nan])
        #expect(unequal == unequal)
    }
}
