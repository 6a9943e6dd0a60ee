import Synchronization

/// The design of the blog post that the library comes from: one dictionary for all types, with the names of types in its
/// keys, here behind a lock.
final class OriginalStore: SynchronousStore {
    static let name = "original"
    private let storage = Mutex<[Key: any Sendable]>([:])

    private struct Key: Hashable {
        let typeName: String
        let id: String
    }

    private func key<Value>(_ type: Value.Type, _ id: String) -> Key {
        Key(typeName: String(describing: type), id: id)
    }

    private func value<Value>(id: String) -> Value? {
        storage.withLock { $0[key(Value.self, id)] as? Value }
    }

    private func set<Value: Identifiable & Sendable>(value: Value) where Value.ID == String {
        storage.withLock { $0[key(Value.self, value.id)] = value }
    }

    func get(_ id: String) -> Post? { value(id: id) }

    func set(_ post: Post) { set(value: post) }

    func set(contentsOf posts: ArraySlice<Post>) {
        storage.withLock { storage in
            storage.reserveCapacity(storage.count + posts.count)
            for post in posts { storage[key(Post.self, post.id)] = post }
        }
    }

    func like(_ id: String) {
        storage.withLock { storage in
            let key = key(Post.self, id)
            guard var post = storage[key] as? Post else { return }
            post.likes += 1
            storage[key] = post
        }
    }

    func remove(_ id: String) {
        _ = storage.withLock { $0.removeValue(forKey: key(Post.self, id)) }
    }
}
