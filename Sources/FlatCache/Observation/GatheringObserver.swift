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
    /// The only change, or one of them: most commits change one slot, and need no dictionary for it.
    private var first: (any SlotChange)?
    private var others: [ObjectIdentifier: any SlotChange] = [:]
    /// The newest commit.
    private(set) var revision: UInt64 = 0

    init(_ changes: [any SlotChange]) {
        for change in changes {
            add(change)
            revision = change.revision
        }
    }

    /// The changes, in no particular order.
    var all: [any SlotChange] { (first.map { [$0] } ?? []) + others.values }

    /// Whether any of the entities has ended otherwise than it began.
    ///
    /// `==` is user code; this runs where no lock is held.
    var areNews: Bool { first?.netChange != nil || others.values.contains { $0.netChange != nil } }

    private mutating func add(_ change: any SlotChange) {
        guard let first else {
            first = change
            return
        }
        let slot = change.slotIdentity
        if first.slotIdentity == slot {
            self.first = change.folded(after: first)
        } else {
            others[slot] = others[slot].map { change.folded(after: $0) } ?? change
        }
    }

    /// Both this and what a later commit has changed.
    ///
    /// Nothing is released that the commit doesn't hold, too: what has replaced the values that are left out is in its
    /// changes. So this may run under locks.
    func folded(with later: GatheredChanges) -> GatheredChanges {
        var folded = self
        if let first = later.first { folded.add(first) }
        for change in later.others.values { folded.add(change) }
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

    @usableFromInline init(of observer: any GatheringObserver) {
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
    private let areGathered: Bool

    /// Creates an empty collection.
    ///
    /// - Parameter areSeveral: Whether the commit has several changes; a single one is posted at once.
    init(ofSeveralChanges areSeveral: Bool) {
        areGathered = areSeveral
    }

    fileprivate mutating func add(_ change: any SlotChange, for observer: any GatheringObserver) {
        guard areGathered else { return observer.post([change]) }
        posts[ObjectIdentifier(observer), default: (observer, [])].changes.append(change)
    }

    func send() {
        for post in posts.values { post.observer.post(post.changes) }
    }
}
