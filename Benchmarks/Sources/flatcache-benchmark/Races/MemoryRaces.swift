import AllocatedMemory
import BenchmarkReport
import FlatCache

/// What a store allocates for each post, the contents of the post's strings aside.
enum MemoryRaces {
    /// Without databases, which copy the strings.
    private static let types = allStores.filter { type in !databases.contains { $0 == type } }

    static func race(_ population: Population) -> Race {
        let row = "memory/\(population.label)"
        return Race(row, slowness: 3) {
            types.map { type in
                Contestant(row, type.name, against: .baseline(of: row), unit: .bytes) {
                    bytesPerPost(population.posts, in: type)
                }
            }
        }
    }

    /// What a live query allocates for each post that it finds.
    static func matches(_ population: Population) -> Race {
        let row = "memory/match"
        return Race(row, slowness: 3) {
            let cache = FlatCache()
            cache.set(contentsOf: population.posts)
            let query = cache.query(FlatCache.Query(Post.self).sorted(by: \.likes))
            return [
                Contestant(row, FlatCacheStore.name, against: nil, unit: .bytes) {
                    let before = allocated_bytes()
                    let subscription = withExtendedLifetime(cache) { query.observe { use($0.revision) } }
                    let after = withExtendedLifetime(subscription) { allocated_bytes() }
                    return (Double(after) - Double(before)) / Double(population.count)
                }
            ]
        }
    }

    private static func bytesPerPost(_ posts: [Post], in type: any Store.Type) -> Double {
        let before = allocated_bytes()
        let store = type.init()
        _ = store.timeSets(of: posts[...])
        let after = withExtendedLifetime(store) { allocated_bytes() }
        return (Double(after) - Double(before)) / Double(posts.count)
    }
}
