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

    /// Reads of the 100 replies of an author by a backlink; per reply, against a dictionary of their identifiers.
    static func backlink(_ population: Population) -> Race {
        let authorCount = population.count / 100
        let authors = (0..<authorCount).map { Author(number: $0) }
        let replies = (0..<population.count).map { Reply(number: $0, authors: authorCount) }
        let cache = FlatCache()
        cache.set(contentsOf: replies)
        let ids = Dictionary(grouping: replies, by: \.authorID).mapValues { $0.map(\.id) }
        // The first read builds the index.
        use(authors[0].writtenReplies(in: cache).count)
        return race("backlink", perItem: 100, on: { authors }) { authors in
            processorTime { for author in authors { use(author.writtenReplies(in: cache)) } }
        } byHand: { authors in
            processorTime { for author in authors { use(cache.get(Reply.self, ids: ids[author.id] ?? [])) } }
        }
    }

    private static func race<Item>(
        _ row: String,
        perItem count: Double = 1,
        on items: @escaping () -> [Item],
        accessor: @escaping (ArraySlice<Item>) -> Duration,
        byHand: @escaping (ArraySlice<Item>) -> Duration
    ) -> Race {
        let reference = Contestant.Identity(row, "by hand")
        return Race(row) {
            let items = items()
            let reading = repeatedly(on: items, time: accessor)
            let readingByHand = repeatedly(on: items, time: byHand)
            return [
                Contestant(row, FlatCacheStore.name, against: reference) { reading() / count },
                Contestant(row, reference.subject, against: reference) { readingByHand() / count },
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
