import BenchmarkReport
import FlatCache

/// Reads through handles that are kept, against reads by identifier from the baseline.
enum HandleRaces {
    static func whole(_ population: Population, _ row: String) -> Race {
        race(population, row) { handles in
            processorTime { for handle in handles { use(handle.value) } }
        }
    }

    static func field(_ population: Population, _ row: String) -> Race {
        race(population, row) { handles in
            processorTime { for handle in handles { use(handle.value?.likes) } }
        }
    }

    private static func race(
        _ population: Population,
        _ row: String,
        time: @escaping (ArraySlice<Cached<Post>>) -> Duration
    ) -> Race {
        Race(row) {
            // Handles observe their entities: they don't share a cache with other races.
            let cache = FlatCache()
            cache.set(contentsOf: population.posts)
            let handles = population.ids.map { Cached(Post.self, id: $0, in: cache) }
            // The first read of a handle prepares for observation; it is kept for the many after it.
            _ = time(handles[...])
            let baseline = MutexStore()
            baseline.set(contentsOf: population.posts[...])
            return [
                Contestant(
                    row,
                    FlatCacheStore.name,
                    against: .baseline(of: row),
                    measure: repeatedly(on: handles) { slice in withExtendedLifetime(cache) { time(slice) } }
                ),
                Contestant(
                    row,
                    MutexStore.name,
                    against: .baseline(of: row),
                    measure: repeatedly(on: population.ids) { baseline.timeGets(of: $0) }
                ),
            ]
        }
    }
}
