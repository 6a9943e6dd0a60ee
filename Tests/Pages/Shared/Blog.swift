import FlatCache
import FlatCacheStore
import Foundation
import Testing

// What all pages take for granted; `.ci/pages` compiles it with each of them.

struct Post: Cachable, Codable, Equatable {
    let id: String
    var title = ""
    var isRead = false
    // relationship: Author
    var authorID: Author.ID
    // relationship: Comment
    var commentIDs: [Comment.ID] = []
}

struct Author: Cachable, Codable, Equatable {
    let id: String
    var name: String
    var isVerified = false
    var postCount = 0
}

struct Comment: Cachable, Codable, Equatable {
    let id: String
    var text = ""
    // relationship: Author
    var authorID: Author.ID
}

struct Tag: Cachable, Codable, Equatable {
    let id: String
}

// The entities and the cache of an app.

var cache: FlatCache { .current }
var id: Post.ID { leftOut() }
var ids: [Post.ID] { leftOut() }
var post: Post {
    get { leftOut() }
    set {}
}
var posts: [Post] { leftOut() }
var author: Author { leftOut() }
var someone: Author { leftOut() }
var comment: Comment { leftOut() }
var handle: Cached<Post> { leftOut() }

// The server.

struct API: Sendable {
    func get(_ path: String) async throws -> Data { leftOut() }
    func get<Response>(_ path: String, as type: Response.Type) async throws -> Response { leftOut() }
}

let api = API()
let decoder = JSONDecoder()
let folder = URL.temporaryDirectory
var data: Data { leftOut() }

/// Shows values on a screen.
func show(_ values: Any?...) {}

/// Stands for the code that a page leaves out.
func leftOut<Value>() -> Value { fatalError() }
func leftOut() {}
