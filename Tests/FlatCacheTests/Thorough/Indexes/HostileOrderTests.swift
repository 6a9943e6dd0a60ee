import SeededRandom
import Testing

@testable import FlatCache

/// Keys whose comparisons break their rules, or use caches.
@Suite("Hostile keys of ordered indexes")
struct HostileOrderTests {
    /// A key whose comparisons call a closure.
    struct Key: Hashable, Comparable, Sendable {
        var number: Int

        @TaskLocal static var isLess: (@Sendable (Int, Int) -> Bool)?

        static func < (lhs: Key, rhs: Key) -> Bool { isLess?(lhs.number, rhs.number) ?? (lhs.number < rhs.number) }
    }

    struct Item: Cachable, Equatable {
        let id: Int
        var key: Key
        static let indexes: [FlatCache.Index<Item>] = [.init(\.key)]
    }

    typealias Items = FlatCache.Query<Item>

    @Test("Keys without a consistent order leave no entity twice in an answer, and don't trap", arguments: 0..<20)
    func inconsistent(seed: UInt64) {
        let cache = FlatCache()
        let random = Protected(SeededGenerator(seed: seed))
        Key.$isLess.withValue({ first, second in
            random.withLock { $0.below(3) == 0 } ? first > second : first < second
        }) {
            cache.buildIndex(.init(\Item.key), isOrdered: true)
            for _ in 0..<300 {
                let (id, number) = random.withLock { ($0.below(60), $0.below(10)) }
                if number == 0 {
                    cache.remove(Item.self, id: id)
                } else {
                    cache.set(Item(id: id, key: .init(number: number)))
                }
                if number == 1 {
                    cache.set(contentsOf: (id..<id + 40).map { Item(id: $0, key: .init(number: $0 % 7)) })
                }
                for order in [Items.Order.ascending, .descending] {
                    let ids = cache.query(Items().sorted(by: \.key, order).limit(5)).ids
                    #expect(Set(ids).count == ids.count)
                    #expect(ids.allSatisfy { cache.contains(Item.self, id: $0) })
                }
                let ids = cache.query(Items().filter(\.key, in: Key(number: 2)...)).ids
                #expect(Set(ids).count == ids.count)
            }
        }
    }

    @Test("Comparisons of keys read and write the cache while commits and queries use the index")
    func reentrant() {
        let cache = FlatCache()
        cache.buildIndex(.init(\Item.key), isOrdered: true)
        let calls = Protected(0)
        Key.$isLess.withValue({ first, second in
            let count = calls.withLock { calls in
                calls += 1
                return calls
            }
            if count % 5 == 0 { _ = cache.get(Item.self, id: 1) }
            if count % 7 == 0 { cache.set(Photo(id: count)) }
            return first < second
        }) {
            for number in 0..<50 {
                cache.set(Item(id: number % 20, key: .init(number: number * 7 % 20)))
                cache.transaction { cache.update(Item.self, id: number % 3) { $0.key.number += 1 } }
                let sorted = cache.allValues(of: Item.self, inOrder: true).sorted { $0.key.number < $1.key.number }
                #expect(cache.query(Items().sorted(by: \.key).limit(3)).ids == sorted.prefix(3).map(\.id))
            }
        }
        #expect(calls.withLock { $0 } > 100)
        #expect(cache.count(of: Photo.self) > 10)
    }
}
