/// An observer of several keys, told once per commit.
@usableFromInline
final class KeySetObserver: Observer, @unchecked Sendable {
    private let mailbox: Mailbox<Mail>
    private let receiver: Receiver
    /// The newest revision that was posted, guarded by the lock of the mailbox.
    private var newestRevision: UInt64 = 0

    private enum Receiver {
        case callback(@Sendable (ChangeSet) -> Void)
        case signal(AsyncStream<Void>.Continuation)
    }

    /// At most one change for each key.
    struct Mail {
        var changes: [FlatCacheKey: any SlotChange]
        var revision: UInt64

        /// Folds in what a later commit has changed.
        mutating func fold(_ later: Mail) {
            changes.merge(later.changes) { $1.folded(after: $0) }
            revision = later.revision
        }
    }

    /// Creates an observer that is called.
    init(_ callback: @escaping @Sendable (ChangeSet) -> Void) {
        mailbox = Mailbox()
        receiver = .callback(callback)
    }

    /// Creates an observer that fetches its mail and is signalled when some has come.
    init(signal: AsyncStream<Void>.Continuation) {
        mailbox = Mailbox(isTaken: true)
        receiver = .signal(signal)
    }

    /// Posts all that one commit has changed, in one step.
    ///
    /// - Parameter mail: The changes; gets the revision that the observer is to be told.
    /// - Returns: Whether the caller must ``tell(_:)`` the observer.
    func post(_ mail: inout Mail) -> Bool {
        let hasTurn = mailbox.takeTurn {
            // Commits of different keys may post in another order than that of their revisions.
            newestRevision = max(newestRevision, mail.revision)
            mail.revision = newestRevision
        } orPost: { waiting in
            if waiting == nil { waiting = mail } else { waiting?.fold(mail) }
        }
        switch receiver {
        case .callback: return hasTurn
        case .signal: return true
        }
    }

    /// Tells the observer, with no lock held.
    func tell(_ mail: Mail) {
        switch receiver {
        case .callback(let callback):
            mailbox.deliver(mail) { mail in
                if let changes = Self.changeSet(of: mail) { callback(changes) }
            }
        case .signal(let continuation):
            continuation.yield()
        }
    }

    /// The next change set, for an observer that fetches its mail; `nil` when none waits.
    func takeChanges() -> ChangeSet? {
        while let mail = mailbox.take() {
            if let changes = Self.changeSet(of: mail) { return changes }
        }
        return nil
    }

    @usableFromInline func finish() {
        mailbox.close()
        if case .signal(let continuation) = receiver { continuation.finish() }
    }

    private static func changeSet(of mail: Mail) -> ChangeSet? {
        var changes = ChangeSet(revision: mail.revision)
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

    @usableFromInline func post(_ change: any SlotChange, _ tellings: inout Tellings) {
        tellings.add(observer, change, of: key)
    }

    @usableFromInline func finish() {
        observer.finish()
    }
}
