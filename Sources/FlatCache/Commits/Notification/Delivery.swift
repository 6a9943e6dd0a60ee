internal import Synchronization

/// The observers that a thread calls after its commits.
///
/// What callbacks write is a commit, too, whose observers are called when the callback has returned: in a loop, for a chain
/// of observers that each write the next key would overflow the stack otherwise. Callbacks are outside of all bodies that
/// are running around the commit, and their own cache is the current one.
@usableFromInline
final class Delivery: @unchecked Sendable {  // Used by the thread that has made it; the shared one is never changed.
    private static let ofThread = ThreadLocal<Delivery>()
    /// Stands for a thread whose callbacks have committed nothing yet.
    private static let withoutQueue = Delivery()

    private var queue: [(observer: any Observer, cache: FlatCache)] = []
    /// Observers for whom something waits, although they were called twice.
    private var left: [(observer: any Observer, cache: FlatCache)] = []

    private init() {}

    /// Whether the calling thread is calling observers.
    @usableFromInline static var isRunning: Bool { !ofThread.isEmpty }

    /// Calls observers of what a cache has committed, or sees to it that they are called when the callback that is running
    /// on this thread has returned.
    static func run(_ observers: [any Observer], in cache: FlatCache) {
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
    ///   - cache: The cache, which the caller keeps: counting references to it would take a tenth of the time.
    ///   - call: Makes the call. Returns the observer if something waits although nobody has the turn.
    @usableFromInline static func run(in cache: Unmanaged<FlatCache>, _ call: () -> (any Observer)?) {
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
            delivery.takeUnretainedValue().drain()
            delivery.release()
        }
        ofThread.object = nil
    }

    /// Makes the first call of an observer at once, whether or not the calling thread is calling others.
    ///
    /// - Parameter call: Makes the call, and returns whether something waits although nobody has the turn.
    static func begin(_ observer: any Observer, in cache: FlatCache, _ call: () -> Bool) {
        guard isRunning else { return run(in: .passUnretained(cache)) { call() ? observer : nil } }
        ReadContext.runOutsideOfAll {
            cache.asCurrent {
                if call() { ofThisThread.left.append((observer, cache)) }
            }
        }
    }

    /// What the calling thread has still to do, which is kept until it is done.
    private static var ofThisThread: Delivery {
        if let delivery = ofThread.object, delivery !== withoutQueue { return delivery }
        let delivery = Delivery()
        ofThread.object = Unmanaged.passRetained(delivery).takeUnretainedValue()
        return delivery
    }

    /// Calls the observers, and those of what their callbacks commit, until nothing is left to do.
    ///
    /// Observers are taken out before they are called and released: their release can run code that commits.
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

    /// Lets a task call an observer for whom something waits, on the main actor if it is called there alone.
    private static func schedule(_ observer: any Observer, in cache: WeakReference<FlatCache>) {
        #if DEBUG
        scheduledCount.wrappingAdd(1, ordering: .relaxed)
        #endif
        let call: @Sendable () -> Void = {
            observer.beginScheduled()
            if let cache = cache.object { run([observer], in: cache) }
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
    /// The number of tasks that are going to call an observer, for tests that wait until everybody is notified.
    static let scheduledCount = Atomic(0)
    #endif
}
