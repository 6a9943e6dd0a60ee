/// A point at which the work of two threads can interleave.
///
/// Tests stop a thread at a point while another one continues, so that a race happens every time instead of once in a
/// million runs. Release builds contain no sync points.
@frozen @usableFromInline
enum SyncPoint: Sendable {
    /// A commit has its revision and the locks of its slots, and has changed no entity yet.
    case drawn
    /// The types that a commit is about to lock are listed, so a new type isn't among them.
    case listed
    /// A commit has changes for an observer, and has not put them into its mailbox; the locks are held.
    case posting
    /// A commit is made and unlocked, and its observers have not been called.
    case committed
    /// An observer is registered, and its first call has not been made.
    case subscribed
    /// A change is taken from a mailbox, and the call of the observer has not begun.
    case taken
    /// A call of an observer has begun, and its callback isn't running yet.
    case calling
    /// A handle is about to unpin its slot.
    case releasing
    /// The body of a transaction has ended, and its changes are not committed.
    case ended
    /// A piece of a large commit, or of a walk over a whole type, is complete, and its shard is unlocked.
    case piece
    /// A change is being added to the gathered changes of an observer of several keys.
    case gathering
    /// A thread is about to lock all shards of some types, to see the state between two commits.
    case between
    /// A writer is about to wait for a reservation or a large commit; no lock is held.
    case waiting

    #if DEBUG
    /// The action at the points that the calling thread or task reaches.
    @TaskLocal static var handler: (@Sendable (SyncPoint) -> Void)?
    #endif

    /// Calls the action of a test, if there is one, when the calling thread reaches a point.
    @inlinable @inline(__always) static func reach(_ point: SyncPoint) {
        #if DEBUG
        point.notify()
        #endif
    }

    #if DEBUG
    @usableFromInline func notify() { Self.handler?(self) }
    #endif
}
