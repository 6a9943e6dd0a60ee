#if DEBUG
import FlatCache
import Foundation
import TestThreads
import Testing

/// Identifiers, entities and callbacks that use caches wherever the library calls or releases them.
@Suite("Identifiers that use the cache", .mayBlock)
struct NosyIdentifierTests {
    /// An identifier whose `==`, `hash(into:)` and deinit read and write caches.
    struct NosyID: Hashable, Sendable {
        let number: Int
        private let caches: [FlatCache]
        private let object: UsesCacheWhenReleased

        init(_ number: Int, _ caches: [FlatCache]) {
            self.number = number
            self.caches = caches
            object = UsesCacheWhenReleased(caches)
        }

        static func == (lhs: NosyID, rhs: NosyID) -> Bool {
            lhs.pry()
            return lhs.number == rhs.number
        }

        func hash(into hasher: inout Hasher) {
            pry()
            // Many have the same hash, but not thousands.
            hasher.combine(number < 1_100 ? number % 4 : number)
        }

        private func pry() {
            guard Prying.begin() else { return }
            defer { Prying.end() }
            for cache in caches {
                useEverything(of: cache)
                _ = cache.count(of: Nosy.self)
                _ = cache.get(Nosy.self, id: NosyID(number + 1, []))
                cache.set(Nosy(NosyID(1_000 + number % 4, []), count: 1))
            }
        }
    }

    /// Keeps what an identifier does from doing it again.
    private enum Prying {
        private static let key = "prying"

        static func begin() -> Bool {
            if Thread.current.threadDictionary[key] != nil { return false }
            Thread.current.threadDictionary[key] = true
            return true
        }

        static func end() { Thread.current.threadDictionary.removeObject(forKey: key) }
    }

    struct Nosy: Cachable, Equatable {
        private let storedID: NosyID
        var count = 0
        /// An identifier that reads the cache whenever it is asked for.
        var id: NosyID {
            storedID.read()
            return storedID
        }

        init(_ id: NosyID, count: Int = 0) {
            storedID = id
            self.count = count
        }
    }

    let cache = FlatCache()
    let other = FlatCache()

    private func id(_ number: Int) -> NosyID { NosyID(number, [cache, other]) }

    private func entity(_ number: Int, count: Int = 0) -> Nosy { Nosy(id(number), count: count) }

    /// What is tried, each on a cache with entities and observers.
    enum Operation: CaseIterable {
        case set, setMany, setVeryMany, get, property, contains, missing, update, updateIdentifier, remove, removeOfType
        case removeEverything, handle, observe, observeMany, iterate, transaction, nested, conflict, read, derive, list,
            name
    }

    @Test(
        "N1: No lock is held while identifiers are compared, hashed, computed or released",
        arguments: Operation.allCases
    )
    func operations(operation: Operation) {
        let thread = RunningThread { [self] in
            for number in 0..<6 { cache.set(entity(number, count: number)) }
            let observed = cache.observe(Nosy.self, id: id(2)) { _ in }
            perform(operation)
            #expect(cache.get(Nosy.self, id: id(99_999)) == nil)
            observed.cancel()
        }
        thread.finish()
    }

