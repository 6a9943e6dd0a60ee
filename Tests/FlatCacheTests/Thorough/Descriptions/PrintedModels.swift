import FlatCache
import Foundation

/// A post with relationships, whose name in descriptions is that of the tests' module.
struct Toast: Cachable, Codable, Equatable, RelationshipOwner {
    var id: String
    var title = ""
    var likes = 0
    var hostID: String?
    var cookIDs: [String] = []

    var titleLength: Int { title.count }

    struct Relationships: Sendable {
        var host: _ToOptional<Cook> { .init("hostID", { $0.hostID }, set: { $0.hostID = $1 }) }
        var cooks: _ToMany<Cook> { .init("cookIDs", { $0.cookIDs }, set: { $0.cookIDs = $1 }) }
    }
    static var relationships: Relationships { Relationships() }
    static var allRelationships: _All { [.init(\.host), .init(\.cooks)] }
}

struct Cook: Cachable, Codable, Equatable, RelationshipOwner {
    var id: String
    var name = ""
    var toastIDs: [String] = []

    struct Relationships: Sendable {
        var toasts: _ToMany<Toast> { .init("toastIDs", { $0.toastIDs }, set: { $0.toastIDs = $1 }) }
    }
    static var relationships: Relationships { Relationships() }
}

struct Renaming: StorableMutation {
    static let storedName = "rename"
    let id: String

    func change(_ change: inout MutationChanges) { change.update(Toast.self, id: id) { $0.title = "new" } }

    func send(_ context: MutationContext) async throws {}
}

struct Rejection: Error, CustomStringConvertible {
    var description: String { "the server refuses" }
}

extension FlatCache {
    /// A cache with three toasts, a cook, and a list in which one entity is missing.
    static func forPrinting() -> FlatCache {
        let cache = FlatCache()
        cache.set(Toast(id: "1", title: "To you", likes: 3, hostID: "7"))
        cache.set(Toast(id: "2", title: "To me", likes: 5))
        cache.set(Toast(id: "3", title: "To all", likes: 8, hostID: "7"))
        cache.set(Cook(id: "7", name: "Ann"))
        cache.list("home", of: Toast.self).replace(withIDs: ["1", "2", "9"])
        return cache
    }

    /// What an observer receives last.
    func received<Value>(
        from begin: (@escaping @Sendable (Value) -> Void) -> CacheSubscription,
        after change: () -> Void = {}
    ) throws -> Value {
        let received = Received<Value>()
        let subscription = begin { received.value = $0 }
        change()
        defer { subscription.cancel() }
        guard let value = received.value else { throw Rejection() }
        return value
    }
}

private final class Received<Value>: @unchecked Sendable {  // Written before it is read, on one thread.
    var value: Value?
}

/// Decodes a value.
func decoded<Value: Decodable>(_ type: Value.Type = Value.self, _ json: String) throws -> Value {
    try JSONDecoder().decode(type, from: Data(json.utf8))
}

/// A value that isn't missing.
func some<Value>(_ value: Value?) throws -> Value {
    guard let value else { throw Rejection() }
    return value
}
