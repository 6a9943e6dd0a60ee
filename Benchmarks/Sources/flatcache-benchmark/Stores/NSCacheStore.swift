import Foundation
import Synchronization

/// Foundation's cache, which takes objects: posts are in boxes.
final class NSCacheStore: SynchronousStore, @unchecked Sendable {  // `NSCache` has a lock of its own.
    static let name = "NSCache"
    private let posts = NSCache<NSString, Box>()
    /// Held while a post is read, changed and written back, which the cache can't do in one step.
    private let updating = Mutex(())

    private final class Box {
        let post: Post

        init(_ post: Post) { self.post = post }
    }

    func get(_ id: String) -> Post? { posts.object(forKey: NSString(string: id))?.post }

    func set(_ post: Post) { posts.setObject(Box(post), forKey: NSString(string: post.id)) }

    func set(contentsOf newPosts: ArraySlice<Post>) {
        for post in newPosts { set(post) }
    }

    func like(_ id: String) {
        updating.withLock { _ in
            let key = NSString(string: id)
            guard var post = posts.object(forKey: key)?.post else { return }
            post.likes += 1
            posts.setObject(Box(post), forKey: key)
        }
    }

    func remove(_ id: String) { posts.removeObject(forKey: NSString(string: id)) }
}
