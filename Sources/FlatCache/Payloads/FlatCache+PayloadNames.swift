/// Qualified names for code that declares a type with the same name as one of the library.
extension FlatCache {
    /// A decoded response whose entities can be stored in a cache.
    public typealias Payload = _Payload
    /// A part of a payload that could not be read or stored.
    public typealias PayloadProblem = _PayloadProblem
    /// The result of storing a payload.
    public typealias StoredPayload = _StoredPayload
    /// A response or another value that changes some properties of one entity.
    public typealias EntityPatch = _EntityPatch
    /// A decoded property that a response or a request can leave out.
    public typealias Omittable = _Omittable
    /// A type whose values decoders decode specially.
    public typealias PayloadLeaf = _PayloadLeaf
    /// A point in the sequence of a cache's commits.
    public typealias CacheRevision = _CacheRevision
    /// A decoded response of any kind whose entities a cache can store.
    public typealias PayloadConvertible = _PayloadConvertible
    /// A response that has the entities of each type under the name of the type.
    public typealias FlatPayload = _FlatPayload
    /// The names of JSON:API.
    public typealias JSONAPI = _JSONAPI
}

/// The first step to ``FlatCache/Payload``.
public typealias _Payload = Payload
/// The first step to ``FlatCache/PayloadProblem``.
public typealias _PayloadProblem = PayloadProblem
/// The first step to ``FlatCache/StoredPayload``.
public typealias _StoredPayload = StoredPayload
/// The first step to ``FlatCache/EntityPatch``.
public typealias _EntityPatch = EntityPatch
/// The first step to ``FlatCache/Omittable``.
public typealias _Omittable = Omittable
/// The first step to ``FlatCache/PayloadLeaf``.
public typealias _PayloadLeaf = PayloadLeaf
/// The first step to ``FlatCache/CacheRevision``.
public typealias _CacheRevision = CacheRevision
/// The first step to ``FlatCache/PayloadConvertible``.
public typealias _PayloadConvertible = PayloadConvertible
/// The first step to ``FlatCache/FlatPayload``.
public typealias _FlatPayload = FlatPayload
/// The first step to ``FlatCache/JSONAPI``.
public typealias _JSONAPI = JSONAPI
