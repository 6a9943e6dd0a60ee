import Dispatch

/// A concurrent queue over a dictionary: reads beside each other, writes alone.
final class BarrierQueueStore: SynchronousStore, @unchecked Sendable {  // The dictionary is guarded by the queue.
    static let name = "queue"
    private let queue = DispatchQueue(label: "posts", attributes: .concurrent)
    private var posts: [String: Post] = [:]

    func get(_ id: String) -> Post? { queue.sync { posts[id] } }

    func set(_ post: Post) { queue.sync(flags: .barrier) { posts[post.id] = post } }

    func set(contentsOf newPosts: ArraySlice<Post>) {
        queue.sync(flags: .barrier) {
            posts.reserveCapacity(posts.count + newPosts.count)
            for post in newPosts { posts[post.id] = post }
        }
    }

    func like(_ id: String) { queue.sync(flags: .barrier) { posts[id]?.likes += 1 } }

    func remove(_ id: String) { queue.sync(flags: .barrier) { posts[id] = nil } }
}
