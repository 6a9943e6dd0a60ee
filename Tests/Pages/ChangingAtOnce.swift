import FlatCache
import FlatCacheStore
import Foundation

struct Post: Cachable, Codable, Equatable {
    let id: String
    var title = ""
    var text = ""
    var isFavourite = false
    var likes = 0
    var version = 0
    var clientKey: UUID?
    // relationship: Author
    var authorID: Author.ID?
}

struct Author: Cachable, Codable {
    let id: String
    var favouriteCount = 0
}

struct Draft: Cachable {
    let id: String
    var text = ""
}

struct Reply: Cachable {
    let id: String
    // relationship: Post
    var postID: Post.ID
}

extension Post: Storable { static let storedName = "Post" }

extension API {
    func favourite(_ id: Post.ID, idempotencyKey: String = "") async throws -> Post { leftOut() }
    func setFavourite(_ id: Post.ID, _ isFavourite: Bool) async throws {}
    func like(_ id: Post.ID) async throws -> (likes: Int, version: Int) { leftOut() }
    func update(_ post: Post) async throws -> Post { leftOut() }
    func create<Value>(_ entity: Value) async throws -> Value { leftOut() }
}

func retryUntilOnline<Answer>(_ request: () async throws -> Answer) async throws -> Answer { leftOut() }

let store = FileStore(at: folder)
var post: Cached<Post> { leftOut() }
var like: Mutation<Post> { leftOut() }
var draft: Post { leftOut() }
var home: CachedList<Post> { leftOut() }
var favourites: CachedList<Post> { leftOut() }
let authorID = "7"
let title = ""
let text = ""
