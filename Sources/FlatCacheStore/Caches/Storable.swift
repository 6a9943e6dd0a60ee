public import FlatCache

/// An entity that a store keeps when the process ends.
///
///     extension Post: Storable {
///         static let storedName = "Post"
///     }
///
///     try FlatCache.setShared(try await FlatCache(store: FileStore(at: folder), for: Post.self, Author.self))
///
/// The store keeps the entities of the type, their ages, and the lists and references of the type.
///
/// ## Changes of the type
///
/// An entity is kept as the members that its `encode(to:)` encodes, each with its name. So properties can be added, if
/// they are optional or have a default in `init(from:)`, removed, and put into another order. A default in the
/// declaration isn't enough, because the `init(from:)` of the compiler requires the member. For other changes, increase
/// ``storedVersion`` and change the members of older entities in ``migrate(_:from:)``:
///
///     static let storedVersion = 2
///
///     static func migrate(_ members: inout StoredMembers, from version: Int) throws {
///         if version < 2 { members.rename("headline", to: "title") }
///     }
///
/// An entity that can't be decoded stays in the store and isn't in memory. The handler of errors receives its type and
/// identifier. All others are restored. `isComplete(_:)` of the type is `false` until all its entities are removed. A
/// removal by the identifier removes the entity from the store, too.
///
/// ## Another form
///
/// A type whose `Codable` conformance is the form of its server, or that isn't `Codable`, can have another
/// ``StoredForm``. Here the app keeps a bookmark that the server doesn't know:
///
///     struct Post: Cachable, Codable {
///         let id: String
///         var title: String
///         var isBookmarked = false
///
///         enum CodingKeys: CodingKey { case id, title }
///     }
///
///     extension Post: Storable {
///         static let storedName = "Post"
///
///         struct StoredForm: Codable {
///             var id: String
///             var title: String
///             var isBookmarked: Bool
///         }
///
///         var storedForm: StoredForm { StoredForm(id: id, title: title, isBookmarked: isBookmarked) }
///
///         init(storedForm: StoredForm) {
///             self.init(id: storedForm.id, title: storedForm.title, isBookmarked: storedForm.isBookmarked)
///         }
///     }
///
/// ## Identifiers
///
/// The identifier is the key of an entity in the store. Identifiers that are equal must be encoded to equal values, and
/// others to other values. The library can't check this. `String??`, for example, can't be one, because both kinds of
/// `nil` are encoded as one value. Strings are normalized.
public protocol Storable: Cachable where ID: Codable {
    /// The name of the type in the store, which must never change.
    ///
    /// Entities under an earlier name remain in the store, unread; ``CacheStore/otherTypes`` has such names. The name
    /// isn't derived from the names of the type and its module, so these can be changed. Each type of a cache has a
    /// name of its own, of at most 65,535 bytes in UTF-8. With a longer one, the opening throws
    /// ``StoreError/nameTooLong(_:)``.
    static var storedName: String { get }

    /// The version of the stored form, 1 by default.
    ///
    /// A store with entities of a newer version isn't opened, and nothing is changed in it.
    static var storedVersion: Int { get }

    /// Changes the members of an entity that was stored by an older version. By default, it changes nothing.
    ///
    ///     static func migrate(_ members: inout StoredMembers, from version: Int) throws {
    ///         if version < 2 {
    ///             let likes = try members["likes", as: String.self] ?? "0"
    ///             try members.set("likes", to: Int(likes) ?? 0)
    ///             try members.update("card") { $0.rename("link", to: "url") }
    ///         }
    ///     }
    ///
    /// To test a migration, store entities of a second type with the same ``storedName``, whose properties are those of
    /// the old version.
    ///
    /// - Parameters:
    ///   - members: The members by name.
    ///   - version: The version that stored the entity.
    /// - Throws: An error if the members can't be changed. Then the entity stays in the store and isn't in memory.
    static func migrate(_ members: inout StoredMembers, from version: Int) throws

    /// What is stored of an entity, by default the entity.
    associatedtype StoredForm: Codable = Self

    /// What is stored of this entity.
    var storedForm: StoredForm { get }

    /// Creates the entity from what was stored.
    ///
    /// - Parameter storedForm: What was stored.
    /// - Throws: An error if no entity can be made of it. Then it stays in the store and isn't in memory.
    init(storedForm: StoredForm) throws

    /// Decodes entities and stores them in a new cache.
    ///
    /// Only the library calls it, and no type implements it.
    static func _restore(_ entities: _StoredEntities, in cache: FlatCache)

    /// Returns the changed entities that a store takes.
    ///
    /// Only the library calls it, and no type implements it.
    static func _changes(in changes: _StoredChanges) -> _ChangedEntities<Self>
}

extension Storable {
    /// The version 1.
    public static var storedVersion: Int { 1 }

    /// Changes nothing.
    public static func migrate(_ members: inout StoredMembers, from version: Int) throws {}
}

extension Storable where StoredForm == Self {
    /// The entity itself.
    @inlinable public var storedForm: Self { self }

    /// Creates the entity that was stored.
    @inlinable public init(storedForm: Self) { self = storedForm }
}

extension Storable {
    /// Decodes entities and stores them in a new cache.
    ///
    /// It is inlinable so that it is specialized for the type, in the module of the type.
    @inlinable public static func _restore(_ entities: _StoredEntities, in cache: FlatCache) {
        let restoration = EntityRestoration<Self>(in: cache, at: entities.time)
        entities.forEach { entity in
            restoration.store(try entity.value(as: Self.self), ordinal: entity.ordinal, stamp: entity.stamp)
        }
        if entities.hasStaleOnes { cache.beginWithInvalidEntities(of: Self.self) }
    }

    /// Returns the changed entities that a store takes.
    ///
    /// It is inlinable so that it is specialized for the type, in the module of the type.
    @inlinable public static func _changes(in changes: _StoredChanges) -> _ChangedEntities<Self> {
        _ChangedEntities(changes.changes.entities(of: Self.self))
    }
}
