import FlatCache
import Testing

@Suite("Generated accessors that throw")
struct RequireAccessorTests {
    let cache = FlatCache()

    func makePost(_ change: (inout Post) -> Void = { _ in }) -> Post {
        var post = Post(id: "1", authorID: "ada", replyToID: nil, attachmentIDs: [])
        change(&post)
        return post
    }

    @Test("Stored entities are returned")
    func stored() throws {
        cache.set(contentsOf: [Author(id: "ada"), Author(id: "bob")])
        cache.set(contentsOf: [2, 1].map { Post.Comment(id: $0, authorID: "ada", answerIDs: nil) })
        let post = makePost {
            $0.editorID = "bob"
            $0.commentIDs = [2, 1, 2]
        }
        #expect(try post.require(\.author, in: cache).id == "ada")
        #expect(try post.require(\.reviser, in: cache)?.id == "bob")
        #expect(try post.require(\.comments, in: cache).map(\.id) == [2, 1, 2])
    }

    @Test("Without an identifier the result is nil, without an error")
    func noIdentifier() throws {
        #expect(try makePost().require(\.reviser, in: cache) == nil)
        #expect(try makePost().require(\.suggestions, in: cache) == nil)
        #expect(try makePost().require(\.comments, in: cache) == [])
        #expect(try makePost { $0.suggestedTagIDs = [nil] }.require(\.suggestions, in: cache) == [])
    }

    @Test("Missing entities are an error that names the property, its owner and all missing entities")
    func missing() {
        #expect(
            throws: RelationshipError.relatedMissing(
                property: "Post.authorID",
                owner: Post.flatCacheKey(id: "1"),
                missing: [Author.flatCacheKey(id: "ada")]
            )
        ) { try makePost().require(\.author, in: cache) }
        cache.set(Post.Comment(id: 2, authorID: "ada", answerIDs: nil))
        #expect(
            throws: RelationshipError.relatedMissing(
                property: "Post.commentIDs",
                owner: Post.flatCacheKey(id: "1"),
                missing: [3, 1].map { Post.Comment.flatCacheKey(id: $0) }
            )
        ) { try makePost { $0.commentIDs = [3, 2, 1] }.require(\.comments, in: cache) }
        #expect(throws: RelationshipError.self) {
            try makePost { $0.suggestedTagIDs = ["a", nil] }.require(\.suggestions, in: cache)
        }
        #expect(throws: RelationshipError.self) { try makePost { $0.editorID = "bob" }.require(\.reviser, in: cache) }
    }

    @Test("The error of an owner that isn't an entity names no owner")
    func noEntity() {
        let error = RelationshipError.relatedMissing(
            property: "Page.postIDs",
            owner: nil,
            missing: [Post.flatCacheKey(id: "1")]
        )
        #expect(throws: error) { try Page<Int>(postIDs: ["1"]).require(\.posts, in: cache) }
    }

    @Test("The error reads as a sentence")
    func description() {
        let one = #expect(throws: RelationshipError.self) { try makePost().require(\.author, in: cache) }
        #expect(
            one?.description == """
                'Post.authorID' of ReferenceTests.Post("1") refers to ReferenceTests.Author("ada"), which is not stored; \
                store or fetch it first
                """
        )
        let several = #expect(throws: RelationshipError.self) {
            try Page<Int>(postIDs: ["1", "2"]).require(\.posts, in: cache)
        }
        #expect(
            several?.description == """
                'Page.postIDs' refers to ReferenceTests.Post("1"), ReferenceTests.Post("2"), which are not stored; \
                store or fetch them first
                """
        )
    }

    @Test("A handle reads its owner, and throws without it, or without the cache")
    func handle() throws {
        let handle = Cached(Post.self, id: "1", in: cache)
        #expect(throws: RelationshipError.ownerMissing(handle.key)) { try handle.require(\.author) }
        cache.set(makePost())
        #expect(throws: RelationshipError.self) { try handle.require(\.author) }
        cache.set(Author(id: "ada"))
        #expect(try handle.require(\.author).id == "ada")
        #expect(try handle.require(\.reviser) == nil)
        #expect(try handle.require(\.comments) == [])
        let orphan = Cached(Post.self, id: "1", in: FlatCache())
        #expect(throws: RelationshipError.ownerMissing(orphan.key)) { try orphan.require(\.comments) }
    }

    @Test("Without a cache the current one is read and tracked")
    func currentCache() throws {
        try FlatCache.withCurrent(cache) {
            cache.set(Author(id: "ada"))
            let author = try makePost().require(\.author)
            #expect(author.id == "ada")
            let cache = cache
            let changes = Commits()
            let subscription = cache.observe {
                (try? makePost().require(\.author))?.name
            } onChange: { _ in
                changes.add(1)
            }
            cache.update(Author.self, id: "ada") { $0.name = "Countess" }
            cache.set(Author(id: "bob"))
            subscription.cancel()
            // The initial value and the updated value.
            #expect(changes.counts.count == 2)
        }
    }

    @Test("S3: All entities belong to one state of the cache, also in reads and transactions")
    func oneState() throws {
        cache.set(makePost { $0.commentIDs = [1] })
        cache.set(Post.Comment(id: 1, authorID: "ada", answerIDs: nil))
        let handle = Cached(Post.self, id: "1", in: cache)
        let cache = cache
        try cache.read {
            // A write in a read is a commit of its own, as another thread's would be.
            cache.remove(Post.Comment.self, id: 1)
            let comments = try handle.require(\.comments)
            cache.remove(Post.self, id: "1")
            let commentsOfRemoved = try handle.require(\.comments)
            #expect(comments.map(\.id) == [1])
            #expect(commentsOfRemoved.map(\.id) == [1])
        }
        #expect(throws: RelationshipError.ownerMissing(handle.key)) { try handle.require(\.comments) }
        try cache.transaction {
            cache.set(makePost())
            cache.set(Author(id: "ada"))
            let author = try handle.require(\.author)
            #expect(author.id == "ada")
        }
    }

    @Test("While another thread replaces the owner and its related entities, a read sees both or neither")
    func race() async throws {
        let cache = cache
        let handle = Cached(Post.self, id: "1", in: cache)
        let store = { @Sendable (generation: Int) in
            cache.transaction {
                let ids = [generation * 2, generation * 2 + 1]
                cache.removeAll(of: Post.Comment.self)
                cache.set(contentsOf: ids.map { Post.Comment(id: $0, authorID: "ada", answerIDs: nil) })
                var post = Post(id: "1", authorID: "ada", replyToID: nil, attachmentIDs: [])
                post.commentIDs = ids
                cache.set(post)
            }
        }
        store(0)
        async let writing: Void = { for generation in 1...300 { store(generation) } }()
        for _ in 0..<1000 {
            let ids = try handle.require(\.comments).map(\.id)
            try #require(ids.count == 2 && ids[0] % 2 == 0 && ids[1] == ids[0] + 1)
        }
        await writing
    }
}
