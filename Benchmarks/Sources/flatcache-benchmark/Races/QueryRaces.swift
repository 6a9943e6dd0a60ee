import BenchmarkReport
import FlatCache

/// The cost of answers, and of keeping them current.
enum QueryRaces {
    private static let none = "no query"

    /// Sets of the 100 posts that a live query finds among others, against the same without the query.
    ///
    /// Other subjects answer the same question after each set: an array that is kept sorted by hand, a closure that reads
    /// all posts again, and a query of a database with an index.
    static func matching(_ population: Population) -> Race {
        let marked = marked(population)
        let changes = changes(of: marked)
        let query = FlatCache.Query(Post.self).filter(\.views, equals: -1).sorted(by: \.likes)
        let row = "query/live/\(population.label)"
        let race = race(row, population, marked, setting: changes) { cache in
            cache.query(query).observe { use($0.revision) }
        } byHand: { cache in
            SortedPosts(of: cache).subscribe(to: cache)
        } closure: { cache in
            cache.observe { [weak cache] in
                (cache?.allValues(of: Post.self) ?? []).filter { $0.views == -1 }.sorted { $0.likes < $1.likes }
            } onChange: {
                use($0.count)
            }
        }
        #if DATABASE
        return Race(row, slowness: race.slowness) {
            race.contestants() + [
                Contestant(
                    row,
                    DatabaseStore.name,
                    against: .init(row, none),
                    measure: database(population, marked, changes)
                )
            ]
        }
        #else
        return race
        #endif
    }

    #if DATABASE
    /// Sets of posts in a database that answers the query after each transaction which changes posts.
    private static func database(_ population: Population, _ marked: [Post], _ changes: [Post]) -> () -> Double {
        let store = DatabaseStore()
        store.set(contentsOf: population.posts[...])
        store.set(contentsOf: marked[...])
        let observation = store.observeMarked { use($0.count) }
        return repeatedly(on: changes) { posts in
            withExtendedLifetime(observation) {
                processorTime { for post in posts { store.set(post) } }
            }
        }
    }
    #endif

    /// Sets of 200 posts of which half are the first 100 of all, so that posts enter and leave the answer, against the same
    /// without the query.
    static func limited(_ population: Population) -> Race {
        let marked = marked(population, count: 200)
        let query = FlatCache.Query(Post.self).sorted(by: \.likes).limit(100)
        return race("query/limit/\(population.label)", population, marked, setting: changes(of: marked)) { cache in
            cache.query(query).observe { use($0.revision) }
        }
    }

    /// Sets of posts that a live query doesn't find, against the same without the query.
    static func others(_ population: Population) -> Race {
        let query = FlatCache.Query(Post.self).filter(\.views, equals: -1).sorted(by: \.likes)
        return race("query/others", population, marked(population), setting: population.replacements) { cache in
            cache.query(query).observe { use($0.revision) }
        }
    }

    /// Sets of posts whose changes are all observed, against the same without the observer.
    static func changes(_ population: Population) -> Race {
        race("changes/type", population, [], setting: population.replacements) { cache in
            cache.observe(all: Post.self) { use($0.revision) }
        }
    }

    /// The first answer of a query for 100 posts; per stored post, against a filter of the values in a dictionary.
    static func first(_ population: Population) -> Race {
        let row = "query/first"
        return Race(row) {
            let marked = marked(population)
            let cache = FlatCache()
            cache.set(contentsOf: population.posts)
            cache.set(contentsOf: marked)
            let query = cache.query(FlatCache.Query(Post.self).filter(\.views, equals: -1).sorted(by: \.likes))
            let all = Dictionary(uniqueKeysWithValues: cache.allValues(of: Post.self).map { ($0.id, $0) })
            let reference = Contestant.Identity(row, "dictionary")
            let count = Double(population.count)
            return [
                Contestant(row, FlatCacheStore.name, against: reference) {
                    // A query doesn't keep its cache alive.
                    withExtendedLifetime(cache) {
                        processorTime { use(query.values.count) }.nanoseconds / count
                    }
                },
                Contestant(row, reference.subject, against: reference) {
                    processorTime {
                        use(all.values.filter { $0.views == -1 }.sorted { $0.likes < $1.likes }.count)
                    }.nanoseconds / count
                },
            ]
        }
    }

