// The module and its class share a name, so that `FlatCache.Cached` means a member of the class and never what the module
// declares. The members below are those names. They are made in two steps, because an alias can't stand for its own name.

/// Names for code that has a type of its own called like one of the library, as a module would qualify them.
///
///     enum FetchError: Error { … }                    // the app's
///     func load() throws(FlatCache.FetchError) { … }  // the library's
///
/// The generated accessors use them, so that entities may be called as they are.
extension FlatCache {
    /// A live handle to one entity in a cache.
    public typealias Cached = _Cached
    /// A value that a cache can hold.
    public typealias Cachable = _Cachable
    /// An entity whose relationships key paths can name.
    public typealias RelationshipOwner = _RelationshipOwner
    /// Why a generated setter, or an accessor that throws, could not do what it was asked to.
    public typealias RelationshipError = _RelationshipError
    /// Where fetched entities come from.
    public typealias FetchPolicy = _FetchPolicy
    /// Why entities could not be fetched.
    public typealias FetchError = _FetchError
}

/// The first step to ``FlatCache/Cached``.
public typealias _Cached = Cached
/// The first step to ``FlatCache/Cachable``.
public typealias _Cachable = Cachable
/// The first step to ``FlatCache/RelationshipOwner``.
public typealias _RelationshipOwner = RelationshipOwner
/// The first step to ``FlatCache/RelationshipError``.
public typealias _RelationshipError = RelationshipError
/// The first step to ``FlatCache/FetchPolicy``.
public typealias _FetchPolicy = FetchPolicy
/// The first step to ``FlatCache/FetchError``.
public typealias _FetchError = FetchError
