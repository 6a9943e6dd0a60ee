import Synchronization

struct Post: Codable, Equatable {
    static let stored = Mutex<[String: Post]>([:])
    let id: String
    var title: String
    var likes: Int
}

func setPost() {
    Post.stored.withLock { $0["1"] = Post(id: "1", title: "a", likes: 1) }
}

func getPost() {
    print(Post.stored.withLock { $0["1"] }?.title ?? "")
}

func updatePost() {
    Post.stored.withLock { $0["1"]?.likes += 1 }
}

func removePost() {
    Post.stored.withLock { _ = $0.removeValue(forKey: "1") }
}

func batchPost() {
    let posts = [Post(id: "1", title: "a", likes: 1)]
    Post.stored.withLock { stored in
        for post in posts { stored[post.id] = post }
    }
}

func queryPost() {
    let found = Post.stored.withLock { $0.values.filter { $0.likes == 1 } }.sorted { $0.title < $1.title }
    print(found.count)
}
