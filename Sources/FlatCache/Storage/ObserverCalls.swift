internal import Synchronization

/// The state of the calls of one observer: whether one is running, and whether any may begin.
///
/// A call announces itself and then checks whether the observer has ended. An observer ends and then checks whether a
/// call has announced itself. So no call begins after an observer has ended, and only ``waitForEnd()`` waits for a
/// running one.
@usableFromInline
final class ObserverCalls: @unchecked Sendable {  // `waiting` is guarded by the lock; the rest is atomic.
    private let flags = Atomic<UInt8>(0)
    /// The identity of the thread on which a call is running, or 0 for none.
    private let caller = Atomic<UInt>(0)
    private let lock = Lock()
    private var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
    private var lastWaiting = 0

    private static let ended: UInt8 = 1
    private static let calling: UInt8 = 2

    /// Whether calls are made only on the main actor.
    let areOnMainActor: Bool

    init(onMainActor: Bool = false) {
        areOnMainActor = onMainActor
    }

    /// Whether a task on the main actor must make the call.
    var mustHop: Bool { areOnMainActor && !MainActor.isRunning }

    /// Whether the observer has ended, so that no call may begin.
    var areEnded: Bool { flags.load(ordering: .acquiring) & Self.ended != 0 }

    /// Makes a call, unless the observer has ended.
    ///
    /// Calls of one observer never overlap, because only the thread with the turn makes them.
    @usableFromInline func run(_ call: () -> Void) {
        let before = flags.bitwiseOr(Self.calling, ordering: .sequentiallyConsistent).oldValue
        if before & Self.ended == 0 {
            caller.store(ThreadIdentity.current.bits, ordering: .relaxed)
            SyncPoint.reach(.calling)
            call()
            caller.store(0, ordering: .relaxed)
        }
        let after = flags.bitwiseAnd(~Self.calling, ordering: .sequentiallyConsistent).oldValue
        if after & Self.ended != 0 { resumeWaiting() }
    }

    /// Ends the observer, so that no call begins any more.
    func end() {
        let before = flags.bitwiseOr(Self.ended, ordering: .sequentiallyConsistent).oldValue
        if before & Self.calling == 0 { resumeWaiting() }
    }

    private func resumeWaiting() {
        let resumed = lock.withLock {
            defer { waiting = [:] }
            return waiting.values
        }
        for continuation in resumed { continuation.resume() }
    }

    /// Waits until the observer has ended and its last call has returned, or the task is cancelled.
    func waitForEnd() async {
        if caller.load(ordering: .relaxed) == ThreadIdentity.current.bits { return }
        let number = lock.withLock {
            lastWaiting += 1
            return lastWaiting
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let mustWait = lock.withLock {
                    if flags.load(ordering: .sequentiallyConsistent) == Self.ended || Task.isCancelled { return false }
                    waiting[number] = continuation
                    return true
                }
                if !mustWait { continuation.resume() }
            }
        } onCancel: {
            lock.withLock { waiting.removeValue(forKey: number) }?.resume()
        }
    }
}
