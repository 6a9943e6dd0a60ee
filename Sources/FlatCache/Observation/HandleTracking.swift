internal import Observation
internal import Synchronization

#if canImport(Darwin)
internal import Darwin
#endif

/// Connects a handle with the Observation framework: made when the value of the handle is first read, because it costs
/// as much as a few reads and most handles of a long list are never shown.
final class HandleTracking<Value: Cachable>: Sendable {
    private let registrar = ObservationRegistrar()
    private let subscription = AtomicLazyReference<CacheSubscription>()
    private let isRepeatPending = Atomic(false)

    init(of handle: Cached<Value>) {
        let subscription = handle.onChange { [weak self, weak handle] _ in
            guard let self, let handle else { return }
            tell(of: handle)
        }
        _ = self.subscription.storeIfNil(subscription)
    }

    /// Tells the framework that the value was read.
    func access(by handle: Cached<Value>) {
        registrar.access(handle, keyPath: \.value)
    }

    private func tell(of handle: Cached<Value>) {
        registrar.withMutation(of: handle, keyPath: \.value) {}
        if isMainThread { return }
        guard !isRepeatPending.exchange(true, ordering: .relaxed) else { return }
        Task { @MainActor in
            self.isRepeatPending.store(false, ordering: .relaxed)
            self.registrar.withMutation(of: handle, keyPath: \.value) {}
        }
    }

    private var isMainThread: Bool {
        #if canImport(Darwin)
        pthread_main_np() == 1
        #else
        false
        #endif
    }
}
