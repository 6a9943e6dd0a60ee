import FlatCache
import Testing

@Suite("Generated accessors that fetch")
struct FetchAccessorTests {
    let cache = FlatCache()
    let server = Server()

    init() {
        server.serve(cache, without: ["lost", "9"])
    }

    func makePost(_ change: (inout Post) -> Void = { _ in }) -> Post {
        var post = Post(id: "1", authorID: "ada", replyToID: nil, attachmentIDs: [])
        change(&post)
        return post
    }

    @Test("A missing entity is fetched and stored in the cache")
    func toOne() async throws {
        let post = makePost()
        #expect(try await post.fetchAuthor(in: cache).name == "ADA")
        #expect(post.author(in: cache)?.name == "ADA")
        #expect(try await post.fetchAuthor(in: cache).name == "ADA")
        #expect(server.requests == ["Author ada"])
    }

    @Test("Without a cache the current one is used")
    func currentCache() async throws {
        let name = try await FlatCache.withCurrent(cache) { try await makePost().fetchAuthor().name }
        #expect(name == "ADA")
    }

    @Test("Without an identifier nothing is fetched, and the result is nil")
    func noIdentifier() async throws {
        let cache = FlatCache()
        #expect(try await makePost().fetchReviser(in: cache) == nil)
        #expect(try await makePost().fetchSuggestions(in: cache) == nil)
        #expect(try await makePost().fetchComments(in: cache) == [])
        #expect(try await makePost { $0.suggestedTagIDs = [nil] }.fetchSuggestions(in: cache) == [])
    }

    @Test("Several entities are fetched in one request and returned in the order of the identifiers, with repeats")
    func toMany() async throws {
        cache.set(Post.Comment(id: 2, authorID: "bob", answerIDs: nil))
        let comments = try await makePost { $0.commentIDs = [3, 2, 1, 3] }.fetchComments(in: cache)
        #expect(comments.map(\.id) == [3, 2, 1, 3])
        #expect(comments.map(\.authorID) == ["by3", "bob", "by1", "by3"])
        #expect(server.requests == ["Comment 1 3"])
    }

    @Test("Sets, optional collections, optional identifiers and keyword names are fetched, too")
    func shapes() async throws {
        let post = makePost {
            $0.tagIDs = ["a", "b"]
            $0.suggestedTagIDs = ["c", nil, "d"]
            $0.defaultTagID = "e"
            $0.editorID = "bob"
        }
        #expect(Set(try await post.fetchTags(in: cache).map(\.id)) == ["a", "b"])
        #expect(try await post.fetchSuggestions(in: cache)?.map(\.id) == ["c", "d"])
        #expect(try await post.fetchDefault(in: cache)?.id == "e")
        #expect(try await post.fetchReviser(in: cache)?.id == "bob")
        #expect(server.requests == ["Tag a b", "Tag c d", "Tag e", "Author bob"])
    }

    @Test("The policy decides between the cache and the fetcher")
    func policies() async throws {
        cache.set(Author(id: "ada", name: "old"))
        #expect(try await makePost().fetchAuthor(.cacheOnly, in: cache).name == "old")
        #expect(try await makePost().fetchAuthor(.networkOnly, in: cache).name == "ADA")
        let error = await #expect(throws: FetchError.self) {
            try await makePost { $0.authorID = "bob" }.fetchAuthor(.cacheOnly, in: cache)
        }
        #expect(error?.keys == [Author.flatCacheKey(id: "bob")])
        #expect(server.requests == ["Author ada"])
    }

    @Test("F3: An entity that the server doesn't have is an error that names it; the others are stored")
    func notFound() async {
        let post = makePost { $0.commentIDs = [9, 1] }
        let error = await #expect(throws: FetchError.self) { try await post.fetchComments(in: cache) }
        #expect(error?.keys == [Post.Comment.flatCacheKey(id: 9)])
        #expect(post.comments(in: cache).map(\.id) == [1])
    }

    @Test("A handle fetches its missing owner and then the related entity, into its own cache")
    func handle() async throws {
        let handle = Cached(Post.self, id: "1", in: cache)
        #expect(try await handle.fetch(\.author).id == "of1")
        #expect(try await handle.fetch(\.comments, .networkOnly).map(\.id) == [2, 1])
        #expect(try await handle.fetch(\.reviser) == nil)
        #expect(handle.author?.id == "of1")
        #expect(server.requests == ["Post 1", "Author of1", "Comment 1 2"])
    }

    @Test("With a cache-only policy, a handle doesn't fetch its owner")
    func handleOfCacheOnly() async {
        let handle = Cached(Post.self, id: "1", in: cache)
        let error = await #expect(throws: FetchError.self) { try await handle.fetch(\.author, .cacheOnly) }
        #expect(error?.keys == [handle.key])
        #expect(server.requests == [])
    }

    @Test("A handle whose owner the server doesn't have throws")
    func handleOfNothing() async {
        let handle = Cached(Post.self, id: "lost", in: cache)
        let error = await #expect(throws: FetchError.self) { try await handle.fetch(\.author) }
        #expect(error?.keys == [handle.key])
    }

    @Test("A handle whose cache is gone throws")
    func cacheGone() async {
        let handle = Cached(Post.self, id: "1", in: FlatCache())
        let error = await #expect(throws: FetchError.self) { try await handle.fetch(\.comments) }
        guard case .cacheGone(handle.key)? = error else {
            Issue.record("\(String(describing: error)) instead of .cacheGone")
            return
        }
    }

    @Test("Fetching accessors can be called from any actor, and return to it")
    @MainActor func mainActor() async throws {
        let author = try await makePost().fetchAuthor(in: cache)
        MainActor.assertIsolated()
        #expect(author.id == "ada")
    }
}
