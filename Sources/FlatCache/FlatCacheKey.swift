/// The identity of an entity in a ``FlatCache``, which consists of its type and its identifier.
///
///     let key = FlatCacheKey(Post.self, id: "1")
///     key == post.flatCacheKey        // true for the post with the identifier "1"
///     print(key)                      // Blog.Post("1")
///
/// Two keys are equal if the types are the same and the identifiers are equal. The type itself is compared, not its
/// name. So types with the same name in two modules or functions have different keys, and no character in an identifier
/// can make two keys equal.
///
/// Change sets and observers of several keys use keys. Reading and writing don't need keys: ``FlatCache/get(_:id:)``
/// takes a type and an identifier, which is faster.
public struct FlatCacheKey: Hashable, Sendable {
    /// The type of the entity.
    public let entityType: any Cachable.Type

    /// The identifier of the entity, a value of the type's `ID`.
    public let id: any Hashable & Sendable

    /// Creates the key of an entity, which need not be stored.
    ///
    /// - Parameters:
    ///   - entityType: The type of the entity.
    ///   - id: The identifier of the entity.
    public init<Value: Cachable>(_ entityType: Value.Type, id: Value.ID) {
        self.entityType = entityType
        self.id = id
    }

    /// Returns the identifier as the `ID` of a type, or `nil` if the key has another type.
    ///
    /// - Parameter entityType: The expected type of the entity.
    public func id<Value: Cachable>(as entityType: Value.Type) -> Value.ID? {
        guard self.entityType == entityType else { return nil }
        return id as? Value.ID
    }

    /// Returns whether two keys have the same type and equal identifiers.
    public static func == (lhs: FlatCacheKey, rhs: FlatCacheKey) -> Bool {
        guard lhs.entityType == rhs.entityType else { return false }
        // A local constant, because the compiler doesn't open an existential property that shares its name with a method.
        let id = lhs.id
        return rhs.hasID(id)
    }

    private func hasID<ID: Hashable>(_ other: ID) -> Bool { id as? ID == other }

    /// Feeds the type and the identifier into a hasher.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(entityType))
        id.hash(into: &hasher)
    }
}

extension FlatCacheKey: CustomStringConvertible {
    /// A text with the qualified name of the type and the identifier in parentheses: `Blog.Post("1")`.
    public var description: String { "\(String(reflecting: entityType))(\(String(reflecting: id)))" }
}

extension FlatCacheKey {
    /// A text with the first keys and the number of others.
    static func list(_ keys: [FlatCacheKey], limit: Int = 5) -> String {
        Summary.list(keys.count, keys.lazy.map { $0.description }, limit: limit)
    }
}
