import BenchmarkReport
import FlatCache

/// Reads of one field by identifier without a copy of the whole entity, against whole reads from the baseline.
enum FieldRaces {
    static func fields(_ population: Population, _ row: String) -> Race {
        Race(row) {
            let baseline = MutexStore()
            baseline.set(contentsOf: population.posts[...])
            let cache = FlatCache()
            cache.set(contentsOf: population.posts)
            let reading = repeatedly(on: population.ids) { ids in
                processorTime { for id in ids { use(cache.get(Post.self, id: id, \.likes)) } }
            }
            let borrowing = repeatedly(on: population.ids) { ids in
                processorTime { for id in ids { use(baseline.likes(id)) } }
            }
            let copying = repeatedly(on: population.ids) { baseline.timeGets(of: $0) }
            return [
                Contestant(row, FlatCacheStore.name, against: .baseline(of: row), measure: reading),
                Contestant(row, MutexStore.name, against: .baseline(of: row), measure: copying),
                Contestant(row, "Mutex field", against: .baseline(of: row), measure: borrowing),
            ]
        }
    }
}
