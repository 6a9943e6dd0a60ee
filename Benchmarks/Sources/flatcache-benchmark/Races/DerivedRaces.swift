import BenchmarkReport
import FlatCache

/// Values that are computed from what a closure reads, against plain reads and writes.
enum DerivedRaces {
    private static let plain = "plain gets"

    /// A change of one of many entities that an observer has read, who reads all of them again, against a change that
    /// nobody is notified of, and the same reads.
    static func runs(_ population: Population) -> Race {
        let row = "derive/run"
        return Race(row) {
            let observed = cache(of: population)
            let ids = population.ids
            let subscription = observed.observe {
                likes(of: ids)
            } onChange: {
                use($0)
            }
            let bare = cache(of: population)
            let running = repeatedly(on: population.replacements) { posts in
                processorTime { for post in posts { observed.set(post) } }
            }
            let reading = repeatedly(on: population.replacements) { posts in
                processorTime {
                    for post in posts {
                        bare.set(post)
                        use(likes(of: ids, in: bare))
                    }
                }
            }
            return contestants(row, population) {
                withExtendedLifetime(subscription) { running() }
            } reading: {
                reading()
            }
        }
    }

    /// The begin of an observation of what is computed from many entities, and its end, against the same reads.
    static func firstRuns(_ population: Population) -> Race {
        let row = "derive/first-run"
        return Race(row) {
            let cache = cache(of: population)
            let ids = population.ids
            let turns = Array(0..<200)
            let observing = repeatedly(on: turns) { turns in
                processorTime {
                    for _ in turns {
                        cache.observe {
                            likes(of: ids)
                        } onChange: {
                            use($0)
                        }.cancel()
                    }
                }
            }
            let reading = repeatedly(on: turns) { turns in
                processorTime { for _ in turns { use(likes(of: ids, in: cache)) } }
            }
            return contestants(row, population, observing: observing, reading: reading)
        }
    }

    /// What reading all posts of a population costs for each of them.
    private static func contestants(
        _ row: String,
        _ population: Population,
        observing: @escaping () -> Double,
        reading: @escaping () -> Double
    ) -> [Contestant] {
        let reference = Contestant.Identity(row, plain)
        let count = Double(population.count)
        return [
            Contestant(row, FlatCacheStore.name, against: reference) { observing() / count },
            Contestant(row, plain, against: reference) { reading() / count },
        ]
    }

    /// Sets of posts of which each has an observer that has read it alone, against one that was given it.
    static func commits(_ population: Population) -> Race {
        let row = "derive/commit"
        return overwrites(row, population, against: "observe(id:)") { cache in
            population.ids.map { id in
                cache.observe {
                    FlatCache.current.get(Post.self, id: id)?.likes
                } onChange: {
                    use($0)
                }
            }
        } reference: { cache in
            population.ids.map { id in cache.observe(Post.self, id: id) { use($0.value?.likes) } }
        }
    }

    /// Sets of posts beside an observer that has read others, against the same without it.
    static func unrelatedCommits(_ population: Population) -> Race {
        let row = "derive/commit-unrelated"
        let others = (0..<population.count).map { Post(number: population.count + $0) }
        return overwrites(row, population, against: "no observers") { cache in
            cache.set(contentsOf: others)
            let ids = others.map(\.id)
            return [
                cache.observe {
                    likes(of: ids)
                } onChange: {
                    use($0)
                }
            ]
        } reference: { cache in
            cache.set(contentsOf: others)
            return []
        }
    }

    private static func overwrites(
        _ row: String,
        _ population: Population,
        against other: String,
        observers: @escaping (FlatCache) -> [CacheSubscription],
        reference: @escaping (FlatCache) -> [CacheSubscription]
    ) -> Race {
        Race(row) {
            [(FlatCacheStore.name, observers), (other, reference)].map { subject, observe in
                let cache = cache(of: population)
                let subscriptions = observe(cache)
                let measure = repeatedly(on: population.replacements) { posts in
                    processorTime { for post in posts { cache.set(post) } }
                }
                return Contestant(row, subject, against: .init(row, other)) {
                    withExtendedLifetime(subscriptions) { measure() }
                }
            }
        }
    }

    private static func cache(of population: Population) -> FlatCache {
        let cache = FlatCache()
        cache.set(contentsOf: population.posts)
        return cache
    }

    /// Reads many posts.
    private static func likes(of ids: [String], in cache: FlatCache = .current) -> Int {
        ids.reduce(0) { $0 + (cache.get(Post.self, id: $1)?.likes ?? 0) }
    }
}
