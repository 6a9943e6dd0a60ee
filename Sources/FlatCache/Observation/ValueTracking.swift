public import Observation
internal import Synchronization

#if canImport(Darwin)
internal import Darwin
#endif

/// What stands for the value of a handle in the Observation framework.
///
/// A handle makes one when its value is first read, because it costs as much as a few reads and most handles of a long
/// list are never shown. It isn't generic, unlike the handle: looking up the metadata of a generic type at every read
/// would take longer than the read.
@usableFromInline
final class ValueTracking: Observable, Sendable {
    private let registrar = ObservationRegistrar()
    private let isRepeatPending = Atomic(false)
    private let subscription = AtomicLazyReference<CacheSubscription>()

    /// The property that the framework is told of; it only lends its key path.
    private var value: Void { () }
    /// That key path, kept because making it takes as long as the rest of a read.
    private let keyPath: any KeyPath<ValueTracking, Void> & Sendable = \ValueTracking.value

    /// Keeps a subscription, whose callback calls ``tell()``, as long as the object lives.
    func keep(_ subscription: CacheSubscription) {
        _ = self.subscription.storeIfNil(subscription)
    }

    /// Tells the framework that the value is being read.
    @usableFromInline
    func access() {
        registrar.access(self, keyPath: keyPath)
    }

    /// Tells the framework that the value has changed.
    ///
    /// What is read on the main actor is registered with the framework when the reading function has returned. A change
    /// that another thread makes in between finds nobody to tell; therefore it is told again on the main actor, where
    /// nothing can be in between.
    func tell() {
        registrar.withMutation(of: self, keyPath: keyPath) {}
        guard !isMainThread, !isRepeatPending.exchange(true, ordering: .relaxed) else { return }
        Task { @MainActor in
            isRepeatPending.store(false, ordering: .relaxed)
            registrar.withMutation(of: self, keyPath: keyPath) {}
        }
    }

    private var isMainThread: Bool {
        #if canImport(Darwin)
        pthread_main_np() == 1
        #else
        // Elsewhere nothing that the library may import tells. Being told twice costs a little; not being told is a bug.
        false
        #endif
    }
}
