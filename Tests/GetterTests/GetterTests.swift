import FlatCache
import Foundation
import Testing

@Suite("The getters of Getters.mustache")
struct GetterTests {
    private let cache = FlatCache()
    private let post = Post(id: "1", authorID: "7", replyToID: nil, commentIDs: [2, 1], attachmentIDs: [])

    @Test("A getter returns the cached entity, or nil")
    func toOne() {
        #expect(post.author(in: cache) == nil)
        cache.set(Author(id: "7", name: "Ada"))
        #expect(post.author(in: cache)?.name == "Ada")
        #expect(FlatCache.withCurrent(cache) { post.author } == post.author(in: cache))
        #expect(post.repliedTo(in: cache) == nil)
    }

    @Test("A to-many getter returns the cached entities in order")
    func toMany() {
        cache.set(Post.Comment(id: 1, authorID: "7", answerIDs: nil))
        #expect(post.comments(in: cache).map(\.id) == [1])
        cache.set(Post.Comment(id: 2, authorID: "7", answerIDs: [1]))
        #expect(post.comments(in: cache).map(\.id) == [2, 1])
        #expect(cache.get(Post.Comment.self, id: 2)?.answers(in: cache)?.map(\.id) == [1])
        #expect(cache.get(Post.Comment.self, id: 1)?.answers(in: cache) == nil)
    }

    @Test("A backlink returns the entities that refer to an entity, and needs an index")
    func backlinks() {
        cache.set(Book(id: 1, novelistID: 1, prequelID: nil, checkerID: nil))
        #expect(Novelist(id: 1).books(in: cache).map(\.id) == [1])
        #expect(Book.indexes.contains(.init(\.novelistID)))
    }

    @Test("A getter of rows is flat, one of a dictionary has its keys, and one of a case is nil in another case")
    func shapes() {
        let ann = Player(id: "ann")
        cache.set(ann)
        cache.set(contentsOf: [2, 1].map { Cell(id: $0) })
        let board = Board(
            id: "1",
            cellIDs: [[1, 2], [3, 1]],
            cornerIDs: [],
            playerIDs: [.white: "ann", .black: "bob"]
        )
        #expect(board.cells(in: cache).map(\.id) == [1, 2, 1])
        #expect(board.marks(in: cache) == nil)
        #expect(board.players(in: cache) == [.white: ann])
        #expect(Owner.player("ann").player(in: cache) == ann)
        #expect(Owner.nobody.player(in: cache) == nil)
    }

    @Test("Observation tracks the reads of a getter")
    func observation() {
        cache.set(post)
        let names = Names()
        let handle = Cached(Post.self, id: "1", in: cache)
        let subscription = FlatCache.withCurrent(cache) {
            cache.observe {
                handle.value?.author?.name
            } onChange: {
                names.add($0)
            }
        }
        cache.set(Author(id: "7", name: "Ada"))
        #expect(names.all == [nil, "Ada"])
        subscription.cancel()
    }
}

/// Collects names.
private final class Names: @unchecked Sendable {  // Guarded by the lock.
    private let lock = NSLock()
    private var collected: [String?] = []

    var all: [String?] { lock.withLock { collected } }

    func add(_ name: String?) {
        lock.withLock { collected.append(name) }
    }
}
