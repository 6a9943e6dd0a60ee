/// An object that another module attaches to a cache.
///
/// It is a class because `AtomicLazyReference` requires one.
package class CacheAttachment: @unchecked Sendable {  // It has no variables; subclasses guard theirs.
    package init() {}

    /// Whether entities of a type may be on disk and not in memory.
    package func hasStored<Value: Cachable>(_ type: Value.Type) -> Bool { false }

    /// Loads entities that are on disk, unless they are in memory.
    ///
    /// Errors are reported to the handler of the app, and the entities are as missing as others.
    package func loadStored<Value: Cachable>(
        _ type: Value.Type,
        ids: [Value.ID],
        isolation: isolated (any Actor)?
    ) async {}

    /// Ends all work, because the cache is deallocated.
    package func close() {}
}
