import BenchmarkReport
import Dispatch
import FlatCache
import Foundation

/// What reads that other threads have open cost those who don't take part in them.
enum SnapshotRaces {
    static func gets(_ population: Population) -> Race {
        race(population, "get") { store in repeatedly(on: population.ids) { store.timeGets(of: $0) } }
    }

    static func overwrites(_ population: Population) -> Race {
        race(population, "overwrite") { store in repeatedly(on: population.replacements) { store.timeSets(of: $0) } }
    }

    /// An operation beside no open read, beside one, and beside 100, on one cache.
    private static func race(
        _ population: Population,
        _ operation: String,
        measure: @escaping (FlatCacheStore) -> () -> Double
    ) -> Race {
        let rows = (alone: "\(operation)/beside-no-snapshot", one: "\(operation)/beside-snapshot")
        let many = "\(operation)/beside-100-snapshots"
        return Race(rows.alone, rows.one, many) {
            let store = FlatCacheStore()
            store.set(contentsOf: population.posts[...])
            let reference = Contestant.Identity(rows.alone, store.name)
            return [(rows.alone, 0), (rows.one, 1), (many, 100)].map { row, count in
                let measure = measure(store)
                return Contestant(row, store.name, against: reference) {
                    // Opened anew for each measurement, so that what is replaced first must be kept for them.
                    let snapshots = (0..<count).map { number in
                        store.set(population.posts[number])
                        return OpenSnapshot(of: store.cache)
                    }
                    defer { for snapshot in snapshots { snapshot.close() } }
                    return measure()
                }
            }
        }
    }
}

/// A `read` on a thread of its own, which is open until it is closed.
private final class OpenSnapshot: Sendable {
    private let mayEnd = DispatchSemaphore(value: 0)
    private let hasEnded = DispatchSemaphore(value: 0)

    /// Returns when the read is open.
    init(of cache: FlatCache) {
        let isOpen = DispatchSemaphore(value: 0)
        let thread = Thread { [mayEnd, hasEnded] in
            cache.read {
                isOpen.signal()
                mayEnd.wait()
            }
            hasEnded.signal()
        }
        thread.stackSize = 1 << 19
        thread.start()
        isOpen.wait()
    }

    func close() {
        mayEnd.signal()
        hasEnded.wait()
    }
}
