/// One atomic set of changes, from the moment the locks of its slots are held until everybody has heard of it.
///
/// Every write goes the same way:
///
/// 1. lock the shards of the changed keys,
/// 2. make a commit, which draws the next revision,
/// 3. ``ShardReference/replace(_:with:_:)`` each changed entity, which notes slots that somebody watches,
/// 4. ``publish()``: put the changes into the mailboxes of the observers, still under the locks, so that mailboxes see
///    the commits of a key in their order,
/// 5. unlock,
/// 6. ``deliver()``: call the observers, with no lock held.
@usableFromInline
struct Commit {
    /// The number of the commit; larger than that of every earlier commit of any of its keys.
    @usableFromInline let revision: UInt64
    /// The changes of watched slots; `nil` in the common case that there are none, which costs nothing.
    @usableFromInline var changes: [any SlotChange]?
    /// Where to keep what is replaced; `nil` in the common case that no snapshot is open.
    @usableFromInline let history: History?
    /// The places of the slots among the changes; made when a slot is changed for the second time.
    private var positions: [ObjectIdentifier: Int]?

    /// Begins a commit, while the locks of all its slots are held, so that revisions follow the order of commits.
    @inlinable init(of cache: FlatCache) {
        let history = cache.history
        revision = history.nextRevision()
        self.history = history.isRead ? history : nil
    }

    /// Notes that the entity of a slot was replaced which somebody watches or which a snapshot may show.
    @usableFromInline mutating func note<Value>(_ slot: Slot<Value>, oldValue: Value?, previousRevision: UInt64) {
        if let history, let oldValue { history.keep(oldValue, of: slot, from: previousRevision, until: revision) }
        if slot.pins != 0 { RunningUpdate.followOwnWrite(of: slot, from: previousRevision, to: revision) }
        guard let observers = slot.observers else { return }
        // The second write of one entity in one commit is the one that counts.
        if previousRevision == revision, let earlier = earlierChange(of: slot) {
            earlier.newValue = slot.value
            return
        }
        let change = Transition(
            of: slot,
            from: oldValue,
            to: slot.value,
            revision: revision,
            observers: observers
        )
        if changes == nil { changes = [] }
        positions?[ObjectIdentifier(slot)] = changes?.count
        changes?.append(change)
    }

    private mutating func earlierChange<Value>(of slot: Slot<Value>) -> Transition<Value>? {
        guard let changes else { return nil }
        let positions =
            positions
            ?? Dictionary(
                changes.enumerated().map { ($1.slotIdentity, $0) },
                uniquingKeysWith: { $1 }
            )
        self.positions = positions
        return positions[ObjectIdentifier(slot)].flatMap { changes[$0] as? Transition<Value> }
    }

    /// Hands the changes to the mailboxes of the observers, once, before the locks are released.
    @inlinable func publish() {
        if let changes { Self.publish(changes) }
    }

    /// Calls the observers, once, after the locks are released.
    @inlinable func deliver() {
        if let changes { Self.deliver(changes) }
    }

    @usableFromInline static func publish(_ changes: [any SlotChange]) {
        var posts = KeySetPosts()
        for change in changes { change.publish(&posts) }
        posts.send()
    }

    @usableFromInline static func deliver(_ changes: [any SlotChange]) {
        RunningBody.runOutsideOfAll {
            for change in changes { change.deliver() }
        }
    }
}
