/// A value with an identifier that a ``FlatCache`` can store and share between threads.
///
///     struct Post: Cachable {
///         let id: String
///         var title: String
///     }
///
/// Any `Hashable & Sendable` type can be the identifier. If an identifier is unique only on its server, include the
/// server:
///
///     struct StatusID: Hashable, Sendable {
///         var domain: String
///         var id: String
///     }
///
/// Such an identifier can decode itself: its `init(from:)` takes the server from the `userInfo` of the decoder, and the
/// number from the response. Then relationships and patches compose it in the same way. If the `init(from:)` of the
/// entity composes it, make the identifier `Decodable` nevertheless, so that payloads recognise entities without a
/// required property.
///
/// An identifier can't be optional, because entities without one would replace each other. If a server sends entities
/// without an identifier, identify them by what they have: `var id: String { serverID ?? uri }`.
///
/// Conform structures or enumerations. Value semantics make it safe to read a cached entity while another thread replaces it.
/// Don't use a class: an update would change the object under its readers. The compiler refuses a class that doesn't declare both
/// ``merge`` and ``indexes`` itself.
///
/// If the type is `Equatable`, storing a value equal to the stored one doesn't notify, except for a ``PartialEquality``.
public protocol Cachable: Identifiable, _StorableAnswer where ID: Hashable & Sendable {
    /// The way in which an entity of this type combines with the stored one when it is stored.
    ///
    ///     static let merge: Merge<Post> = .newest(by: \.updatedAt)
    ///
    /// The default, ``Merge/replace``, takes no time. The property is read at each write, so declare it as a constant.
    static var merge: Merge<Self> { get }

    /// The indexes of the type, each of one property.
    ///
    ///     static let indexes: [FlatCache.Index<Post>] = [.init(\.authorID)]
    ///
    /// The default is none. The build plugin generates it for types with an annotation that needs an index. An index is
    /// built when it is first needed.
    static var indexes: [FlatCache.Index<Self>] { get }

    /// The rules for entities of the type when an entity that they refer to is removed.
    ///
    ///     static var deleteRules: [FlatCache.DeleteRule<Post>] { [.init(\.author, .cascade)] }
    ///
    /// The default is none: an entity keeps the identifiers of removed ones. The build plugin generates it from annotations
    /// with `delete:`. The property is read once for each cache that the type is used in.
    static var deleteRules: [FlatCache.DeleteRule<Self>] { get }
}

/// An entity or a payload, which a ``StorableMutation`` stores by itself.
public protocol _StorableAnswer: Sendable {}

extension Cachable {
    /// The incoming entity replaces the stored one.
    @inlinable public static var merge: Merge<Self> { .replace }

    /// The type has no indexes.
    @inlinable public static var indexes: [FlatCache.Index<Self>] { [] }

    /// The type has no delete rules.
    @inlinable public static var deleteRules: [FlatCache.DeleteRule<Self>] { [] }

    /// The key under which a cache stores this entity.
    public var flatCacheKey: FlatCacheKey { FlatCacheKey(Self.self, id: id) }

    /// The key under which a cache stores the entity of this type with an identifier.
    ///
    /// - Parameter id: The identifier of an entity. The entity need not be stored.
    /// - Returns: The key of the entity.
    public static func flatCacheKey(id: ID) -> FlatCacheKey { FlatCacheKey(Self.self, id: id) }
}

// The compiler refuses an optional identifier, because entities without one would replace each other. A type with a merge
// of its own is refused by the indexes.
extension Cachable where ID: ExpressibleByNilLiteral {
    /// Unavailable, so that no type with an optional identifier conforms.
    @available(*, unavailable, message: "an identifier can't be optional; declare 'let id: String', or compute it")
    public static var merge: Merge<Self> { .replace }

    /// Unavailable, so that no type with an optional identifier conforms.
    @available(*, unavailable, message: "an identifier can't be optional; declare 'let id: String', or compute it")
    public static var indexes: [FlatCache.Index<Self>] { [] }
}

// The compiler refuses classes in the same way.
extension Cachable where Self: AnyObject {
    /// Unavailable, so that no class conforms.
    @available(*, unavailable, message: "an entity can't be a class; declare it as a struct")
    public static var merge: Merge<Self> { .replace }

    /// Unavailable, so that no class conforms.
    @available(*, unavailable, message: "an entity can't be a class; declare it as a struct")
    public static var indexes: [FlatCache.Index<Self>] { [] }
}

// For a class with an optional identifier, neither of the two above is more specific.
extension Cachable where Self: AnyObject, ID: ExpressibleByNilLiteral {
    /// Unavailable, so that no class conforms.
    @available(*, unavailable, message: "an entity can't be a class; declare it as a struct")
    public static var merge: Merge<Self> { .replace }

    /// Unavailable, so that no class conforms.
    @available(*, unavailable, message: "an entity can't be a class; declare it as a struct")
    public static var indexes: [FlatCache.Index<Self>] { [] }
}
