import FlatCache
import Testing

@Suite("Prefetching along relationships")
struct PrefetchTests {
    let cache = FlatCache()
    let server = Server()

    init() {
        server.serve(cache, without: ["lost", "9"])
    }

    func makePost(_ id: String, authorID: String = "ada", commentIDs: [Int] = [], editorID: String? = nil) -> Post {
        var post = Post(id: id, authorID: authorID, replyToID: nil, attachmentIDs: [])
        post.commentIDs = commentIDs
        post.editorID = editorID
        return post
    }

    @Test("The missing entities of a relationship are one request, without repeats")
    func oneRequest() async throws {
        cache.set(Author(id: "bob"))
        let posts = (0..<100).map { makePost("\($0)", authorID: ["ada", "bob", "eve"][$0 % 3]) }
        try await cache.prefetch(\.author, for: posts)
        #expect(server.requests == ["Author ada eve"])
        #expect(posts.allSatisfy { $0.author(in: cache) != nil })
        try await cache.prefetch(\.author, for: posts)
        #expect(server.requests.count == 1)
    }

    @Test("A path of relationships makes one request for each step")
    func path() async throws {
        cache.set(Post.Comment(id: 3, authorID: "bob", answerIDs: nil))
        let posts = [makePost("1", commentIDs: [1, 2]), makePost("2", commentIDs: [2, 3])]
        try await cache.prefetch(\.comments.author, for: posts)
        #expect(server.requests == ["Comment 1 2", "Author bob by1 by2"])
    }

    @Test("Paths can be long and can mix to-one and to-many relationships")
    func longPath() async throws {
        let author = Author(id: "ada", postIDs: ["1", "2"])
        try await cache.prefetch(\.posts.comments.author, for: [author])
        #expect(server.requests == ["Post 1 2", "Comment 1 2", "Author by1 by2"])
    }

    @Test("Several paths are followed concurrently and share requests")
    func severalPaths() async throws {
        let posts = [makePost("1", commentIDs: [1]), makePost("2", authorID: "bob", commentIDs: [2])]
        try await cache.prefetch(\.author, \.comments, \.comments.author, for: posts)
        #expect(server.requests.sorted() == ["Author ada bob", "Author by1 by2", "Comment 1 2"])
    }

    @Test("Paths to one type share one request for each step")
    func samePlaces() async throws {
        let posts = [makePost("1", commentIDs: [1], editorID: "eve"), makePost("2", authorID: "bob", editorID: "ada")]
        try await cache.prefetch(\.author, \.reviser, \.comments.author, \.reviser.posts, for: posts)
        #expect(Set(server.requests.prefix(2)) == ["Author ada bob eve", "Comment 1"])
        #expect(server.requests.filter { $0.hasPrefix("Author") }.count == 2)
    }

    @Test("Without identifiers or owners, nothing is fetched and no fetcher is needed")
    func nothing() async throws {
        let cache = FlatCache()
        try await cache.prefetch(\.comments, \.reviser, \.suggestions.synonyms, for: [makePost("1")])
        try await cache.prefetch(\.author.posts, for: [] as [Post])
        #expect(cache.count == 0)
    }

    @Test("Entities that the server doesn't have are left out, and the path continues from the others")
    func notFound() async throws {
        let posts = [makePost("1", authorID: "lost", commentIDs: [9, 1]), makePost("2", commentIDs: [2])]
        try await cache.prefetch(\.author, \.comments.author, for: posts)
        #expect(posts.map { $0.author(in: cache)?.id } == [nil, "ada"])
        #expect(posts.map { $0.comments(in: cache).map(\.id) } == [[1], [2]])
        #expect(
            server.entities == [
                "Author ada", "Author by1", "Author by2", "Author lost", "Comment 1", "Comment 2", "Comment 9",
            ]
        )
    }

    @Test("Entities that are removed meanwhile are left out and not fetched again")
    func removed() async throws {
        let cache = cache
        let server = server
        cache.setFetcher(of: Post.Comment.self) { ids in
            server.note(Post.Comment.self, ids)
            cache.removeAll()
            return ids.map { Post.Comment(id: $0, authorID: "bob", answerIDs: nil) }
        }
        try await cache.prefetch(\.comments.author, for: [makePost("1", commentIDs: [1])])
        #expect(server.requests == ["Comment 1"])
        #expect(cache.count == 0)
    }

    @Test("A failing fetcher is an error, and the entities of other fetchers are fetched on all paths")
    func failure() async throws {
        cache.setFetcher(of: Post.Comment.self) { _ -> [Post.Comment] in throw Server.Outage() }
        cache.set(Author(id: "ada", postIDs: ["5"]))
        let post = makePost("1", commentIDs: [1])
        let error = await #expect(throws: FetchError.self) {
            try await cache.prefetch(\.comments.author, \.author.posts, for: [post])
        }
        #expect(error?.underlying is Server.Outage)
        #expect(server.requests == ["Post 5"])
        #expect(post.author(in: cache) != nil)
    }

    @Test("A fetcher that isn't set is an error")
    func noFetcher() async {
        let cache = FlatCache()
        let error = await #expect(throws: FetchError.self) { try await cache.prefetch(\.author, for: [makePost("1")]) }
        #expect(error?.keys == [Author.flatCacheKey(id: "ada")])
    }

    @Test("The policy holds for each step")
    func policies() async throws {
        cache.set(Post.Comment(id: 1, authorID: "ada", answerIDs: nil))
        cache.set(Author(id: "ada"))
        let post = makePost("1", commentIDs: [1])
        try await cache.prefetch(\.comments.author, for: [post], .cacheOnly)
        #expect(server.requests == [])
        try await cache.prefetch(\.comments.author, for: [post], .networkOnly)
        #expect(server.requests == ["Comment 1", "Author by1"])
        await #expect(throws: FetchError.self) {
            try await cache.prefetch(\.tags.synonyms, \.author, for: [makePost("2", authorID: "x")], .cacheOnly)
        }
    }

    @Test("F2: A cancelled prefetch ends with a cancellation error")
    func cancellation() async {
        let cache = cache
        let (began, beginning) = AsyncStream.makeStream(of: Void.self)
        cache.setFetcher(of: Author.self) { _ -> [Author] in
            beginning.yield()
            // Hangs until it is cancelled.
            for await _ in AsyncStream<Void>.makeStream().stream {}
            throw CancellationError()
        }
        let posts = [makePost("1", commentIDs: [1])]
        let task = Task { try await cache.prefetch(\.author, \.comments, for: posts) }
        for await _ in began { break }
        task.cancel()
        let result = await task.result
        #expect(throws: FetchError.self) { try result.get() }
    }

    @Test("A path is a value that works with any collection of owners")
    func pathAsValue() async throws {
        let path: KeyPath<Post.Relationships, FlatCache.Relationship<Post, FlatCache.Path<Author>>> =
            \.comments.author
        try await cache.prefetch(path, for: Set(["1"]).lazy.map { makePost($0, commentIDs: [1]) })
        #expect(server.requests == ["Comment 1", "Author by1"])
    }
}
