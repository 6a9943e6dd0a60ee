import FlatCache
import Synchronization

/// An entity of the size that entities of social networks have: 96 bytes, four of its fields counted references.
struct Post: Cachable, Equatable {
    let id: String
    var title: String
    var text: String
    var authorID: String
    var likes: Int
    var replies = 0
    var reposts = 0
    var views = 0

    init(number: Int) {
        id = "117020565693\(100_000 + number)"
        title = "The title of the post with the number \(number)"
        text = "A text that is too long to be stored in the string itself"
        authorID = "117020566092\(100_000 + number / 10)"
        likes = number
    }
}

/// What a careful engineer writes without a library.
final class Baseline: Sendable {
    private let posts = Mutex<[String: Post]>([:])

    func get(_ id: String) -> Post? { posts.withLock { $0[id] } }

    func set(_ post: Post) { posts.withLock { $0[post.id] = post } }
}

/// One operation on all entities, done by the cache and by the baseline.
struct Measurement {
    var name: String
    var subject: () -> Void
    var baseline: () -> Void
}

/// A cache and a baseline with the same entities.
struct Subjects {
    private let posts: [Post]
    private let ids: [String]
    private let missing: [String]
    private let cache = FlatCache()
    private let baseline = Baseline()

    init(count: Int) {
        posts = (0..<count).map { Post(number: $0) }.shuffled()
        ids = posts.map(\.id).shuffled()
        missing = ids.map { "9" + $0.dropFirst() }
        cache.set(contentsOf: posts)
        for post in posts { baseline.set(post) }
    }

    var measurements: [Measurement] {
        let handles = ids.map { Cached(Post.self, id: $0, in: cache) }
        return [
            Measurement(name: "get") {
                for id in ids { use(cache.get(Post.self, id: id)) }
            } baseline: {
                for id in ids { use(baseline.get(id)) }
            },
            Measurement(name: "miss") {
                for id in missing { use(cache.get(Post.self, id: id)) }
            } baseline: {
                for id in missing { use(baseline.get(id)) }
            },
            Measurement(name: "overwrite") {
                for post in posts { cache.set(post) }
            } baseline: {
                for post in posts { baseline.set(post) }
            },
            Measurement(name: "handle") {
                for handle in handles { use(handle.value) }
            } baseline: {
                for id in ids { use(baseline.get(id)) }
            },
        ]
    }
}

/// Keeps the optimizer from removing what makes a value.
@inline(never)
private func use(_ post: Post?) {}
