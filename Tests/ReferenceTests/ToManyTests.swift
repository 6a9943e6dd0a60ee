import FlatCache
import Foundation
import Testing

@Suite("Generated to-many accessors")
struct ToManyTests {
    let cache = FlatCache()

    func makePost(commentIDs: [Int] = [], tagIDs: Set<String> = []) -> Post {
        var post = Post(id: "1", authorID: "ada", replyToID: nil, attachmentIDs: [])
        post.commentIDs = commentIDs
        post.tagIDs = tagIDs
        return post
    }

    func makeComment(_ id: Int, answerIDs: [Int]? = nil) -> Post.Comment {
        Post.Comment(id: id, authorID: "ada", answerIDs: answerIDs)
    }

    @Test("The accessor returns the cached entities in the order of the identifiers, and missing lists the others")
    func reading() {
        cache.set(contentsOf: [makeComment(1), makeComment(3)])
        let post = makePost(commentIDs: [3, 2, 1])
        #expect(post.comments(in: cache).map(\.id) == [3, 1])
        #expect(post.missing(\.comments, in: cache) == [2])
        #expect(post.cached(\.comments, in: cache).map(\.id) == [3, 2, 1])
        #expect(post.cached(\.comments, in: cache).map { $0.value != nil } == [true, false, true])
    }

    @Test("Sets of identifiers")
    func sets() {
        cache.set(contentsOf: [Tag(id: "a", synonymIDs: nil), Tag(id: "b", synonymIDs: ["a", "c"])])
        var post = makePost(tagIDs: ["a", "b", "c"])
        #expect(Set(post.tags(in: cache).map(\.id)) == ["a", "b"])
        #expect(post.missing(\.tags, in: cache) == ["c"])
        post.setTags([Tag(id: "d", synonymIDs: nil)], in: cache)
        #expect(post.tagIDs == ["d"])
        #expect(cache.contains(Tag.self, id: "d"))
    }

    @Test("Optional collections: nil identifiers have nil entities and no missing ones")
    func optionalCollections() {
        #expect(makeComment(1).answers(in: cache) == nil)
        #expect(makeComment(1).missing(\.answers, in: cache) == [])
        #expect(makeComment(1).cached(\.answers, in: cache) == nil)
        cache.set(makeComment(2))
        #expect(makeComment(1, answerIDs: [2, 3]).answers(in: cache)?.map(\.id) == [2])
        #expect(makeComment(1, answerIDs: [2, 3]).missing(\.answers, in: cache) == [3])
    }

    @Test("Collections of optional identifiers skip nil")
    func optionalElements() {
        cache.set(Tag(id: "a", synonymIDs: nil))
        var post = makePost()
        #expect(post.suggestions(in: cache) == nil)
        post.suggestedTagIDs = ["a", nil, "b"]
        #expect(post.suggestions(in: cache)?.map(\.id) == ["a"])
        #expect(post.missing(\.suggestions, in: cache) == ["b"])
        post.setSuggestions([Tag(id: "z", synonymIDs: nil)], in: cache)
        #expect(post.suggestedTagIDs == ["z"])
        post.setSuggestions(nil, in: cache)
        #expect(post.suggestedTagIDs == nil)
    }

    @Test("A variable collection can be assigned, which stores the entities and replaces the identifiers")
    func assignment() {
        FlatCache.withCurrent(cache) {
            var post = makePost(commentIDs: [7])
            post.comments = [makeComment(2), makeComment(1)]
            #expect(post.commentIDs == [2, 1])
            #expect(post.comments.map(\.id) == [2, 1])
            #expect(cache.count(of: Post.Comment.self) == 2)
        }
    }

    @Test("On a constant the setter stores entities with its identifiers in their order, and throws for others")
    func constants() throws {
        let comment = makeComment(1, answerIDs: [2, 3])
        try comment.setAnswers([makeComment(2), makeComment(3)], in: cache)
        #expect(comment.answers(in: cache)?.map(\.id) == [2, 3])
        #expect(throws: RelationshipError.self) { try comment.setAnswers([makeComment(3), makeComment(2)], in: cache) }
        #expect(throws: RelationshipError.self) { try comment.setAnswers(nil, in: cache) }
        #expect(throws: RelationshipError.self) { try comment.setAnswers([makeComment(9)], in: cache) }
        #expect(!cache.contains(Post.Comment.self, id: 9))
        let tag = Tag(id: "t", synonymIDs: ["a", "b"])
        try tag.setSynonyms([Tag(id: "b", synonymIDs: nil), Tag(id: "a", synonymIDs: nil)], in: cache)
        #expect(Set(tag.synonyms(in: cache)?.map(\.id) ?? []) == ["a", "b"])
    }

    @Test("On a constant collection of optional identifiers the setter ignores nil")
    func constantOptionalElements() throws {
        let tags = ["a", "b"].map { Tag(id: $0, synonymIDs: nil) }
        #expect(throws: RelationshipError.self) { try makePost().setFixedSuggestions(tags, in: cache) }
        #expect(throws: RelationshipError.self) { try makePost().setFixedSuggestions([], in: cache) }
        #expect(cache.count == 0)
        try makePost().setFixedSuggestions([tags[0]], in: cache)
        #expect(makePost().fixedSuggestions(in: cache) == [tags[0]])
    }

    @Test("A property with a private setter counts as a constant")
    func privateSetter() throws {
        #expect(throws: RelationshipError.self) { try Author(id: "ada").setPosts([makePost()], in: cache) }
        try Author(id: "ada", postIDs: ["1"]).setPosts([makePost()], in: cache)
        #expect(cache.contains(Post.self, id: "1"))
    }

    @Test("A handle has the accessors, and its setter is one commit")
    func handle() throws {
        let handle = Cached(Post.self, id: "1", in: cache)
        #expect(handle.comments == [])
        #expect(handle.missing(\.comments) == [])
        #expect(handle.cached(\.comments) == [])
        #expect(handle.suggestions == nil)
        #expect(throws: RelationshipError.ownerMissing(handle.key)) { try handle.set(\.comments, to: [makeComment(1)]) }
        #expect(cache.count == 0)
        cache.set(makePost(commentIDs: [1]))
        #expect(handle.missing(\.comments) == [1])
        let keys = [handle.key] + [1, 2].map { Post.Comment.flatCacheKey(id: $0) }
        let commits = Commits()
        let subscription = cache.observe(keys, initial: false) { commits.add($0.keys.count) }
        try handle.set(\.comments, to: [makeComment(2), makeComment(1)])
        subscription.cancel()
        #expect(commits.counts == [3])
        #expect(handle.value?.commentIDs == [2, 1])
        #expect(handle.comments.map(\.id) == [2, 1])
        #expect(handle.cached(\.comments).map(\.id) == [2, 1])
    }

    @Test("Other identifier types, and owners that are no entities")
    func otherOwners() {
        let id = UUID()
        cache.set(Media.Attachment(id: id, text: "cat"))
        let post = Post(id: "1", authorID: "ada", replyToID: nil, attachmentIDs: [id])
        #expect(post.attachments(in: cache).map(\.text) == ["cat"])
        cache.set(post)
        #expect(Page<Int>(postIDs: ["1", "2"]).posts(in: cache) == [post])
    }
}
