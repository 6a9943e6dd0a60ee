import BenchmarkReport
import FlatCache

/// What is measured for every store: each operation on its own, and on growing and shrinking stores.
enum StoreRaces {
    static func gets(_ population: Population) -> Race {
        Race("get/\(population.label)", of: population, on: \.ids) { $0.timeGets(of: $1) }
    }

    static func misses(_ population: Population) -> Race {
        Race("miss/\(population.label)", of: population, on: \.missingIDs) { $0.timeGets(of: $1) }
    }

    /// Reads by identifiers of a type of the app's, which are compared without a lock, against those by strings.
    static func customIDs(_ population: Population) -> Race {
        let row = "get/custom-id"
        return Race(row) {
            let articles = population.posts.map(Article.init)
            let cache = FlatCache()
            cache.set(contentsOf: articles)
            let store = FlatCacheStore()
            store.set(contentsOf: population.posts[...])
            let reference = Contestant.Identity(row, "by string")
            let ids = population.ids.map(Article.ID.init)
            return [
                Contestant(
                    row,
                    FlatCacheStore.name,
                    against: reference,
                    measure: repeatedly(on: ids) { ids in
                        processorTime { for id in ids { use(cache.get(Article.self, id: id)) } }
                    }
                ),
                Contestant(
                    row,
                    reference.subject,
                    against: reference,
                    measure: repeatedly(on: population.ids) { store.timeGets(of: $0) }
                ),
            ]
        }
    }

    static func overwrites(_ population: Population) -> Race {
        Race("overwrite/\(population.label)", of: population, on: \.replacements) { $0.timeSets(of: $1) }
    }

    static func updates(_ population: Population) -> Race {
        Race("update/\(population.label)", of: population, on: \.ids) { $0.timeUpdates(of: $1) }
    }

    /// Sets 100 posts at once.
    static func transactions(_ population: Population) -> Race {
        let row = "transaction/100"
        return Race(row) {
            // `NSCache` has nothing that would come near to a transaction.
            population.stores.filter { !($0 is NSCacheStore) }.map { store in
                let measure = repeatedly(on: population.replacements, chunk: 100) { store.timeTransaction(of: $0) }
                return Contestant(row, store.name, against: .baseline(of: row), measure: measure)
            }
        }
    }

    /// Sets one post after the other in a store that is empty at first.
    static func inserts(_ population: Population) -> Race {
        once("insert", population) { type in
            let posts = population.posts.prefix(type.largestSample)
            return type.init().timeSets(of: posts) / posts.count
        }
    }

    /// Sets all posts at once in a store that is empty.
    static func batches(_ population: Population) -> Race {
        once("batch", population) { $0.init().timeBatch(of: population.posts[...]) / population.count }
    }

    static func removals(_ population: Population) -> Race {
        once("remove", population) { type in
            let store = type.init()
            _ = store.timeBatch(of: population.posts[...])
            let ids = population.ids.prefix(type.largestSample)
            return store.timeRemovals(of: ids) / ids.count
        }
    }

    /// A race in an operation that needs a new store each time.
    private static func once(
        _ operation: String,
        _ population: Population,
        time: @escaping (any Store.Type) -> Duration
    ) -> Race {
        let row = "\(operation)/\(population.label)"
        return Race(row, slowness: 2) {
            allStores.map { type in
                Contestant(row, type.name, against: .baseline(of: row)) { time(type).nanoseconds }
            }
        }
    }
}
