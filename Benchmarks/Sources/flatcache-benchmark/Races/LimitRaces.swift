import BenchmarkReport
import FlatCache

/// What limits cost, and how well they choose what is evicted.
enum LimitRaces {
    /// Reads of a type with a limit that isn't exceeded, from one cache, against those without the limit.
    static func gets(_ population: Population) -> Race {
        let row = "limit/get"
        return Race(row) {
            let store = FlatCacheStore()
            store.set(contentsOf: population.posts[...])
            let reference = Contestant.Identity(row, "no limit")
            let measure = repeatedly(on: population.ids) { store.timeGets(of: $0) }
            return [
                Contestant(row, FlatCacheStore.name, against: reference) {
                    store.cache.setLimit(2 * population.count, for: Post.self)
                    defer { store.cache.removeLimit(for: Post.self) }
                    return measure()
                },
                Contestant(row, reference.subject, against: reference, measure: measure),
            ]
        }
    }

    /// Insertions of posts one after the other through a limit of 10,000, against those without a limit.
    static func insertions(_ population: Population) -> Race {
        let row = "limit/set"
        let limit = 10_000
        return Race(row, slowness: 2) {
            let posts = population.posts
            let reference = Contestant.Identity(row, "no limit")
            func contestant(_ name: String, _ time: @escaping () -> Duration) -> Contestant {
                Contestant(row, name, against: reference) { time().nanoseconds / Double(posts.count) }
            }
            return [
                contestant(FlatCacheStore.name) {
                    let store = FlatCacheStore()
                    store.cache.setLimit(limit, for: Post.self)
                    return store.timeSets(of: posts[...])
                },
                contestant(reference.subject) { FlatCacheStore().timeSets(of: posts[...]) },
                contestant("LRU of removals") {
                    let cache = FlatCache()
                    var recency = RecencyDictionary<String, Void>(capacity: limit)
                    return processorTime {
                        for post in posts {
                            cache.set(post)
                            if let dropped = recency.set(post.id, ()) { cache.remove(Post.self, id: dropped) }
                        }
                    }
                },
                contestant("LRU by hand") {
                    let store = RecencyStore(capacity: limit)
                    return processorTime { for post in posts { store.set(post) } }
                },
            ]
        }
    }

    /// The percentage of reads that find their entity, with a limit of 1,000 for 100,000, where each read that doesn't stores it.
    static func hitRates() -> Race {
        let rows = ReadTrace.allCases.map { (trace: $0, name: "limit/hit-rate/\($0.rawValue)") }
        return Race(rows[0].name, rows[1].name, rows[2].name, slowness: 10) {
            rows.flatMap { trace, row in
                let reference = Contestant.Identity(row, "LRU")
                return [
                    contestant(row, FlatCacheStore.name, reference, trace, hitRateOfCache),
                    contestant(row, reference.subject, reference, trace, hitRateOfRecency),
                ]
            }
        }
    }

    /// Each round has other reads, the same for all contestants.
    private static func contestant(
        _ row: String,
        _ name: String,
        _ reference: Contestant.Identity,
        _ trace: ReadTrace,
        _ hitRate: @escaping ([Int]) -> Double
    ) -> Contestant {
        var round = 0
        return Contestant(row, name, against: reference, unit: .percent) {
            round += 1
            return hitRate(trace.numbers(300_000, seed: round))
        }
    }

    private static func hitRateOfCache(_ numbers: [Int]) -> Double {
        struct Numbered: Cachable {
            let id: Int
        }
        let cache = FlatCache()
        cache.setLimit(1_000, for: Numbered.self)
        return hitRate(numbers) { number in
            if cache.get(Numbered.self, id: number) != nil { return true }
            cache.set(Numbered(id: number))
            return false
        }
    }

    private static func hitRateOfRecency(_ numbers: [Int]) -> Double {
        var recency = RecencyDictionary<Int, Void>(capacity: 1_000)
        return hitRate(numbers) { number in
            if recency.get(number) != nil { return true }
            _ = recency.set(number, ())
            return false
        }
    }

    /// The percentage after the first 50,000 reads.
    private static func hitRate(_ numbers: [Int], _ isHit: (Int) -> Bool) -> Double {
        let warmUp = 50_000
        for number in numbers[..<warmUp] { _ = isHit(number) }
        return 100 * Double(numbers[warmUp...].count { isHit($0) }) / Double(numbers.count - warmUp)
    }
}
