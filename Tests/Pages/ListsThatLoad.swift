import FlatCache
import Foundation

struct Message: Cachable, Codable {
    let id: String
}

struct PostResponse {
    let posts: [Post]
    let nextCursor: String?
}

struct MessageResponse {
    let messages: [Message]
    let next: Message.ID?
    let previous: Message.ID?
}

extension API {
    func posts(after cursor: String?) async throws -> PostResponse { leftOut() }
    func page(after cursor: String?) async throws -> ListPage<Post, String> { leftOut() }
    func data(after cursor: String?) async throws -> (Data, String?) { leftOut() }
    func messages() async throws -> MessageResponse { leftOut() }
    func messages(after id: Message.ID) async throws -> MessageResponse { leftOut() }
    func messages(before id: Message.ID) async throws -> MessageResponse { leftOut() }
    func messages(around id: Message.ID) async throws -> MessageResponse { leftOut() }
}

struct PostRow: View {
    let id: Post.ID
    var body: some View { Text(id) }
}

var home: CachedList<Post> { leftOut() }
let unread = "42"
var account: Author { leftOut() }
