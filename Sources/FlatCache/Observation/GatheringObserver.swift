/// An observer of several slots, which is told in one step of all that a commit has changed among them.
@usableFromInline
protocol GatheringObserver: Observer {
    /// Puts all that one commit has changed into the mailbox, while the locks of the slots are held.
    func post(_ changes: [any SlotChange])

    /// Tells what is in the mailbox.
    func deliver()
}

/// What one commit, or several folded into one, has changed among the slots of an observer: at most one change for each.
struct GatheredChanges: Sendable {
    private(set) var changes: [ObjectIdentifier: any SlotChange] = [:]
    /// The newest commit.
    private(set) var revision: UInt64 = 0

    init(_ changes: [any SlotChange]) {
        for change in changes {
            self.changes[change.slotIdentity] = change
            revision = change.revision
        }
    }

    /// Both this and what a later commit has changed.
    ///
    /// Nothing is released that the commit doesn't hold, too: what has replaced the values that are left out is in its
    /// changes. So this may run under locks.
    func folded(with later: GatheredChanges) -> GatheredChanges {
        var folded = self
        folded.changes.merge(later.changes) { $1.folded(after: $0) }
        // Commits of different keys may post in another order than that of their revisions.
        folded.revision = max(revision, later.revision)
        return folded
    }
}

/// What stands in the list of a slot for an observer of several.
@usableFromInline
final class SlotMember: SlotObserver, @unchecked Sendable {
    // `position` is guarded by the lock of the slot's shard.
    @usableFromInline var position = 0
    private let observer: any GatheringObserver

    init(of observer: any GatheringObserver) {
        self.observer = observer
    }

    @usableFromInline func post(_ change: any SlotChange, _ posts: inout CommitPosts) {
        posts.add(change, for: observer)
    }

    @usableFromInline func deliver() {
        observer.deliver()
    }

    @usableFromInline func finish() {
        observer.finish()
    }
}

/// What one commit posts to observers of several slots, gathered so that each gets all of it in one step.
@usableFromInline
struct CommitPosts {
    private var posts: [ObjectIdentifier: (observer: any GatheringObserver, changes: [any SlotChange])] = [:]

    init() {}

    fileprivate mutating func add(_ change: any SlotChange, for observer: any GatheringObserver) {
        posts[ObjectIdentifier(observer), default: (observer, [])].changes.append(change)
    }

    func send() {
        for post in posts.values { post.observer.post(post.changes) }
    }
}
