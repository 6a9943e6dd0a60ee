/// A value that a closure computes from what it reads in a cache.
final class DerivedValue<Value: Sendable>: @unchecked Sendable {
    // `last` is used only by whoever has the turn to notify the observer, or by the iterator that asks for news.
    private let cache: WeakReference<FlatCache>
    private let compute: @Sendable () -> Value
    private let equality = ValueEquality.of(Value.self)
    private var last: Value?
    /// Whether the next value is the first one and is not wanted.
    private var skips: Bool

    init(in cache: WeakReference<FlatCache>, skipsFirst: Bool = false, _ compute: @escaping @Sendable () -> Value) {
        self.cache = cache
        self.compute = compute
        skips = skipsFirst
    }

    /// Computes the value.
    ///
    /// - Parameter observer: Watches what is read.
    /// - Returns: The value, or `nil` when it is equal to the last one, or the cache is gone.
    func next(_ observer: DependencyTracker) -> Value? {
        guard let cache = cache.object else { return nil }
        // What is generic over the value would be slow here, where nobody knows its type: the value goes around it.
        var computed: Value?
        observer.record(in: cache) { cache.asCurrent { computed = compute() } }
        guard let value = computed else { return nil }
        let isSkipped = skips
        skips = false
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
