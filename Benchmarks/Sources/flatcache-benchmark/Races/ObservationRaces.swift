import BenchmarkReport
import FlatCache

/// What observers cost those who write, and what it costs to become one.
enum ObservationRaces {
    /// Sets of observed keys, against the same without observers.
    static func notifications(_ population: Population) -> Race {
        Race("notify/0", "notify/1", "notify/1000") {
            // With so many observers one key is enough to keep them apart from the cost of finding it.
            let single = Array(population.replacements.filter { $0.id == population.ids[0] })
            return [
                notification("notify/0", observers: 0, setting: population.replacements),
                notification("notify/1", observers: 1, setting: population.replacements),
                notification("notify/1000", observers: 1_000, setting: single),
            ]
        }
    }

    private static func notification(_ row: String, observers: Int, setting posts: [Post]) -> Contestant {
        let store = FlatCacheStore()
        store.set(contentsOf: posts[...])
        let subscriptions = Set(posts.map(\.id)).flatMap { id in
            (0..<observers).map { _ in store.cache.observe(Post.self, id: id) { use($0.revision) } }
        }
        let reference = Contestant.Identity("notify/0", FlatCacheStore.name)
        let measure = repeatedly(on: posts) { store.timeSets(of: $0) }
        return Contestant(row, FlatCacheStore.name, against: reference) {
            withExtendedLifetime(subscriptions) { measure() }
        }
    }

    /// Overwrites in a cache with observers of other keys, against one with the same entities and none.
    static func othersObserved(_ population: Population) -> Race {
        let row = "overwrite/1M-other-observers"
        let reference = Contestant.Identity(row, "no observers")
        return Race(row) {
            let others = (0..<1_000_000).map { Post(number: population.count + $0) }
            let alone = FlatCacheStore()
            let watched = FlatCacheStore()
            for store in [alone, watched] {
                store.set(contentsOf: population.posts[...])
                store.cache.set(contentsOf: others)
            }
            let subscriptions = others.map { post in
                watched.cache.observe(Post.self, id: post.id) { use($0.revision) }
            }
            let measure = repeatedly(on: population.replacements) { watched.timeSets(of: $0) }
            return [
                Contestant(row, FlatCacheStore.name, against: reference) {
                    withExtendedLifetime(subscriptions) { measure() }
                },
                Contestant(
                    row,
                    reference.subject,
                    against: nil,
                    measure: repeatedly(on: population.replacements) { alone.timeSets(of: $0) }
                ),
            ]
        }
    }

    /// Begins and ends observations of one key after the other.
    static func subscriptions(_ population: Population) -> Race {
        let row = "subscribe-cancel"
        return Race(row) {
            let cache = FlatCache()
            cache.set(contentsOf: population.posts)
            let measure = repeatedly(on: population.ids) { ids in
                processorTime {
                    for id in ids { cache.observe(Post.self, id: id) { use($0.revision) }.cancel() }
                }
            }
            return [Contestant(row, FlatCacheStore.name, against: nil, measure: measure)]
        }
    }
}
