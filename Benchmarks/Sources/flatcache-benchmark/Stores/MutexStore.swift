import Synchronization

/// The baseline: what a careful engineer writes without a library.
final class MutexStore: SynchronousStore {
    static let name = "Mutex"
    private let posts = Mutex<[String: Post]>([:])

    func get(_ id: String) -> Post? { posts.withLock { $0[id] } }

    /// Reads one field, of a post that isn't copied.
    func likes(_ id: String) -> Int? { posts.withLock { $0[id]?.likes } }

    func set(_ post: Post) { posts.withLock { $0[post.id] = post } }

    func set(contentsOf newPosts: ArraySlice<Post>) {
        posts.withLock { posts in
            posts.reserveCapacity(posts.count + newPosts.count)
            for post in newPosts { posts[post.id] = post }
        }
    }

    func like(_ id: String) { posts.withLock { $0[id]?.likes += 1 } }

    func remove(_ id: String) { _ = posts.withLock { $0.removeValue(forKey: id) } }
}
