#if canImport(Darwin)
internal import Darwin
#elseif canImport(Dispatch)
internal import Dispatch
#endif

extension MainActor {
    /// Whether the calling code runs on the main actor, as far as the platform can determine it.
    ///
    /// A wrong `false` costs a task. The standard library only has checks that trap on other actors, and its
    /// `isIsolatingCurrentContext()` gives no result for the main executor of Linux.
    static var isRunning: Bool {
        #if canImport(Darwin)
        pthread_main_np() != 0
        #elseif canImport(Dispatch)
        // On Linux, the main queue is not bound to the first thread.
        DispatchQueue.getSpecific(key: mainQueueKey) != nil
        #else
        false
        #endif
    }

    #if !canImport(Darwin) && canImport(Dispatch)
    private static let mainQueueKey: DispatchSpecificKey<Void> = {
        let key = DispatchSpecificKey<Void>()
        DispatchQueue.main.setSpecific(key: key, value: ())
        return key
    }()
    #endif
}
