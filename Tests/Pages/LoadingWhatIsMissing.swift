import FlatCache
import Foundation

struct CommentThread {
    let comments: [Comment]
    let authors: [Author]
}

struct Server: Sendable {
    func author(_ id: Author.ID) async throws -> Data? { leftOut() }
    func authors(_ ids: Set<Author.ID>) async throws -> [Author] { leftOut() }
    func post(_ id: Post.ID) async throws -> Post? { leftOut() }
    func posts(_ ids: Set<Post.ID>) async throws -> Data { leftOut() }
    func comments(_ ids: Set<Comment.ID>) async throws -> [CommentThread] { leftOut() }
}

struct Screen: Equatable {
    init(_ post: Post?, _ status: EntityStatus) {}
}

let server = Server()
let testClock = ContinuousClock()
