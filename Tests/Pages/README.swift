import FlatCache
import Foundation
import PackageDescription

struct Comment: Cachable, Codable, Equatable {
    let id: String
    var updatedAt: Date
    // relationship: Author
    var authorID: Author.ID
    // relationship: Comment
    var replyIDs: [Comment.ID] = []
}

struct Server: Sendable {
    func author(_ id: Author.ID) async throws -> Author { leftOut() }
    func authors(_ ids: Set<Author.ID>) async throws -> [Author] { leftOut() }
}

let server = Server()
var keys: [FlatCacheKey] { leftOut() }
var page: [Post] { leftOut() }
var olderPage: [Post] { leftOut() }
var oldest: Post { leftOut() }
