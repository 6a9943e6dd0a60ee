import AllocatedMemory
import BenchmarkReport

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

    private static func bytesPerPost(_ posts: [Post], in type: any Store.Type) -> Double {
        let before = allocated_bytes()
        let store = type.init()
        _ = store.timeSets(of: posts[...])
        let after = withExtendedLifetime(store) { allocated_bytes() }
        return (Double(after) - Double(before)) / Double(posts.count)
    }
}
