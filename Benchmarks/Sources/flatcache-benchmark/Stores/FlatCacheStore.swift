import FlatCache

/// The library.
struct FlatCacheStore: SynchronousStore {
    static let name = "FlatCache"
    let cache = FlatCache()

    func get(_ id: String) -> Post? { cache.get(Post.self, id: id) }

    func set(_ post: Post) { cache.set(post) }

    func set(contentsOf posts: ArraySlice<Post>) { cache.set(contentsOf: posts) }

    func transact(_ posts: ArraySlice<Post>) {
        cache.transaction {
            for post in posts { cache.set(post) }
        }
    }

    func like(_ id: String) { cache.update(Post.self, id: id) { $0.likes += 1 } }

    func remove(_ id: String) { cache.remove(Post.self, id: id) }
}
