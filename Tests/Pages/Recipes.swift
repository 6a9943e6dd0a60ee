import FlatCache
import Foundation
import Synchronization

struct Response {
    let status = 200
    let tag: String? = nil
    let body = Data()
}

extension API {
    func send(_ path: String, ifNoneMatch tag: String?) async throws -> Response { leftOut() }
    func authors(_ ids: Set<Author.ID>) async throws -> [Author] { leftOut() }
    func markRead(_ id: Post.ID) async throws {}
}

struct Connection: Sendable {
    func wait() async throws {}
}

let connection = Connection()

let home = FlatCache.shared.list("home", of: Post.self)
var posts: CachedQuery<Post> { leftOut() }
var post: Cached<Post> { leftOut() }

enum Message {
    case changed(Data), removed(Post.ID), reconnected
}

struct Socket {
    let messages = AsyncThrowingStream<Message, any Error> { nil }
}

let socket = Socket()

struct Logger: Sendable {
    func debug(_ message: String) {}
}

let logger = Logger()

extension View {
    func task(id: some Equatable, _ action: @escaping @isolated(any) @Sendable () async -> Void) -> some View {
        Shown()
    }
}

// The declarations of UIKit that the page uses.

struct NSDiffableDataSourceSnapshot<Section: Hashable, Item: Hashable> {
    mutating func appendSections(_ sections: [Section]) {}
    mutating func appendItems(_ items: [Item]) {}
    mutating func reconfigureItems(_ items: [Item]) {}
}

@MainActor final class UITableViewDiffableDataSource<Section: Hashable, Item: Hashable> {
    func apply(_ snapshot: NSDiffableDataSourceSnapshot<Section, Item>, animatingDifferences: Bool) {}
}