    private func perform(_ operation: Operation) {
        switch operation {
        case .set: for number in 0..<6 { cache.set(entity(number, count: 9)) }
        case .setMany: cache.set(contentsOf: (0..<8).map { entity($0) })
        case .setVeryMany:
            cache.set(contentsOf: (0..<5_000).map { Nosy(NosyID($0 + 1_000, $0 % 500 == 0 ? [cache] : [])) })
        case .get: #expect((0..<6).map { cache.get(Nosy.self, id: id($0))?.count } == [0, 1, 2, 3, 4, 5])
        case .property: #expect(cache.get(Nosy.self, id: id(3), \.count) == 3)
        case .contains: #expect(cache.contains(Nosy.self, id: id(3)) && !cache.contains(Nosy.self, id: id(33)))
        case .missing: #expect(cache.missingIDs(of: Nosy.self, among: [id(3), id(33)]).map(\.number) == [33])
        case .update: #expect(cache.update(Nosy.self, id: id(3)) { $0.count += 1 } != nil)
        case .updateIdentifier:
            cache.update(Nosy.self, id: id(3)) { $0 = entity(30, count: 30) }
            #expect(cache.get(Nosy.self, id: id(3)) == nil && cache.get(Nosy.self, id: id(30))?.count == 30)
        case .remove: for number in 0..<6 { #expect(cache.remove(Nosy.self, id: id(number)) != nil) }
        case .removeOfType: cache.removeAll(of: Nosy.self)
        case .removeEverything: cache.removeAll()
        case .handle:
            let handle = Cached(Nosy.self, id: id(3), in: cache)
            handle.update { $0.count += 1 }
            #expect(handle.value?.count == 4 && handle.count == 4)
        case .observe:
            let subscriptions = (0..<6).map { cache.observe(Nosy.self, id: id($0)) { _ in } }
            for number in 0..<6 { cache.set(entity(number, count: 7)) }
            for subscription in subscriptions { subscription.cancel() }
        case .observeMany:
            let subscription = cache.observe((0..<6).map { Nosy.flatCacheKey(id: id($0)) }, initial: false) { _ in }
            cache.set(contentsOf: (0..<6).map { entity($0, count: 7) })
            subscription.cancel()
        case .iterate:
            let iterators = (0..<6).map { cache.updates(of: Nosy.self, id: id($0)).makeAsyncIterator() }
            for count in 7..<10 { cache.set(contentsOf: (0..<6).map { entity($0, count: count) }) }
            withExtendedLifetime(iterators) {}
        default: performInBody(operation)
        }
    }

    private func performInBody(_ operation: Operation) {
        switch operation {
        case .transaction:
            cache.transaction {
                for number in 0..<6 { cache.update(Nosy.self, id: id(number)) { $0.count += 10 } }
                cache.remove(Nosy.self, id: id(0))
                cache.set(entity(8))
                #expect(cache.allValues(of: Nosy.self).count >= 6)
                cache.remove(Nosy.self, id: id(8))
            }
            #expect(cache.get(Nosy.self, id: id(3))?.count == 13)
        case .nested:
            struct Stop: Error {}
            cache.transaction {
                cache.set(entity(3, count: 5))
                try? cache.transaction {
                    cache.removeAll(of: Nosy.self)
                    cache.set(entity(3, count: 6))
                    throw Stop()
                }
            }
            #expect(cache.get(Nosy.self, id: id(3))?.count == 5)
        case .conflict:
            let runs = Protected(0)
            cache.transaction {
                let isFirst = runs.withLock {
                    $0 += 1
                    return $0 == 1
                }
                let count = cache.get(Nosy.self, id: id(3))?.count ?? 0
                if isFirst { RunningThread { cache.set(entity(3, count: 50)) }.finish() }
                cache.set(entity(3, count: count + 1))
            }
            #expect(cache.get(Nosy.self, id: id(3))?.count == 51)
        case .read:
            cache.read {
                RunningThread { cache.set(contentsOf: (0..<6).map { entity($0, count: 80) }) }.finish()
                #expect(cache.get(Nosy.self, id: id(3))?.count == 3)
                #expect(cache.allValues(of: Nosy.self).allSatisfy { $0.count != 80 })
            }
        case .derive:
            let subscription = cache.observe {
                (0..<6).compactMap { cache.get(Nosy.self, id: id($0))?.count }
            } onChange: { _ in
            }
            cache.set(entity(3, count: 7))
            subscription.cancel()
        case .list:
            let list = cache.list("nosy", of: Nosy.self)
            list.append(contentsOf: (0..<6).map { entity($0) })
            list.move(id(3), before: id(0))
            list.remove(id(4))
            #expect(list.ids.map(\.number) == [3, 0, 1, 2, 5])
        case .name:
            let name = cache.reference("nosy", of: Nosy.self)
            name.id = id(3)
            #expect(name.value?.count == 3)
            name.id = id(4)
        default: break
        }
    }

    /// An entity that keeps something whose deinit uses the caches.
    private struct Keeper: Cachable {
        let id: Int
        var object: UsesCacheWhenReleased
    }

    @Test(
        "N1: The results of overtaken bodies, and replaced entities, are released with no lock held",
        arguments: [1, 8]
    )
    func overtakenUpdate(overtakenRuns: Int) {
        cache.set(Keeper(id: 1, object: UsesCacheWhenReleased([cache, other])))
        let runs = Protected(0)
        RunningThread { [cache, other] in
            cache.update(Keeper.self, id: 1) { keeper in
                let run = runs.withLock {
                    $0 += 1
                    return $0
                }
                if run <= overtakenRuns {
                    RunningThread { cache.set(Keeper(id: 1, object: UsesCacheWhenReleased([cache, other]))) }.finish()
                }
                keeper.object = UsesCacheWhenReleased([cache, other])
            }
        }.finish()
        #expect(runs.withLock { $0 } == overtakenRuns + 1)
    }

    @Test("N1: Identifiers of two types and two caches that use each other on many threads don't lock each other out")
    func crosswise() {
        let threads = [(cache, other), (other, cache)].map { first, second in
            RunningThread {
                for round in 0..<60 {
                    first.set(Nosy(NosyID(round % 5, [second]), count: round))
                    second.transaction { second.set(Nosy(NosyID(round % 5, [first]), count: round)) }
                    first.remove(Nosy.self, id: NosyID(round % 5, [second]))
                    if round % 20 == 0 { second.removeAll(of: Nosy.self) }
                }
            }
        }
        for thread in threads { thread.finish() }
    }
}

extension NosyIdentifierTests.NosyID {
    /// What a computed `id` does.
    fileprivate func read() { _ = hashValue }
}
#endif
