import SeededRandom

/// Posts, and all stores with these posts in them.
final class Population {
    /// How many posts there are.
    let count: Int
    /// The size as names of rows tell it.
    let label: String

    init(_ count: Int, _ label: String) {
        self.count = count
        self.label = label
    }

    /// The posts in an order that has nothing to do with the one in which they are read.
    private(set) lazy var posts: [Post] = {
        var generator = SeededGenerator(seed: 42)
        return (0..<count).map { Post(number: $0) }.shuffled(using: &generator)
    }()

    /// The identifiers of the posts, in random order.
    private(set) lazy var ids: [String] = {
        var generator = SeededGenerator(seed: 42)
        return posts.map(\.id).shuffled(using: &generator)
    }()

    /// Identifiers that no post has.
    private(set) lazy var missingIDs = ids.map(Post.missingID(like:))

    /// All posts in random order, and all once more in the same order, so that each write is a change.
    private(set) lazy var replacements: [Post] = {
        var generator = SeededGenerator(seed: 42)
        let shuffled = posts.shuffled(using: &generator)
        let liked = shuffled.map { post in
            var post = post
            post.likes += 1_000_000
            return post
        }
        return liked + shuffled
    }()

    private(set) lazy var stores: [any Store] = allStores.map { type in
        let store = type.init()
        _ = store.timeBatch(of: posts[...])
        return store
    }
}
