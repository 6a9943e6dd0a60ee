import BenchmarkReport

/// Reads of one field by identifier without a copy of the whole entity, against whole reads from the baseline.
enum FieldRaces {
    /// The cache takes part as soon as it can read a field without a copy.
    static func fields(_ population: Population) -> Race {
        let row = "field/borrowed/\(population.label)"
        return Race(row) {
            let baseline = MutexStore()
            baseline.set(contentsOf: population.posts[...])
            let borrowing = repeatedly(on: population.ids) { ids in
                processorTime { for id in ids { use(baseline.likes(id)) } }
            }
            let copying = repeatedly(on: population.ids) { baseline.timeGets(of: $0) }
            return [
                Contestant(row, MutexStore.name, against: .baseline(of: row), measure: copying),
                Contestant(row, "Mutex field", against: .baseline(of: row), measure: borrowing),
            ]
        }
    }
}
