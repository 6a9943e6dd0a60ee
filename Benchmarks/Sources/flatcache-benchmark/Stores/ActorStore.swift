/// An actor with a dictionary.
struct ActorStore: Store {
    static let name = "actor"
    private let posts = Posts()

    private actor Posts {
        private var posts: [String: Post] = [:]

        func get(_ id: String) -> Post? { posts[id] }

        func set(_ post: Post) { posts[post.id] = post }

        func set(contentsOf newPosts: ArraySlice<Post>) {
            posts.reserveCapacity(posts.count + newPosts.count)
            for post in newPosts { posts[post.id] = post }
        }

        func like(_ id: String) { posts[id]?.likes += 1 }

        func remove(_ id: String) { posts[id] = nil }
    }

    func timeGets(of ids: ArraySlice<String>) -> Duration {
        processorTimeOfTask { for id in ids { use(await posts.get(id)) } }
    }

    func timeSets(of newPosts: ArraySlice<Post>) -> Duration {
        processorTimeOfTask { for post in newPosts { await posts.set(post) } }
    }

    func timeBatch(of newPosts: ArraySlice<Post>) -> Duration {
        processorTimeOfTask { await posts.set(contentsOf: newPosts) }
    }

    func timeTransaction(of newPosts: ArraySlice<Post>) -> Duration { timeBatch(of: newPosts) }

    func timeUpdates(of ids: ArraySlice<String>) -> Duration {
        processorTimeOfTask { for id in ids { await posts.like(id) } }
    }

    func timeRemovals(of ids: ArraySlice<String>) -> Duration {
        processorTimeOfTask { for id in ids { await posts.remove(id) } }
    }
}
