import BenchmarkReport
import FlatCache

/// Generated accessors in a given cache, against what somebody would write by hand who wants no tracking.
enum AccessorRaces {
    static func toOne(_ population: Population) -> Race {
        let cache = FlatCache()
        cache.set(contentsOf: (0...population.count / 10).map { Author(number: $0) })
        return race("accessor/to-one", on: { population.replacements }) { posts in
            processorTime { for post in posts { use(post.author(in: cache)) } }
        } byHand: { posts in
            processorTime { for post in posts { use(post.authorByHand(in: cache)) } }
        }
    }

    static func toMany() -> Race {
        let cache = FlatCache()
        cache.set(contentsOf: (0..<1_000).map { Comment(number: $0) })
        return race("accessor/to-many", on: { (0..<100).map { Discussion(number: $0) } }) { discussions in
            processorTime { for discussion in discussions { use(discussion.comments(in: cache)) } }
        } byHand: { discussions in
            processorTime { for discussion in discussions { use(discussion.commentsByHand(in: cache)) } }
        }
    }

    private static func race<Item>(
        _ row: String,
        on items: @escaping () -> [Item],
        accessor: @escaping (ArraySlice<Item>) -> Duration,
        byHand: @escaping (ArraySlice<Item>) -> Duration
    ) -> Race {
        let reference = Contestant.Identity(row, "by hand")
        return Race(row) {
            let items = items()
            return [
                Contestant(
                    row,
                    FlatCacheStore.name,
                    against: reference,
                    measure: repeatedly(on: items, time: accessor)
                ),
                Contestant(row, reference.subject, against: reference, measure: repeatedly(on: items, time: byHand)),
            ]
        }
    }
}

extension Post {
    func authorByHand(in cache: FlatCache) -> Author? { cache.get(Author.self, id: authorID) }
}

extension Discussion {
    func commentsByHand(in cache: FlatCache) -> [Comment] { cache.get(Comment.self, ids: commentIDs) }
}
