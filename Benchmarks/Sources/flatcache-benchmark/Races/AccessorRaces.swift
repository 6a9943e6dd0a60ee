import BenchmarkReport
import FlatCache

/// Generated accessors in a given cache, against calls of the cache that do the same.
enum AccessorRaces {
    static func toOne(_ population: Population) -> Race {
        let cache = FlatCache()
        cache.set(contentsOf: (0...population.count / 10).map { Author(number: $0) })
        return race("accessor/to-one", on: { population.replacements }) { posts in
            processorTime { for post in posts { use(post.author(in: cache)) } }
        } bare: { posts in
            processorTime { for post in posts { use(cache.get(Author.self, id: post.authorID)) } }
        }
    }

    static func toMany() -> Race {
        let cache = FlatCache()
        cache.set(contentsOf: (0..<1_000).map { Comment(number: $0) })
        return race("accessor/to-many", on: { (0..<100).map { Discussion(number: $0) } }) { discussions in
            processorTime { for discussion in discussions { use(discussion.comments(in: cache)) } }
        } bare: { discussions in
            processorTime { for discussion in discussions { use(cache.get(Comment.self, ids: discussion.commentIDs)) } }
        }
    }

    private static func race<Item>(
        _ row: String,
        on items: @escaping () -> [Item],
        accessor: @escaping (ArraySlice<Item>) -> Duration,
        bare: @escaping (ArraySlice<Item>) -> Duration
    ) -> Race {
        let reference = Contestant.Identity(row, "bare get")
        return Race(row) {
            let items = items()
            return [
                Contestant(
                    row,
                    FlatCacheStore.name,
                    against: reference,
                    measure: repeatedly(on: items, time: accessor)
                ),
                Contestant(row, reference.subject, against: reference, measure: repeatedly(on: items, time: bare)),
            ]
        }
    }
}
