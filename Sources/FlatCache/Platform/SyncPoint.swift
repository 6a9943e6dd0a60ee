/// A moment at which the work of two threads can meet.
///
/// Tests stop a thread there while another does something, so that a race happens every time instead of once in a
/// million. In builds for release nothing is left of it.
@frozen @usableFromInline
enum SyncPoint: Sendable {
    /// A commit has its number and the locks of its slots, and has changed nothing yet.
    case drawn
    /// The types are listed that a commit is about to lock; one that comes in now isn't among them.
    case listed
    /// A commit has changes that are news to a reader, and has not put them into its mailbox; the locks are held.
    case posting
    /// A commit is made, its locks are open, and its observers have not been called.
    case committed
    /// An observer is registered, and its first call has not been made.
    case subscribed
    /// A change is taken out of a mailbox, and the call of the observer has not begun.
    case taken
    /// A call of an observer has begun, and its callback doesn't run yet.
    case calling
    /// A handle is about to give back its slot.
    case releasing
    /// The body of a transaction has ended, and its changes are not committed.
    case ended
    /// A piece of a large commit, or of a walk over a whole type, is done, and the lock of its shard is open.
    case piece
    /// A change is being added to what an observer of several keys gets.
    case gathering
    /// A writer is about to wait for a reservation or a large commit; no lock is held.
    case waiting

    #if DEBUG
    /// What to do at the points that the calling thread or task comes to.
    @TaskLocal static var handler: (@Sendable (SyncPoint) -> Void)?
    #endif

    /// Tells the test, if there is one, that the calling thread is at a point.
    @inlinable @inline(__always) static func reach(_ point: SyncPoint) {
        #if DEBUG
        point.notify()
        #endif
    }

    #if DEBUG
    @usableFromInline func notify() { Self.handler?(self) }
    #endif
}
