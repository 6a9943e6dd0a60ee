import BenchmarkReport

/// Rows whose contestants are measured in turns, and are made when their time comes.
struct Race {
    /// The rows that it gives figures for.
    let rows: [String]
    /// By how much the rounds are fewer than for other races, because they take long.
    let slowness: Int
    let contestants: () -> [Contestant]

    init(_ rows: String..., slowness: Int = 1, contestants: @escaping () -> [Contestant]) {
        self.rows = rows
        self.slowness = slowness
        self.contestants = contestants
    }
}

extension Race {
    /// A race of all stores of a population, against the baseline, in an operation that can be repeated.
    ///
    /// - Parameters:
    ///   - row: The row.
    ///   - population: What is in the stores.
    ///   - items: What the operation is done on.
    ///   - time: Does the operation on each of some items.
    init<Item>(
        _ row: String,
        of population: Population,
        on items: @escaping (Population) -> [Item],
        time: @escaping (any Store, ArraySlice<Item>) -> Duration
    ) {
        self.init(row) {
            let items = items(population)
            return population.stores.map { store in
                .init(row, store.name, against: .baseline(of: row), measure: repeatedly(on: items) { time(store, $0) })
            }
        }
    }
}

extension Contestant.Identity {
    /// The subject that most others are compared with.
    static func baseline(of row: String) -> Self { Self(row, MutexStore.name) }
}

extension Duration {
    var nanoseconds: Double { Double(components.seconds) * 1e9 + Double(components.attoseconds) / 1e9 }
}

/// Returns what measures an operation for about as long as it takes for the clock not to matter.
///
/// - Parameters:
///   - items: What the operation is done on. If there is no time for all, each measurement goes on where the last one
///     ended, so that processor caches don't hold what a store of that size would not find there.
///   - chunk: How many items to hand over at once at most.
///   - time: Does the operation on each of some items and says how long that took.
func repeatedly<Item>(
    on items: [Item],
    chunk: Int = 1_000,
    time: @escaping (ArraySlice<Item>) -> Duration
) -> () -> Double {
    let duration = Duration.milliseconds(25)
    let minimum = min(items.count, 200)
    var position = 0
    return {
        var taken = Duration.zero
        var count = 0
        while taken < duration || count < minimum {
            let end = min(position + chunk, items.count)
            taken += time(items[position..<end])
            count += end - position
            position = end == items.count ? 0 : end
        }
        return taken.nanoseconds / Double(count)
    }
}
