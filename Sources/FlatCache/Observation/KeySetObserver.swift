/// An observer of several keys, told once per commit.
@usableFromInline
final class KeySetObserver: Observer, @unchecked Sendable {
    private let mailbox: Mailbox<Mail>
    private let receiver: Receiver
    /// The revision that was told last. Used by whoever has the turn, or by the iterator that fetches the mail.
    private var toldRevision: UInt64 = 0

    private enum Receiver {
        case callback(@Sendable (ChangeSet) -> Void)
        case signal(AsyncStream<Void>.Continuation)
    }

    /// At most one change for each key.
    fileprivate struct Mail {
        var changes: [FlatCacheKey: any SlotChange] = [:]
        var revision: UInt64

        /// Both this and what a later commit has changed.
        func folded(with later: Mail) -> Mail {
            // Commits of different keys may post in another order than that of their revisions.
            Mail(
                changes: changes.merging(later.changes) { $1.folded(after: $0) },
                revision: max(revision, later.revision)
            )
        }
    }

    /// Creates an observer that is called.
    init(_ callback: @escaping @Sendable (ChangeSet) -> Void) {
        mailbox = Mailbox { $0.folded(with: $1) }
        receiver = .callback(callback)
    }

    /// Creates an observer that fetches its mail and is signalled when some has come.
    init(signal: AsyncStream<Void>.Continuation) {
        mailbox = Mailbox { $0.folded(with: $1) }
        receiver = .signal(signal)
    }

    /// Puts all that one commit has changed into the mailbox in one step.
    fileprivate func post(_ mail: Mail) {
        mailbox.post(mail)
    }

    fileprivate func deliver() {
        switch receiver {
        case .callback(let callback):
            mailbox.deliver { mail in
                if let changes = changeSet(of: mail) { callback(changes) }
            }
        case .signal(let continuation):
            continuation.yield()
        }
    }

    /// The next change set, for an observer that fetches its mail; `nil` when none waits.
    func takeChanges() -> ChangeSet? {
        while let mail = mailbox.take() {
            if let changes = changeSet(of: mail) { return changes }
        }
        return nil
    }

    @usableFromInline func finish() {
        mailbox.close()
        if case .signal(let continuation) = receiver { continuation.finish() }
    }

    private func changeSet(of mail: Mail) -> ChangeSet? {
        toldRevision = max(toldRevision, mail.revision)
        var changes = ChangeSet(revision: toldRevision)
        for (key, change) in mail.changes {
            switch change.netChange {
            case .inserted: changes.inserted.insert(key)
            case .updated: changes.updated.insert(key)
            case .removed: changes.removed.insert(key)
            case nil: break
            }
        }
        return changes.isEmpty ? nil : changes
    }
}

/// What stands in the list of a slot for an observer of several keys.
@usableFromInline
final class KeySetMember: SlotObserver, @unchecked Sendable {
    // `position` is guarded by the lock of the slot's shard.
    @usableFromInline var position = 0
    private let key: FlatCacheKey
    private let observer: KeySetObserver

    init(_ key: FlatCacheKey, of observer: KeySetObserver) {
        self.key = key
        self.observer = observer
    }

    @usableFromInline func post(_ change: any SlotChange, _ posts: inout KeySetPosts) {
        posts.add(change, of: key, for: observer)
    }

    @usableFromInline func deliver() {
        observer.deliver()
    }

    @usableFromInline func finish() {
        observer.finish()
    }
}

/// What one commit posts to observers of several keys, gathered so that each gets all of it in one step.
@usableFromInline
struct KeySetPosts {
    private var posts: [ObjectIdentifier: (observer: KeySetObserver, mail: KeySetObserver.Mail)] = [:]

    init() {}

    fileprivate mutating func add(_ change: any SlotChange, of key: FlatCacheKey, for observer: KeySetObserver) {
        let none = KeySetObserver.Mail(revision: change.revision)
        posts[ObjectIdentifier(observer), default: (observer, none)].mail.changes[key] = change
    }

    func send() {
        for post in posts.values { post.observer.post(post.mail) }
    }
}
