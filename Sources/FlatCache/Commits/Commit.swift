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
    /// Where to keep what is replaced; `nil` in the common case that no snapshot is open.
    @usableFromInline let history: HistoryReference?
    /// The change of the first watched slot; `nil` in the common case that there is none, which costs nothing.
    @usableFromInline var firstChange: (any SlotChange)?
    /// The changes of the other watched slots; few commits have any, and only those pay for it.
    @usableFromInline var moreChanges: MoreChanges?

    /// Begins a commit, while the locks of all its slots are held, so that revisions follow the order of commits.
    @inlinable init(of cache: FlatCache) {
        let history = cache.history
        revision = history.nextRevision()
        self.history = history.isRead ? history : nil
        firstChange = nil
        moreChanges = nil
        RacePoint.reach(.drawn)
    }

    /// Notes that the entity of a slot was replaced which somebody watches.
    @inline(never) @inlinable mutating func note<Value>(
        _ slot: Slot<Value>,
        _ observers: SlotObservers,
        oldValue: consuming Value?,
        previousRevision: UInt64
    ) {
        // The second write of one entity in one commit is the one that counts.
        if previousRevision == revision, let earlier = earlierChange(of: slot) {
            unsafeDowncast(earlier, to: Transition<Value>.self).newValue = slot.value
            return
        }
        add(
            Transition(
                of: slot,
                from: oldValue,
                to: slot.value,
                revision: revision,
                isInitial: false,
                areEqual: observers.areEqual,
                receivers: observers.list
            )
        )
    }

    @inlinable mutating func add(_ change: any SlotChange) {
        if firstChange == nil { firstChange = change } else { addToMore(change) }
    }

    @usableFromInline mutating func addToMore(_ change: any SlotChange) {
        let more = moreChanges ?? MoreChanges()
        more.add(change)
        moreChanges = more
    }

    /// The change of a slot that this commit has noted; a transition of the slot's type.
    @usableFromInline func earlierChange(of slot: AnyObject) -> (any SlotChange)? {
        if firstChange?.slotIdentity == ObjectIdentifier(slot) { return firstChange }
        return moreChanges?.change(of: slot)
    }

    /// Hands the changes to the mailboxes of the observers, once, before the locks are released.
    @inlinable func publish() {
        if let firstChange { Self.publish(firstChange, moreChanges) }
    }

    /// Calls the observers, once, after the locks are released.
    @inlinable func deliver() {
        RacePoint.reach(.committed)
        if let firstChange { Self.deliver(firstChange, moreChanges) }
    }

    @usableFromInline static func publish(_ first: any SlotChange, _ more: MoreChanges?) {
        var posts = KeySetPosts()
        for observer in first.receivers { observer.post(first, &posts) }
        for change in more?.list ?? [] {
            for observer in change.receivers { observer.post(change, &posts) }
        }
        posts.send()
    }

    @usableFromInline static func deliver(_ first: any SlotChange, _ more: MoreChanges?) {
        RunningBody.runOutsideOfAll {
            for observer in first.receivers { observer.deliver() }
            for change in more?.list ?? [] {
                for observer in change.receivers { observer.deliver() }
            }
        }
    }
}

/// The changes of a commit but the first, used only by the thread that commits.
@usableFromInline
final class MoreChanges {
    fileprivate private(set) var list: [any SlotChange] = []
    /// The changes by their slots; made when it is first asked for a slot, which needs one that is changed twice.
    private var changesOfSlots: [ObjectIdentifier: any SlotChange]?

    fileprivate func add(_ change: any SlotChange) {
        list.append(change)
        changesOfSlots?[change.slotIdentity] = change
    }

    fileprivate func change(of slot: AnyObject) -> (any SlotChange)? {
        let slots = changesOfSlots ?? Dictionary(list.map { ($0.slotIdentity, $0) }, uniquingKeysWith: { $1 })
        changesOfSlots = slots
        return slots[ObjectIdentifier(slot)]
    }
}
