// The module and its class share a name, so `FlatCache.Cached` refers to a member of the class and never to a
// declaration of the module. The members below provide these names. They need two steps, because an alias can't refer
// to its own name.

/// Qualified names for code that declares a type with the same name as one of the library.
///
///     enum FetchError: Error { … }                    // the app's
///     func load() throws(FlatCache.FetchError) { … }  // the library's
///
/// The generated accessors use them, so that entities can have any of these names.
extension FlatCache {
    /// A live handle to one entity in a cache.
    public typealias Cached = _Cached
    /// A value that a cache can hold.
    public typealias Cachable = _Cachable
    /// The way in which an incoming entity combines with the stored one.
    public typealias Merge = _Merge
    /// A type whose relationships can be written as key paths.
    public typealias RelationshipOwner = _RelationshipOwner
    /// The reason why related entities could not be set or returned.
    public typealias RelationshipError = _RelationshipError
    /// Whether an entity comes from the cache or from the fetcher.
    public typealias FetchPolicy = _FetchPolicy
    /// The reason why entities could not be fetched.
    public typealias FetchError = _FetchError
    /// A type whose `==` leaves out properties.
    public typealias PartialEquality = _PartialEquality
}

/// The first step to ``FlatCache/Cached``.
public typealias _Cached = Cached
/// The first step to ``FlatCache/Cachable``.
public typealias _Cachable = Cachable
/// The first step to ``FlatCache/Merge``.
public typealias _Merge = Merge
/// The first step to ``FlatCache/RelationshipOwner``.
public typealias _RelationshipOwner = RelationshipOwner
/// The first step to ``FlatCache/RelationshipError``.
public typealias _RelationshipError = RelationshipError
/// The first step to ``FlatCache/FetchPolicy``.
public typealias _FetchPolicy = FetchPolicy
/// The first step to ``FlatCache/FetchError``.
public typealias _FetchError = FetchError
/// The first step to ``FlatCache/PartialEquality``.
public typealias _PartialEquality = PartialEquality
