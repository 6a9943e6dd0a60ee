import FlatCache
import Foundation

/// A server with its requests and answers, for the fetchers of a test.
final class Server: @unchecked Sendable {  // Guarded by the lock.
    private let lock = NSLock()
    private var asked: [String] = []

    struct Outage: Error {}

    /// The requests so far: the type with its identifiers, sorted.
    var requests: [String] { lock.withLock { asked } }

    /// The requested identifiers so far, regardless of the requests that contained them: the type with each identifier, sorted.
    var entities: [String] {
        requests.flatMap { request in
            let words = request.split(separator: " ")
            return words.dropFirst().map { "\(words[0]) \($0)" }
        }.sorted()
    }

    /// Records a request.
    func note<Value: Cachable>(_ type: Value.Type, _ ids: Set<Value.ID>) {
        let ids = ids.map { "\($0)" }.sorted().joined(separator: " ")
        lock.withLock { asked.append("\(type) \(ids)") }
    }

    /// Sets fetchers that answer with a post, author, comment or tag for each identifier that is not in `missing`.
    func serve(_ cache: FlatCache, without missing: Set<String> = []) {
        cache.setFetcher(of: Post.self) { ids in
            self.note(Post.self, ids)
            return ids.subtracting(missing).map { id in
                var post = Post(id: id, authorID: "of\(id)", replyToID: nil, attachmentIDs: [])
                post.commentIDs = [2, 1]
                return post
            }
        }
        cache.setFetcher(of: Author.self) { ids in
            self.note(Author.self, ids)
            return ids.subtracting(missing).map { Author(id: $0, name: $0.uppercased()) }
        }
        cache.setFetcher(of: Post.Comment.self) { ids in
            self.note(Post.Comment.self, ids)
            return ids.filter { !missing.contains("\($0)") }.map {
                Post.Comment(id: $0, authorID: "by\($0)", answerIDs: nil)
            }
        }
        cache.setFetcher(of: Tag.self) { ids in
            self.note(Tag.self, ids)
            return ids.subtracting(missing).map { Tag(id: $0, synonymIDs: nil) }
        }
    }
}
