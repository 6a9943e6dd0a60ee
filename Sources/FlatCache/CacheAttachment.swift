/// An object that another module attaches to a cache.
///
/// It is a class because `AtomicLazyReference` requires one.
package class CacheAttachment: @unchecked Sendable {  // It has no variables; subclasses guard theirs.
    package init() {}

    /// Ends all work, because the cache is deallocated.
    package func close() {}
}
