import FlatCache
import Foundation

/// An entity type that random sequences use.
protocol ModelledEntity: Cachable {
    static var kind: ModelKind { get }

    /// The identifiers by number.
    static var ids: [ID] { get }

    /// Creates the entity with the identifier of a number.
    static func make(number: Int, content: Int) -> Self

    var content: Int { get }
}

extension ModelledEntity {
    static func make(_ entity: ModelEntity) -> Self { make(number: entity.key.number, content: entity.content) }

    static func key(of id: ID) -> ModelKey? { ids.firstIndex(of: id).map { ModelKey(kind, $0) } }

    var modelEntity: ModelEntity? { Self.key(of: id).map { ModelEntity(key: $0, content: content) } }
}

extension ModelKey {
    /// The key in the cache.
    var cacheKey: FlatCacheKey { Self.cacheKeys[index] }

    /// The key in the model of a key in the cache.
    init?(_ key: FlatCacheKey) {
        guard let index = Self.indices[key] else { return nil }
        self.init(index: index)
    }

    private static let cacheKeys = all.map { key in
        func make<Value: ModelledEntity>(_ type: Value.Type) -> FlatCacheKey {
            type.flatCacheKey(id: type.ids[key.number])
        }
        return make(key.kind.type)
    }

    private static let indices = Dictionary(uniqueKeysWithValues: all.map { ($0.cacheKey, $0.index) })
}

extension Post: ModelledEntity {
    static let kind = ModelKind.post
    static let ids = ["1", "10", "", "Post:1/ü"]
    static func make(number: Int, content: Int) -> Post { Post(id: ids[number], likes: content) }
    var content: Int { likes }
}

extension Colliding: ModelledEntity {
    static let kind = ModelKind.colliding
    static let ids = ModelKind.numbers.map { CollidingID(number: $0) }
    static func make(number: Int, content: Int) -> Colliding { Colliding(number, count: content) }
    var content: Int { count }
}

extension Attachment: ModelledEntity {
    static let kind = ModelKind.attachment
    static let ids = ModelKind.numbers.map {
        UUID(uuid: (UInt8($0), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1))
    }
    static func make(number: Int, content: Int) -> Attachment { Attachment(id: ids[number], name: "\(content)") }
    var content: Int { Int(name) ?? -1 }
}

extension Status: ModelledEntity {
    static let kind = ModelKind.status
    static let ids = [("a", "1"), ("a", "2"), ("b", "1"), ("a1", "")].map { StatusID(domain: $0, id: $1) }
    static func make(number: Int, content: Int) -> Status { Status(id: ids[number], text: "\(content)") }
    var content: Int { Int(text) ?? -1 }
}

/// An entity that reads the cache when it is released, which must not happen while the cache holds a lock.
struct Released: Cachable, Equatable, ModelledEntity {
    static let kind = ModelKind.released
    static let ids = ModelKind.numbers.map { Int8($0) }
    static func make(number: Int, content: Int) -> Released {
        Released(id: ids[number], content: content, reader: Reader(ids[number]))
    }

    let id: Int8
    let content: Int
    private let reader: Reader

    static func == (lhs: Released, rhs: Released) -> Bool { lhs.id == rhs.id && lhs.content == rhs.content }

    private final class Reader: Sendable {
        private let id: Int8

        init(_ id: Int8) {
            self.id = id
        }

        deinit {
            _ = FlatCache.current.contains(Released.self, id: id)
        }
    }
}

extension Versioned: ModelledEntity {
    static let kind = ModelKind.versioned
    static let ids = [1, 2, .max, .min]
    static func make(number: Int, content: Int) -> Versioned { Versioned(id: ids[number], version: content) }
    var content: Int { version ?? -1 }
}

extension Draft: ModelledEntity {
    static let kind = ModelKind.draft
    static let ids = [1, 10, 0, -1]
    static func make(number: Int, content: Int) -> Draft { Draft(id: ids[number], text: "\(content)") }
    var content: Int { Int(text) ?? -1 }
}
