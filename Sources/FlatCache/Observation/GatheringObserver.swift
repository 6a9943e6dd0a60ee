/// An observer of several slots, which is told in one step of all that a commit has changed among them.
@usableFromInline
protocol GatheringObserver: Observer {
    /// Puts all that one commit has changed into the mailbox, while the locks of the slots are held.
    func post(_ changes: [any SlotChange])

    /// Tells what is in the mailbox.
    func deliver()
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