    /// The answer of a query for 100 posts that an index finds; per found post, against an array of them in a dictionary,
    /// which is sorted.
    static func indexed(_ population: Population) -> Race {
        let row = "query/indexed"
        return Race(row) {
            let marked = marked(population)
            let cache = FlatCache()
            cache.set(contentsOf: population.posts)
            cache.set(contentsOf: marked)
            cache.buildIndex(.init(\Post.views))
            let query = cache.query(FlatCache.Query(Post.self).filter(\.views, equals: -1).sorted(by: \.likes))
            let byViews = Dictionary(grouping: cache.allValues(of: Post.self), by: \.views)
            let reference = Contestant.Identity(row, "dictionary")
            let count = Double(marked.count)
            return [
                Contestant(row, FlatCacheStore.name, against: reference) {
                    withExtendedLifetime(cache) {
                        processorTime { for _ in 0..<100 { use(query.values.count) } }.nanoseconds / count / 100
                    }
                },
                Contestant(row, reference.subject, against: reference) {
                    processorTime {
                        for _ in 0..<100 { use((byViews[-1] ?? []).sorted { $0.likes < $1.likes }.count) }
                    }.nanoseconds / count / 100
                },
            ]
        }
    }

    /// The first 20 posts in the order of an index, and 100 posts in a range of it; per found post, against an array that is
    /// sorted.
    static func ordered(_ population: Population) -> Race {
        Race("query/top", "query/range") {
            let posts = population.posts.enumerated().map { place, post in
                var post = post
                post.likes = place * 7_919 % population.count
                return post
            }
            let cache = FlatCache()
            cache.set(contentsOf: posts)
            cache.buildIndex(.init(\Post.likes), isOrdered: true)
            let sorted = posts.sorted { $0.likes > $1.likes }
            let (lowest, query) = (1_000, FlatCache.Query(Post.self))
            let subjects: [(row: String, count: Int, answer: CachedQuery<Post>, byHand: () -> [Post], sql: String)] = [
                (
                    "query/top", 20, cache.query(query.sorted(by: \.likes, .descending).limit(20)),
                    { Array(sorted.prefix(20)) }, "SELECT * FROM post ORDER BY likes DESC LIMIT 20"
                ),
                (
                    "query/range", 100, cache.query(query.filter(\.likes, in: lowest..<lowest + 100)),
                    { Array(sorted[(sorted.count - lowest - 100)..<(sorted.count - lowest)]) },
                    "SELECT * FROM post WHERE likes >= 1000 AND likes < 1100"
                ),
            ]
            return subjects.flatMap { row, count, answer, byHand, sql in
                func contestant(_ subject: String, _ read: @escaping () -> Int) -> Contestant {
                    Contestant(row, subject, against: .init(row, "sorted array")) {
                        withExtendedLifetime(cache) {
                            processorTime { for _ in 0..<100 { use(read()) } }.nanoseconds / Double(count * 100)
                        }
                    }
                }
                var all = [
                    contestant(FlatCacheStore.name) { answer.values.count },
                    contestant("sorted array") { byHand().count },
                ]
                #if DATABASE
                let store = DatabaseStore()
                store.set(contentsOf: posts[...])
                store.indexLikes()
                all.append(contestant(DatabaseStore.name) { store.posts(sql).count })
                #endif
                return all
            }
        }
    }

