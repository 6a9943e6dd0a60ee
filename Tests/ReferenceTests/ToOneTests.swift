import FlatCache
import Testing

@Suite("Generated to-one accessors")
struct ToOneTests {
    let cache = FlatCache()
    let ada = Author(id: "ada", name: "Ada")
    let bob = Author(id: "bob", name: "Bob")

    func makePost(_ id: String = "1", replyToID: String? = nil) -> Post {
        Post(id: id, authorID: "ada", replyToID: replyToID, attachmentIDs: [])
    }

    @Test("The accessor returns the currently cached entity, or nil")
    func reading() {
        let post = makePost()
        #expect(post.author(in: cache) == nil)
        cache.set(ada)
        #expect(post.author(in: cache) == ada)
        cache.update(Author.self, id: "ada") { $0.name = "Countess" }
        #expect(post.author(in: cache)?.name == "Countess")
        #expect(post.reviser(in: cache) == nil)
    }

    @Test("Without a cache the accessor uses the current one")
    func currentCache() {
        cache.set(ada)
        #expect(makePost().author == nil)
        FlatCache.withCurrent(cache) {
            #expect(makePost().author == ada)
            #expect(makePost().cached(\.author).value == ada)
        }
    }

    @Test("The setter stores the entity and relinks the value, not its stored copy")
    func setter() {
        var post = makePost()
        cache.set(post)
        post.setAuthor(bob, in: cache)
        #expect(post.authorID == "bob")
        #expect(cache.get(Author.self, id: "bob") == bob)
        #expect(cache.get(Post.self, id: "1")?.authorID == "ada")
    }

    @Test("An optional relationship can be assigned; nil unlinks and removes nothing")
    func assignment() {
        FlatCache.withCurrent(cache) {
            var post = makePost()
            post.reviser = bob
            #expect(post.editorID == "bob")
            #expect(post.reviser == bob)
            post.reviser?.name = "Robert"
            #expect(cache.get(Author.self, id: "bob")?.name == "Robert")
            post.reviser = nil
            #expect(post.editorID == nil)
            #expect(cache.contains(Author.self, id: "bob"))
        }
    }

    @Test("On a constant the setter stores the entity with its identifier, and throws for another without storing it")
    func constant() throws {
        let post = makePost(replyToID: "0")
        try post.setRepliedTo(makePost("0"), in: cache)
        #expect(post.repliedTo(in: cache)?.id == "0")
        let error = #expect(throws: RelationshipError.self) { try post.setRepliedTo(makePost("9"), in: cache) }
        #expect(
            error?.description
                == #"'Post.replyToID' can't be set: it holds Optional("0"), not Optional("9"). "#
                + "Declare it 'var' with a setter that is as visible as it is, or pass what it refers to"
        )
        #expect(throws: RelationshipError.self) { try post.setRepliedTo(nil, in: cache) }
        #expect(!cache.contains(Post.self, id: "9"))
        try makePost().setRepliedTo(nil, in: cache)
    }

    @Test("Structures refer back and forth")
    func cycle() {
        cache.set(Author(id: "ada", postIDs: ["1"]))
        cache.set(makePost())
        let author = makePost().author(in: cache)
        #expect(author?.posts(in: cache).first?.author(in: cache)?.posts(in: cache).map(\.id) == ["1"])
    }

    @Test("A handle has the accessors, in its own cache")
    func handle() throws {
        let handle = Cached(Post.self, id: "1", in: cache)
        #expect(handle.author == nil)
        #expect(handle.cached(\.author) == nil)
        #expect(throws: RelationshipError.ownerMissing(handle.key)) { try handle.set(\.author, to: bob) }
        #expect(!cache.contains(Author.self, id: "bob"))
        cache.set(makePost())
        cache.set(ada)
        #expect(handle.author == ada)
        #expect(handle.cached(\.author) == Cached(Author.self, id: "ada", in: cache))
        #expect(handle.cached(\.reviser) == nil)
    }

    @Test("A setter on a handle stores the entity and relinks the stored owner in one commit")
    func handleSetter() throws {
        cache.set(makePost())
        let handle = Cached(Post.self, id: "1", in: cache)
        let commits = Commits()
        let subscription = cache.observe([handle.key, bob.flatCacheKey, ada.flatCacheKey], initial: false) {
            commits.add($0.keys.count)
        }
        try handle.set(\.author, to: bob)
        try handle.set(\.reviser, to: ada)
        try handle.set(\.reviser, to: nil)
        subscription.cancel()
        #expect(commits.counts == [2, 2, 1])
        #expect(handle.value?.authorID == "bob")
        #expect(handle.author == bob)
        #expect(handle.value?.editorID == nil)
        #expect(cache.contains(Author.self, id: "ada"))
    }

    @Test("On a handle, the setter of a constant throws when the identifiers differ or the owner is missing")
    func handleConstant() throws {
        let handle = Cached(Post.self, id: "1", in: cache)
        #expect(throws: RelationshipError.ownerMissing(handle.key)) { try handle.set(\.repliedTo, to: makePost("0")) }
        cache.set(makePost(replyToID: "0"))
        try handle.set(\.repliedTo, to: makePost("0"))
        #expect(handle.repliedTo?.id == "0")
        #expect(throws: RelationshipError.self) { try handle.set(\.repliedTo, to: makePost("9")) }
        #expect(cache.count == 2)
    }

    @Test("Once the cache is gone, a handle returns nil, and its setters throw")
    func cacheGone() {
        var cache: FlatCache? = FlatCache()
        cache?.set(makePost())
        let handle = cache.map { Cached(Post.self, id: "1", in: $0) }
        cache = nil
        #expect(handle?.author == nil)
        #expect(handle?.cached(\.author) == nil)
        #expect(throws: RelationshipError.self) { try handle?.set(\.author, to: ada) }
        #expect(throws: RelationshipError.self) { try handle?.set(\.repliedTo, to: nil) }
    }

    @Test("Keyword names, nested types and branches of conditional compilation have accessors")
    func specialNames() {
        let tag = Tag(id: "t", synonymIDs: nil)
        var post = makePost()
        post.setDefault(tag, in: cache)
        #expect(post.default(in: cache) == tag)
        #expect(post.defaultTagID == "t")
        let comment = Post.Comment(id: 1, authorID: "ada", answerIDs: nil, postID: "1")
        cache.set(ada)
        #expect(comment.author(in: cache) == ada)
        #expect(post.debugger(in: cache) == nil)
    }
}
