import BenchmarkReport
import FlatCache

/// Generated accessors in a given cache, against calls of the cache that do the same.
enum AccessorRaces {
    static func toOne(_ population: Population) -> Race {
        let row = "accessor/to-one"
        let reference = Contestant.Identity(row, "bare get")
        return Race(row) {
            let posts = population.replacements
            let cache = FlatCache()
            cache.set(contentsOf: (0...population.count / 10).map { Author(number: $0) })
            return [
                Contestant(row, FlatCacheStore.name, against: reference, measure: repeatedly(on: posts) { posts in
                    processorTime { for post in posts { use(post.author(in: cache)) } }
                }),
                Contestant(row, reference.subject, against: reference, measure: repeatedly(on: posts) { posts in
                    processorTime { for post in posts { use(cache.get(Author.self, id: post.authorID)) } }
                }),
            ]
        }
    }

    static func toMany() -> Race {
        let row = "accessor/to-many"
        let reference = Contestant.Identity(row, "bare get")
        return Race(row) {
            let discussions = (0..<100).map { Discussion(number: $0) }
            let cache = FlatCache()
            cache.set(contentsOf: (0..<1_000).map { Comment(number: $0) })
            return [
                Contestant(row, FlatCacheStore.name, against: reference, measure: repeatedly(on: discussions) { slice in
                    processorTime { for discussion in slice { use(discussion.comments(in: cache)) } }
                }),
                Contestant(row, reference.subject, against: reference, measure: repeatedly(on: discussions) { slice in
                    processorTime {
                        for discussion in slice { use(cache.get(Comment.self, ids: discussion.commentIDs)) }
                    }
                }),
            ]
        }
    }
}
