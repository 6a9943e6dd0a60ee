import FlatCache

let cache = FlatCache()

struct Post: Cachable, Codable, Equatable {
    let id: String
    var title: String
    var likes: Int
}

func setPost() {
    cache.set(Post(id: "1", title: "a", likes: 1))
}

func getPost() {
    print(cache.get(Post.self, id: "1")?.title ?? "")
}

func updatePost() {
    cache.update(Post.self, id: "1") { $0.likes += 1 }
}

func removePost() {
    cache.remove(Post.self, id: "1")
}

func observePost() {
    let subscription = cache.observe(Post.self, id: "1") { print($0.kind) }
    subscription.cancel()
}

func batchPost() {
    cache.set(contentsOf: [Post(id: "1", title: "a", likes: 1)])
}

func transactionPost() {
    cache.transaction { cache.set(Post(id: "1", title: "a", likes: 1)) }
}

func handlePost() {
    print(Cached(Post.self, id: "1", in: cache).title ?? "")
}

func listPost() {
    cache.list("Post", of: Post.self).append(Post(id: "1", title: "a", likes: 1))
}

func queryPost() {
    let found = cache.query(FlatCache.Query(Post.self).filter(\.likes, equals: 1).sorted(by: \.title))
    print(found.count)
}
