/// The identity of an entity in a ``FlatCache``: its type and its identifier.
///
///     let key = FlatCacheKey(Post.self, id: "1")
///     key == post.flatCacheKey        // true for the post with the identifier "1"
///     print(key)                      // Blog.Post("1")
///
/// Two keys are equal when the types are the same and the identifiers are equal. The type itself is compared, not its
/// name, so that types with one name in two modules, or in two functions, have different keys, and no character in an
/// identifier can make one key look like another.
///
/// Change sets and observers of several keys speak in keys. Reading and writing need none: ``FlatCache/get(_:id:)``
/// takes a type and an identifier as they are, and is faster for it.
public struct FlatCacheKey: Hashable, Sendable {
    /// The type of the entity.
    public let entityType: any Cachable.Type

    /// The identifier of the entity, a value of the type's `ID`.
    public let id: any Hashable & Sendable

    /// Creates the key of an entity, which need not be stored anywhere.
    ///
    /// - Parameters:
    ///   - entityType: The type of the entity.
    ///   - id: The identifier of the entity.
    public init<Value: Cachable>(_ entityType: Value.Type, id: Value.ID) {
        self.entityType = entityType
        self.id = id
    }

    /// Returns the identifier as the `ID` of a type, or `nil` when this is not a key of that type.
    ///
    /// - Parameter entityType: The type that the entity should have.
    public func id<Value: Cachable>(as entityType: Value.Type) -> Value.ID? {
        guard self.entityType == entityType else { return nil }
        return id as? Value.ID
    }

    /// Returns whether two keys name the same entity.
    public static func == (lhs: FlatCacheKey, rhs: FlatCacheKey) -> Bool {
        guard lhs.entityType == rhs.entityType else { return false }
        // A local constant, because the compiler doesn't open an existential property that shares its name with a method.
        let id = lhs.id
        return rhs.hasID(id)
    }

    private func hasID<ID: Hashable>(_ other: ID) -> Bool { id as? ID == other }

    /// Feeds type and identifier into a hasher.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(entityType))
        id.hash(into: &hasher)
    }
}

extension FlatCacheKey: CustomStringConvertible {
    /// The qualified name of the type with the identifier in parentheses: `Blog.Post("1")`.
    public var description: String { "\(String(reflecting: entityType))(\(String(reflecting: id)))" }
}
