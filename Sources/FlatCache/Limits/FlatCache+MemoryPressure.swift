#if canImport(Darwin)
internal import Dispatch

extension FlatCache {
    /// Calls ``collect(keeping:)`` when the system warns that memory is short.
    ///
    ///     let warnings = cache.collectOnMemoryPressure { [currentUser.flatCacheKey] }
    ///
    /// It doesn't keep the cache alive.
    ///
    /// - Parameter keys: A closure that returns the keys of more entities to keep. It is called on a thread of the system.
    /// - Returns: The observation of the warnings, which ends when this is cancelled or released.
    public func collectOnMemoryPressure(
        keeping keys: @escaping @Sendable () -> [FlatCacheKey] = { [] }
    ) -> MemoryPressureSubscription {
        MemoryPressureSubscription { [reference] in
            // A commit can call observers, so no queue of the app waits.
            if let cache = reference.object { cache.collect(keeping: keys()) }
        }
    }

    /// The observation of warnings of the system, until it is released.
    public final class MemoryPressureSubscription: @unchecked Sendable {  // Any thread may use a source of Dispatch.
        private let source: any DispatchSourceMemoryPressure

        fileprivate init(_ handler: @escaping @Sendable () -> Void) {
            source = DispatchSource.makeMemoryPressureSource(eventMask: [.warning, .critical], queue: .global())
            source.setEventHandler(handler: handler)
            source.activate()
        }

        deinit { source.cancel() }

        /// Ends the observation.
        public func cancel() { source.cancel() }
    }
}
#endif
