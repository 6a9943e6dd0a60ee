/// A value that a ``FlatCache`` can hold: identified, and safe to hand from one thread to another.
///
///     struct Post: Cachable {
///         let id: String
///         var title: String
///     }
///
/// Any `Hashable & Sendable` type can be the identifier. Where the same identifier means different things on different
/// servers, make the server part of it:
///
///     struct StatusID: Hashable, Sendable {
///         var domain: String
///         var id: String
///     }
///
/// Conform structures. Value semantics are what makes a cached entity safe to read while another thread replaces it.
///
/// An entity that is `Equatable` has its unchanged writes recognised: storing a value equal to the stored one tells
/// no observer.
public protocol Cachable: Identifiable, Sendable where ID: Hashable & Sendable {}

extension Cachable {
    /// The key under which a cache stores this entity.
    public var flatCacheKey: FlatCacheKey { FlatCacheKey(Self.self, id: id) }

    /// The key under which a cache stores the entity of this type with the given identifier.
    ///
    /// - Parameter id: The identifier of an entity, which need not be stored anywhere.
    /// - Returns: The key of the entity.
    public static func flatCacheKey(id: ID) -> FlatCacheKey { FlatCacheKey(Self.self, id: id) }
}
