/// A response or another value that changes some properties of one entity.
///
///     struct ProfileResponse: Decodable, EntityPatch {
///         let id: String
///         let name: String
///         @Omittable var note: String?
///
///         func apply(to account: inout Account) {
///             account.name = name
///             $note.assign(to: &account.note)
///         }
///     }
///
/// Servers often send an entity in several shapes. Each shape can be a patch, and the entity type needs no properties of
/// its own for them. A ``Payload`` finds the patches that are `Decodable` where it finds entities: as its root, in
/// structures, collections, entities and other patches. Patches that were decoded or made in another way are stored
/// by `cache.store(patch)` and `cache.store(patches)`.
///
/// Patches are applied when they are stored, to the entities in the state of that commit, so concurrent writes are not
/// lost. Several patches and entities with one identifier are applied and stored in the order of the payload. Those that
/// are nested in a patch count before it.
///
/// A patch may contain entities and other patches, for example an image in a profile. They are stored in the same
/// commit, so `apply` can set `account.avatarID = avatar.id`. An identifier with an annotation also accepts an entity:
/// `let avatarID: Image.ID` after `// relationship: Image`. If a nested value can't be read, the patch can't be read
/// either, unless the value is an element of an array or a dictionary.
///
/// If a patch or an entity calls `init(from:)` of a patch with its own decoder, that patch is a part of it and isn't
/// applied by itself. A patch type that is ``Cachable`` is an entity in a payload, which stores it and doesn't apply it.
///
/// Patches don't pass through the merging of whole entities, because they decide themselves what they change.
///
/// ## Calls
///
/// The methods run without a lock and may use the cache, which is the ``FlatCache/FlatCache/current`` one. They run in
/// the transaction that stores the patch, so they can run more than once. They need not find the other entities of the
/// payload in the cache, because entities of different types are stored in no particular order. If they store or remove
/// the entity themselves, the result of ``apply(to:)`` replaces that.
public protocol EntityPatch<Entity>: Sendable {
    /// The type of the entity, which can be inferred from ``apply(to:)``.
    associatedtype Entity: Cachable

    /// The identifier of the entity.
    var id: Entity.ID { get }

    /// Changes the stored entity, or the entity that ``makeEntity()`` has returned.
    ///
    /// If the result has another identifier than the patch, it isn't stored, and the problem is
    /// ``PayloadProblem/Reason/changesIdentifier``.
    ///
    /// - Parameter entity: The entity with the identifier of the patch.
    func apply(to entity: inout Entity)

    /// Returns a new entity if none is stored, to which the patch is then applied.
    ///
    /// By default, this method returns `nil`. Then nothing is stored, and the problem is
    /// ``PayloadProblem/Reason/nothingStored``. Declare the result as optional, or the default is called instead.
    func makeEntity() -> Entity?
}

extension EntityPatch {
    /// Returns `nil`: if no entity is stored, the patch makes none.
    public func makeEntity() -> Entity? { nil }
}
