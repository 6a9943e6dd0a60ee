import FlatCache
import Foundation

struct CommentThread {
    let comments: [Comment]
    let authors: [Author]
}

struct Server: Sendable {
    func authors(_ ids: Set<Author.ID>) async throws -> [Author] { leftOut() }
    func tag(_ id: Tag.ID) async throws -> Tag? { leftOut() }
    func posts(_ ids: Set<Post.ID>) async throws -> Data { leftOut() }
    func comments(_ ids: Set<Comment.ID>) async throws -> [CommentThread] { leftOut() }
}

let server = Server()
let testClock = ContinuousClock()
