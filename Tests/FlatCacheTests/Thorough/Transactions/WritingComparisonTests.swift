#if DEBUG
import TestThreads
import Testing

@testable import FlatCache

/// Identifiers and keys whose `==` writes entities.
@Suite("Comparisons that write", .mayBlock)
struct WritingComparisonTests {
    let cache = FlatCache()

    /// A number whose comparison calls a closure.
    struct WritingKey: Hashable, Sendable {
        let number: Int
        let write: @Sendable () -> Void

        static func == (lhs: WritingKey, rhs: WritingKey) -> Bool {
            lhs.write()
            return lhs.number == rhs.number
        }

        func hash(into hasher: inout Hasher) { hasher.combine(number) }
    }

    struct Claim: Cachable {
        let id: WritingKey
        var key: WritingKey
    }

    /// The writes of comparisons.
    enum Write: CaseIterable {
        /// The entity that the transaction has written, with another key each time.
        case ofSameEntity
        /// Another entity, with one of two keys in turn, of which the transaction uses one.
        case ofSameKey
        /// A new entity each time.
        case ofNewEntity
        /// Two entities, of which a transaction of its own moves the key.
        case inTransaction
    }

    /// What the transaction has read and written before the comparisons of its commit.
    enum Body: CaseIterable {
        case writesFirst, writesLast, readsCount, readsEntity, readsKey, clears
    }

    @Test(
        "S7: A transaction ends although each comparison in its commit writes an indexed type that it uses",
        arguments: Write.allCases,
        Body.allCases
    )
    func otherType(write: Write, body: Body) {
        cache.buildIndex(.init(\Counter.count))
        cache.buildIndex(.init(\Claim.key))
        let writes = Protected(0)
        let key: @Sendable (Int) -> WritingKey = { [cache] number in
            WritingKey(number: number) {
                let count = writes.withLock {
                    $0 += 1
                    return $0
                }
                switch write {
                case .ofSameEntity: cache.set(Counter(id: 1, count: count))
                case .ofSameKey: cache.set(Counter(id: 2, count: 5 + count % 2))
                case .ofNewEntity: cache.set(Counter(id: count + 10, count: 5))
                case .inTransaction:
                    cache.transaction {
                        cache.set(Counter(id: 1, count: cache.get(Counter.self, id: 2)?.count ?? 5))
                        cache.set(Counter(id: 2, count: count % 4))
                    }
                }
            }
        }
        let isDone = ends(within: 60) { [cache] in
            for number in 0..<4 { cache.set(Claim(id: key(number), key: key(number % 2))) }
            cache.set(Counter(id: 1, count: 1))
            cache.transaction {
                switch body {
                case .writesFirst: cache.set(Counter(id: 1, count: 5))
                case .readsCount: cache.set(Counter(id: 3, count: cache.count(of: Counter.self)))
                case .readsEntity: cache.set(Counter(id: 3, count: cache.get(Counter.self, id: 1)?.count ?? 0))
                case .readsKey:
                    let count = cache.query(FlatCache.Query(Counter.self).filter(\.count, equals: 5)).count
                    cache.set(Counter(id: 3, count: count))
                case .clears: cache.removeAll(of: Counter.self)
                case .writesLast: break
                }
                for number in 0..<4 { cache.set(Claim(id: key(number), key: key(number % 3))) }
                cache.remove(Claim.self, id: key(3))
                if body == .writesLast { cache.set(Counter(id: 1, count: 5)) }
            }
        }
        #expect(isDone)
        guard isDone else { return }
        let stored = cache.allValues(of: Counter.self, inOrder: true)
        for count in Set(stored.map(\.count)).union(0..<10) {
            let found = cache.query(FlatCache.Query(Counter.self).filter(\.count, equals: count)).ids
            #expect(found == stored.filter { $0.count == count }.map(\.id), "\(count)")
        }
        #expect(cache.allValues(of: Claim.self).map(\.id.number).sorted() == [0, 1, 2])
    }

    @Test(
        "S7: A transaction ends although each comparison in its commit writes its own type",
        arguments: [true, false]
    )
    func ownType(isSameEntity: Bool) {
        cache.buildIndex(.init(\Claim.key))
        let writes = Protected((count: 0, isWriting: false))
        let isDone = ends(within: 60) { [cache] in
            let plain: @Sendable (Int) -> WritingKey = { WritingKey(number: $0) {} }
            let key: @Sendable (Int) -> WritingKey = { number in
                WritingKey(number: number) {
                    let count: Int? = writes.withLock {
                        if $0.isWriting { return nil }
                        $0 = ($0.count + 1, true)
                        return $0.count
                    }
                    guard let count else { return }
                    cache.set(Claim(id: plain(isSameEntity ? 1 : 10), key: plain(count % 3)))
                    writes.withLock { $0.isWriting = false }
                }
            }
            for number in 0..<4 { cache.set(Claim(id: plain(number), key: plain(number % 2))) }
            cache.transaction {
                for number in 0..<4 { cache.set(Claim(id: plain(number), key: key(number % 3))) }
                cache.remove(Claim.self, id: plain(3))
            }
        }
        #expect(isDone)
        #expect(cache.contains(Claim.self, id: WritingKey(number: 0) {}))
    }
}
#endif
