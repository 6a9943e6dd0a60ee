// What the compiler refuses, with the messages that say what to write.

import FlatCache

struct Author: Cachable, Codable {
    let id: String
}

struct Post: Cachable, Codable {
    let id: String
    var title: String
    // relationship: Author
    var authorID: String
}

extension Post: FlatCache.RelationshipOwner {
    static var relationships: Relationships { Relationships() }
    struct Relationships: Sendable {
        var author: _ToOne<Author> {
            .init("Post.authorID") {
                $0.authorID
            } set: {
                $0.authorID = $1
            }
        }
    }
}

// expected-error@+3 {{type 'Song' does not conform to protocol 'Cachable'}}
// expected-error@+2 {{an identifier can't be optional; declare 'let id: String', or compute it}}
// expected-error@+1 {{an identifier can't be optional; declare 'let id: String', or compute it}}
struct Song: Cachable {
    let id: String?
}

// expected-error@+2 {{type 'MergedSong' does not conform to protocol 'Cachable'}}
// expected-error@+1 {{an identifier can't be optional; declare 'let id: String', or compute it}}
struct MergedSong: Cachable {
    let id: String?
    static var merge: Merge<MergedSong> { .replace }
}

// expected-error@+3 {{type 'Album' does not conform to protocol 'Cachable'}}
// expected-error@+2 {{an entity can't be a class; declare it as a struct}}
// expected-error@+1 {{an entity can't be a class; declare it as a struct}}
final class Album: Cachable {
    let id = ""
}

// expected-error@+2 {{type 'MergedAlbum' does not conform to protocol 'Cachable'}}
// expected-error@+1 {{an entity can't be a class; declare it as a struct}}
final class MergedAlbum: Cachable {
    let id = ""
    static var merge: Merge<MergedAlbum> { .replace }
}

// expected-error@+3 {{type 'Single' does not conform to protocol 'Cachable'}}
// expected-error@+2 {{an entity can't be a class; declare it as a struct}}
// expected-error@+1 {{an entity can't be a class; declare it as a struct}}
final class Single: Cachable {
    let id: String? = ""
}

func properties(of handle: Cached<Post>, _ author: Author) throws {
    handle.title = ""  // expected-error {{write 'handle.update { $0.title = … }'}}
    handle.title? += ""  // expected-error {{write 'handle.update { $0.title = … }'}}
    handle.set(\.title, to: "")  // expected-error {{'set' sets relationships; write 'handle.update { $0.title = … }'}}
    try handle.set(\.author, to: author)
}

// The answer of a stored mutation needs no declaration.
struct Retitling: StorableMutation {
    static let storedName = "retitling"
    func change(_ change: inout MutationChanges) {}
    func send(_ context: MutationContext) async throws -> Payload<Post> { throw CancellationError() }
}

func stored(_ mutation: Mutation<StoredPayload<Post>>, in cache: FlatCache) {
    let begun = [mutation, cache.mutate(Retitling())]
    _ = begun
}

struct Feed: Decodable {
    let postIDs: [Post.ID]
    let next: String?
    let previous: String?
}

func pages(of feed: Feed) {
    // expected-error@+1 {{decode 'Payload<…>' of the response's type, instead of the type itself}}
    _ = ListPage<Post, String>(feed, ids: \.postIDs, next: \.next)
    // expected-error@+1 {{decode 'Payload<…>' of the response's type, instead of the type itself}}
    _ = ListPage<Post, String>(feed, ids: \.postIDs, next: \.next, previous: \.previous)
}

struct Page: Decodable {
    let posts: [Post]
    let next: String
    let following: String?
    var postIDs: [String] { posts.map(\.id) }
}

// A cursor that is never nil isn't an end.
func loader(of list: CachedList<Post>, _ page: Payload<Page>) {
    list.setLoader { (cursor: String?) in
        // expected-warning@+1 {{'next' is never nil here: write 'next: { $0.next.isEmpty ? nil : $0.next }'}}
        ListPage(page, ids: \.postIDs, next: \.next)
    }
    list.setLoader { (cursor: String?) in ListPage(page, ids: \.postIDs, next: \.following) }
    list.setLoader { (cursor: String?) in ListPage(page, ids: \.postIDs, next: { $0.next.isEmpty ? nil : $0.next }) }
}
