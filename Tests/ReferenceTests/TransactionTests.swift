import FlatCache
import Testing

@Suite("Generated accessors in transactions and reads")
struct TransactionTests {
    let cache = FlatCache()
    let ada = Author(id: "ada", name: "Ada")
    let bob = Author(id: "bob", name: "Bob")

    struct Failure: Error {}

    init() {
        cache.set(Post(id: "1", authorID: "ada", replyToID: nil, attachmentIDs: []))
    }

    @Test("S2: Accessors and setters go through the transaction")
    func transaction() throws {
        let handle = Cached(Post.self, id: "1", in: cache)
        #expect(throws: Failure.self) {
            try cache.transaction {
                cache.set(ada)
                var post = try #require(handle.value)
                #expect(post.author(in: cache) == ada)
                post.setAuthor(bob, in: cache)
                #expect(post.author(in: cache) == bob)
                try handle.set(\.author, to: bob)
                #expect(handle.author == bob)
                #expect(handle.value?.authorID == "bob")
                let comment = Post.Comment(id: 1, authorID: "bob", answerIDs: nil, postID: "1")
                try handle.set(\.comments, to: [comment])
                #expect(handle.comments == [comment])
                #expect(handle.missing(\.comments) == [])
                throw Failure()
            }
        }
        #expect(handle.value?.authorID == "ada")
        #expect(handle.author == nil)
        #expect(handle.comments == [])
        #expect(cache.count == 1)
    }

    @Test("S2: The setters of a transaction are one commit")
    func oneCommit() throws {
        let commits = Commits()
        let keys = [Post.flatCacheKey(id: "1"), ada.flatCacheKey, bob.flatCacheKey]
        let subscription = cache.observe(keys, initial: false) { commits.add($0.keys.count) }
        defer { subscription.cancel() }
        try cache.transaction {
            try Cached(Post.self, id: "1", in: cache).set(\.author, to: ada)
            try Cached(Post.self, id: "1", in: cache).set(\.reviser, to: bob)
        }
        #expect(commits.counts == [3])
    }

    @Test("S3: Accessors in a read see the state at its beginning")
    func read() {
        cache.set(ada)
        let post = cache.get(Post.self, id: "1")
        let handle = Cached(Post.self, id: "1", in: cache)
        let cache = cache
        cache.read {
            #expect(post?.author(in: cache)?.name == "Ada")
            // A write in a read is a commit of its own, as another thread's would be.
            cache.update(Author.self, id: "ada") { $0.name = "Countess" }
            #expect(post?.author(in: cache)?.name == "Ada")
            #expect(handle.author?.name == "Ada")
            #expect(post?.cached(\.author, in: cache).name == "Ada")
        }
        #expect(handle.author?.name == "Countess")
    }
}
