internal import Synchronization

/// The queue of observers that a thread calls after its commits.
///
/// A write in a callback is also a commit, whose observers are called after the callback returns. They are called in a
/// loop, because a chain of observers that each write the next key would otherwise overflow the stack. Callbacks run
/// outside of all bodies around the commit, and their own cache is the current one.
final class Delivery: @unchecked Sendable {  // Used by the thread that has made it; the shared one is never changed.
    private static let ofThread = ThreadLocal<Delivery>()
    /// A placeholder for a thread whose callbacks have committed nothing yet.
    private static let withoutQueue = Delivery()

    @exclusivity(unchecked) private var queue: [(observer: any Observer, cache: FlatCache)] = []
    /// The observers with waiting mail although they were called twice.
    @exclusivity(unchecked) private var left: [(observer: any Observer, cache: FlatCache)] = []

    private init() {}

    /// Whether the calling thread is calling observers.
    static var isRunning: Bool { !ofThread.isEmpty }

    /// Calls the observers of a commit, or queues them until the running callback of this thread has returned.
    static func run(_ observers: ShortList<any Observer>, in cache: FlatCache) {
        if observers.isEmpty { return }
        guard isRunning else {
            return run(in: .passUnretained(cache)) {
                for observer in observers where observer.deliver() { ofThisThread.left.append((observer, cache)) }
                return nil
            }
        }
        let delivery = ofThisThread
        for observer in observers { delivery.queue.append((observer, cache)) }
    }

    /// Calls an observer in code that is specialized for its type, on a thread that isn't calling others.
    ///
    /// - Parameters:
    ///   - cache: The cache, which the caller keeps alive, because counting references to it would take a tenth of the
    ///     time.
    ///   - call: A closure that makes the call. It returns the observer if mail waits although no thread has the turn.
    static func run(in cache: Unmanaged<FlatCache>, _ call: () -> (any Observer)?) {
        RunningQuery.outside { deliver(in: cache, call) }
    }

    private static func deliver(in cache: Unmanaged<FlatCache>, _ call: () -> (any Observer)?) {
        ofThread.object = withoutQueue
        ReadContext.runOutsideOfAll {
            cache._withUnsafeGuaranteedRef { cache in
                cache.asCurrent {
                    if let observer = call() { ofThisThread.left.append((observer, cache)) }
                }
            }
            guard let delivery = ofThread.reference,
                delivery.toOpaque() != Unmanaged.passUnretained(withoutQueue).toOpaque()
            else { return }
            RunningQuery.outside { delivery.takeUnretainedValue().drain() }
            delivery.release()
        }
        ofThread.object = nil
    }

    /// Makes the first call of an observer immediately, even if the calling thread is calling others.
    ///
    /// - Parameter call: A closure that makes the call, and returns whether mail waits although no thread has the turn.
    static func begin(_ observer: any Observer, in cache: FlatCache, _ call: () -> Bool) {
        guard isRunning else { return deliver(in: .passUnretained(cache)) { call() ? observer : nil } }
        ReadContext.runOutsideOfAll {
            cache.asCurrent {
                if call() { ofThisThread.left.append((observer, cache)) }
            }
        }
    }

    /// The queue of the calling thread, which is kept until it is empty.
    private static var ofThisThread: Delivery {
        if let delivery = ofThread.object, delivery !== withoutQueue { return delivery }
        let delivery = Delivery()
        ofThread.object = Unmanaged.passRetained(delivery).takeUnretainedValue()
        return delivery
    }

    /// Calls the observers, and the observers of their callbacks' commits, until the queue is empty.
    ///
    /// Observers are removed before they are called and released, because their release can run code that commits.
    private func drain() {
        while !queue.isEmpty || !left.isEmpty {
            for (observer, cache) in Self.taken(from: &queue) {
                cache.asCurrent {
                    if observer.deliver() { left.append((observer, cache)) }
                }
            }
            guard queue.isEmpty else { continue }
            for (observer, cache) in Self.taken(from: &left) where observer.mustSchedule() {
                Self.schedule(observer, in: cache.reference)
            }
        }
    }

    private static func taken<Element>(from list: inout [Element]) -> [Element] {
        var taken: [Element] = []
        swap(&taken, &list)
        return taken
    }

    /// Creates a task that calls an observer with waiting mail, on the main actor if it is called only there.
    private static func schedule(_ observer: any Observer, in cache: WeakReference<FlatCache>) {
        #if DEBUG
        scheduledCount.wrappingAdd(1, ordering: .relaxed)
        #endif
        let call: @Sendable () -> Void = {
            observer.beginScheduled()
            if let cache = cache.object { run(ShortList(observer), in: cache) }
            #if DEBUG
            scheduledCount.wrappingSubtract(1, ordering: .sequentiallyConsistent)
            #endif
        }
        if observer.calls.areOnMainActor {
            Task.detached(priority: Task.currentPriority) { @MainActor in call() }
        } else {
            Task.detached(priority: Task.currentPriority) { call() }
        }
    }

    #if DEBUG
    /// The number of tasks that are going to call an observer, for tests that wait until all observers are notified.
    static let scheduledCount = Atomic(0)
    #endif
}
