import FlatCache
import Observation
import Testing

@Suite("Generated accessors and the Observation framework")
struct TrackedAccessorTests {
    let cache = FlatCache()
    let ada = Author(id: "ada", name: "Ada")
    let bob = Author(id: "bob", name: "Bob")
    let post: Post

    init() {
        var post = Post(id: "1", authorID: "ada", replyToID: nil, attachmentIDs: [])
        post.commentIDs = [1, 2]
        self.post = post
        cache.set(post)
        cache.set(contentsOf: [ada, bob])
        cache.set(Post.Comment(id: 1, authorID: "bob", answerIDs: nil))
    }

    /// The changes to entities that an accessor may have read.
    enum Change: CaseIterable {
        case author, otherAuthor, storedPost, comment, missingComment, otherComment
    }

    private func make(_ change: Change) {
        switch change {
        case .author: cache.update(Author.self, id: "ada") { $0.name = "Countess" }
        case .otherAuthor: cache.update(Author.self, id: "bob") { $0.name = "Robert" }
        case .storedPost: cache.update(Post.self, id: "1") { $0.title = "New" }
        case .comment: cache.update(Post.Comment.self, id: 1) { $0.postID = "1" }
        case .missingComment: cache.set(Post.Comment(id: 2, authorID: "bob", answerIDs: nil))
        case .otherComment: cache.set(Post.Comment(id: 3, authorID: "bob", answerIDs: nil))
        }
    }

    /// The changes that notify the observers of a body's reads.
    private func changes(thatTell read: (Post, Cached<Post>) -> Void) -> Set<Change> {
        Set(
            Change.allCases.filter { change in
                let tests = TrackedAccessorTests()
                let commits = Commits()
                FlatCache.withCurrent(tests.cache) {
                    withObservationTracking {
                        read(tests.post, Cached(Post.self, id: "1", in: tests.cache))
                    } onChange: {
                        commits.add(1)
                    }
                }
                tests.make(change)
                return !commits.counts.isEmpty
            }
        )
    }

    @Test("Accessors track exactly the entities they read, missing entities included")
    func values() {
        #expect(changes { post, _ in _ = post.author } == [.author])
        #expect(changes { post, _ in _ = post.reviser } == [])
        #expect(changes { post, _ in _ = post.comments } == [.comment, .missingComment])
        #expect(changes { post, _ in _ = post.missing(\.comments) }.contains(.missingComment))
        #expect(changes { post, _ in _ = post.comments.first?.author } == [.comment, .missingComment, .otherAuthor])
    }

    @Test("Accessors with a cache argument track their reads, too; creating a handle tracks nothing")
    func inCache() {
        #expect(changes { post, handle in _ = handle.cache.map { post.author(in: $0) } } == [.author])
        #expect(
            changes { post, handle in _ = handle.cache.map { post.comments(in: $0) } } == [.comment, .missingComment]
        )
        #expect(
            changes { post, handle in _ = handle.cache.map { post.missing(\.comments, in: $0) } }
                .contains(.missingComment)
        )
        #expect(changes { post, _ in _ = (post.cached(\.author), post.cached(\.comments)) } == [])
    }

    @Test("Accessors of a handle track the owner and the related entities")
    func handles() {
        #expect(changes { _, handle in _ = handle.author } == [.storedPost, .author])
        #expect(changes { _, handle in _ = handle.comments } == [.storedPost, .comment, .missingComment])
        #expect(changes { _, handle in _ = handle.missing(\.comments) }.isSuperset(of: [.storedPost, .missingComment]))
        #expect(changes { _, handle in _ = handle.cached(\.author) } == [.storedPost])
    }

    @Test("A computed value follows the reads of accessors")
    func derivation() {
        let postCounts = Commits()
        let post = post
        let subscription = cache.observe {
            post.author?.posts.count ?? -1
        } onChange: {
            postCounts.add($0)
        }
        make(.otherAuthor)
        cache.set(Author(id: "ada", postIDs: ["1", "2"]))
        cache.set(Post(id: "2", authorID: "bob", replyToID: nil, attachmentIDs: []))
        cache.remove(Author.self, id: "ada")
        subscription.cancel()
        #expect(postCounts.counts == [0, 1, 2, -1])
    }
}
