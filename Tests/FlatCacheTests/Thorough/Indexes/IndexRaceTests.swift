import SeededRandom
import TestThreads
import Testing

@testable import FlatCache

@Suite("Indexes and threads", .mayBlock)
struct IndexRaceTests {
    typealias Photos = FlatCache.Query<Photo>

    /// A kind of key: built in, or with a comparison of its own; or keys that are found in their order.
    enum Kind: CaseIterable {
        case builtIn, custom, ordered
    }

    private static func query(_ kind: Kind, _ number: Int) -> Photos {
        switch kind {
        case .builtIn: Photos().filter(\.ownerID, equals: "\(number)")
        case .custom: Photos().filter(\.place, equals: .init(name: "\(number)"))
        case .ordered: Photos().filter(\.ownerID, in: "\(number)"..."\(number)")
        }
    }

    private static func photo(_ id: Int, _ number: Int, likes: Int = 0) -> Photo {
        Photo(id: id, ownerID: "\(number)", place: .init(name: "\(number)"), likes: likes)
    }

    @Test(
        "Q2: No reader sees an index that contradicts the entities, while it is built and beside writers",
        arguments: Kind.allCases
    )
    func consistency(_ kind: Kind) async {
        let cache = FlatCache()
        let (keys, count, rounds) = (4, 80, 150)
        cache.set(contentsOf: (0..<count).map { Self.photo($0, $0 % keys) })
        let mistakes = Recorder<String>()
        let latest = Protected<[Int: [Photo]]>([:])
        let subscriptions = Protected<[CacheSubscription]>([])
        onThreads(6) { number in
            var random = SeededGenerator(seed: UInt64(number))
            switch number {
            case 0:
                cache.buildIndex(
                    kind == .custom ? .init(\Photo.place) : .init(\Photo.ownerID),
                    isOrdered: kind == .ordered
                )
                for key in 0..<keys {
                    let subscription = cache.query(Self.query(kind, key)).observe { result in
                        if result.values.contains(where: { $0.ownerID != "\(key)" }) { mistakes.record("observed") }
                        latest.withLock { $0[key] = Array(result.values) }
                    }
                    subscriptions.withLock { $0.append(subscription) }
                }
            case 1...3:
                for _ in 0..<rounds {
                    let (first, second) = (random.below(count), random.below(count))
                    switch random.below(4) {
                    case 0:
                        // All photos of one key move together, so that each key keeps its number.
                        cache.transaction {
                            guard let one = cache.get(Photo.self, id: first),
                                let other = cache.get(Photo.self, id: second)
                            else { return }
                            cache.set(Photo(id: first, ownerID: other.ownerID, place: other.place))
                            cache.set(Photo(id: second, ownerID: one.ownerID, place: one.place))
                        }
                    case 1:
                        cache.transaction {
                            guard let photo = cache.remove(Photo.self, id: first) else { return }
                            cache.set(photo)
                        }
                    case 2: cache.update(Photo.self, id: first) { $0.likes += 1 }
                    default:
                        let key = random.below(keys)
                        cache.transaction {
                            let photos = cache.query(Self.query(kind, key)).values
                            if photos.count != count / keys { mistakes.record("\(photos.count) in a transaction") }
                            if let photo = photos.first { cache.set(photo) }
                        }
                    }
                }
            default:
                for _ in 0..<rounds {
                    cache.read {
                        for key in 0..<keys {
                            let photos = cache.query(Self.query(kind, key)).values
                            if photos.count != count / keys { mistakes.record("\(photos.count) photos") }
                            if photos.contains(where: { $0.ownerID != "\(key)" }) { mistakes.record("another key") }
                        }
                        let sorted = Photos().sorted(by: \.ownerID, .descending)
                        if cache.query(sorted.limit(7)).ids != cache.query(sorted).ids.prefix(7) + [] {
                            mistakes.record("another order")
                        }
                    }
                    let photos = cache.query(Self.query(kind, random.below(keys))).values
                    if photos.count != count / keys { mistakes.record("\(photos.count) photos at once") }
                }
            }
        }
        #expect(mistakes.take() == [])
        for key in 0..<keys {
            let expected = cache.allValues(of: Photo.self, inOrder: true).filter { $0.ownerID == "\(key)" }
            #expect(Array(cache.query(Self.query(kind, key)).values) == expected)
            // A task may have to deliver the last answer.
            let isObserved = await comes(within: 60) { latest.withLock { $0[key] } == expected }
            #expect(isObserved, "key \(key)")
        }
        withExtendedLifetime(subscriptions) {}
    }

    @Test(
        "An index is built beside writers that never stop, and threads that build it together make one",
        arguments: [Kind.builtIn, .ordered]
    )
    func building(_ kind: Kind) {
        let cache = FlatCache()
        // A little more than one commit adds to an index.
        cache.set(contentsOf: (0..<smallCommit + 100).map { Self.photo($0, $0 % 3) })
        let isBuilt = Protected(0)
        onThreads(3) { number in
            var random = SeededGenerator(seed: UInt64(number))
            guard number >= 2 else {
                cache.buildIndex(.init(\Photo.ownerID), isOrdered: kind == .ordered)
                return isBuilt.withLock { $0 += 1 }
            }
            while isBuilt.withLock({ $0 < 2 }) {
                let id = random.below(smallCommit + 500)
                switch random.below(3) {
                case 0: cache.remove(Photo.self, id: id)
                default: cache.set(Self.photo(id, random.below(3)))
                }
            }
        }
        for key in 0..<3 {
            let expected = cache.allValues(of: Photo.self, inOrder: true).filter { $0.ownerID == "\(key)" }
            #expect(Array(cache.query(Self.query(kind, key)).values) == expected)
        }
        let members = cache.read {
            cache.history.snapshotOfThread.map { snapshot in
                let table = cache.registry.table(of: Photo.self).takeUnretainedValue()
                return cache.orderedIndex(of: \Photo.ownerID, of: table)?.entitiesInOrder(in: snapshot)?.count
            }
        }
        #expect(kind != .ordered || members == cache.count(of: Photo.self))
    }
}
