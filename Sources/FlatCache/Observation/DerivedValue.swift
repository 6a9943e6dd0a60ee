/// A value that a closure computes from its reads of a cache.
final class DerivedValue<Value: Sendable>: @unchecked Sendable {
    // `last` is used only by the thread with the turn to notify the observer, or by the iterator that polls it.
    private let cache: WeakReference<FlatCache>
    private let compute: @Sendable () -> Value
    private let equality = ValueEquality.of(Value.self)
    @exclusivity(unchecked) private var last: Value?
    /// The last commit before the initial value, if that must be skipped.
    @exclusivity(unchecked) private var skippedRevision: UInt64?

    /// Creates a value.
    ///
    /// - Parameters:
    ///   - cache: The cache that the closure reads.
    ///   - revision: If the initial value must be skipped, the last commit that it may contain. The value isn't skipped if
    ///     a later commit has changed its dependencies.
    ///   - compute: Computes the value.
    init(
        in cache: WeakReference<FlatCache>,
        skippingUpTo revision: UInt64? = nil,
        _ compute: @escaping @Sendable () -> Value
    ) {
        self.cache = cache
        self.compute = compute
        skippedRevision = revision
    }

    /// Computes the value.
    ///
    /// - Parameter observer: The observer of the reads.
    /// - Returns: The value, or `nil` if it is equal to the last one or the cache is deallocated.
    func next(_ observer: DependencyTracker) -> Value? {
        guard let cache = cache.object else { return nil }
        // The value is passed by a variable, because code that is generic over its type would be slow here, where it
        // isn't specialized.
        var computed: Value?
        observer.record(in: cache) { cache.asCurrent { computed = compute() } }
        guard let value = computed else { return nil }
        let isSkipped = skippedRevision.map { observer.newestRevision <= $0 } ?? false
        skippedRevision = nil
        guard let equality else { return isSkipped ? nil : value }
        let isEqual =
            last != nil
            && withUnsafePointer(to: last) { last in
                withUnsafePointer(to: Value?.some(value)) { value in
                    equality.areEqual(UnsafeRawPointer(last), UnsafeRawPointer(value))
                }
            }
        if isEqual { return nil }
        last = value
        return isSkipped ? nil : value
    }
}