    /// Sets of posts of an indexed type, against the same without an index.
    ///
    /// The posts have the same key; or another key, one by one and in batches, and also of an ordered index; or the same key
    /// beside 10,000 live queries for other keys, against the same without the queries.
    static func index(_ population: Population) -> Race {
        let moved = (0..<2).flatMap { round in
            population.posts.prefix(20_000).enumerated().map { place, post in
                var post = post
                post.views = (place + round) % 1_000 + 1
                return post
            }
        }
        let set: (FlatCache, ArraySlice<Post>) -> Void = { cache, posts in for post in posts { cache.set(post) } }
        return Race("index/set", "query/10k-others", "index/move", "index/batch", "index/order") {
            let subjects:
                [(
                    row: String, posts: [Post], set: (FlatCache, ArraySlice<Post>) -> Void,
                    prepare: (FlatCache) -> [CacheSubscription]
                )] = [
                    ("index/set", population.replacements, set, { _ in [] }),
                    ("index/batch", moved, { $0.set(contentsOf: $1) }, { _ in [] }),
                    ("index/order", moved, set, { _ in [] }),
                    (
                        "query/10k-others", population.replacements, set,
                        { cache in
                            (0..<10_000).map { number in
                                cache.query(FlatCache.Query(Post.self).filter(\.views, equals: -number - 1))
                                    .observe { use($0.revision) }
                            }
                        }
                    ),
                    ("index/move", moved, set, { _ in [] }),
                ]
            return subjects.flatMap { row, posts, set, prepare in
                let reference = row == "query/10k-others" ? "no queries" : "no index"
                return [FlatCacheStore.name, reference].map { subject in
                    let cache = FlatCache()
                    cache.set(contentsOf: population.posts)
                    if subject != "no index" { cache.buildIndex(.init(\Post.views), isOrdered: row == "index/order") }
                    let subscriptions = subject == FlatCacheStore.name ? prepare(cache) : []
                    let measure = repeatedly(on: posts) { posts in
                        processorTime { set(cache, posts) }
                    }
                    return Contestant(row, subject, against: .init(row, reference)) {
                        withExtendedLifetime(subscriptions) { measure() }
                    }
                }
            }
        }
    }

    /// Posts of the population that the queries find.
    private static func marked(_ population: Population, count: Int = 100) -> [Post] {
        population.posts.prefix(count).enumerated().map { place, post in
            var post = post
            post.views = -1
            post.likes = -1_000 * place
            return post
        }
    }

    /// The posts with other likes, so that each set moves a post in the answer.
    private static func changes(of marked: [Post]) -> [Post] {
        (0..<20).flatMap { round in
            marked.enumerated().map { place, post in
                var post = post
                post.likes = -((place * 7 + round * 13) % marked.count) * 1_000 - round
                return post
            }
        }
    }

    private static func race(
        _ row: String,
        _ population: Population,
        _ marked: [Post],
        setting posts: [Post],
        observing: @escaping (FlatCache) -> CacheSubscription,
        byHand: ((FlatCache) -> CacheSubscription)? = nil,
        closure: ((FlatCache) -> CacheSubscription)? = nil
    ) -> Race {
        Race(row, slowness: population.count > 100_000 ? 2 : 1) {
            let subjects: [(String, ((FlatCache) -> CacheSubscription?)?)] = [
                (FlatCacheStore.name, observing), ("sorted by hand", byHand), ("closure", closure),
                (none, { _ in nil }),
            ]
            return subjects.compactMap { subject, observe in
                guard let observe else { return nil }
                let cache = FlatCache()
                cache.set(contentsOf: population.posts)
                cache.set(contentsOf: marked)
                let subscription = observe(cache)
                // A closure that reads all posts takes as long for one set as others for thousands. Each of these is a change.
                let few = max(1, 50_000 / population.count)
                let written =
                    subject == "closure" ? posts.prefix(few) + posts.dropFirst(marked.count).prefix(few) : posts[...]
                let measure = repeatedly(on: Array(written)) { posts in
                    processorTime { for post in posts { cache.set(post) } }
                }
                return Contestant(row, subject, against: .init(row, none)) {
                    withExtendedLifetime(subscription) { measure() }
                }
            }
        }
    }
}

/// The posts that the query finds, in an array that an observer of all posts keeps sorted.
private final class SortedPosts: @unchecked Sendable {  // Only the thread that measures uses it.
    private var posts: [Post]

    init(of cache: FlatCache) {
        posts = cache.allValues(of: Post.self).filter { $0.views == -1 }.sorted { $0.likes < $1.likes }
    }

    func subscribe(to cache: FlatCache) -> CacheSubscription {
        cache.observe(all: Post.self) { self.apply($0) }
    }

    private func apply(_ changes: TypeChanges<Post>) {
        for post in changes.removed + changes.updated.map(\.oldValue) where post.views == -1 {
            posts.removeAll { $0.id == post.id }
        }
        for post in changes.inserted + changes.updated.map(\.value) where post.views == -1 {
            posts.insert(post, at: posts.firstIndex { $0.likes > post.likes } ?? posts.count)
        }
        use(posts.count)
    }
}
