/// One atomic set of changes, from the moment the locks of its slots are held until everybody has heard of it.
///
/// Every write goes the same way:
///
/// 1. lock the shards of the changed keys,
/// 2. make a commit, which draws the next revision,
/// 3. ``ShardReference/replace(_:with:_:)`` each changed entity, which notes slots that somebody watches,
/// 4. ``finish(_:)``: put the changes into the mailboxes of the observers, still under the locks, so that mailboxes see
///    the commits of a key in their order; unlock; call the observers, with no lock held.
@frozen @usableFromInline
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
    ///
    /// - Parameters:
    ///   - slot: The slot.
    ///   - watchers: The observers of all keys of the type, told with those of the slot.
    ///   - oldValue: What was replaced.
    ///   - previousRevision: The revision of the slot before.
    @inline(never) @inlinable mutating func note<Value>(
        _ slot: Slot<Value>,
        _ watchers: SlotObservers?,
        oldValue: consuming Value?,
        previousRevision: UInt64
    ) {
        // The second write of one entity in one commit is the one that counts.
        let earlier = previousRevision == revision ? earlierChange(of: slot) : nil
        if let earlier { oldValue = unsafeDowncast(earlier, to: Transition<Value>.self).change.oldValue }
        let change = EntityChange(of: slot, from: oldValue, to: slot.copy, revision: revision, isInitial: false)
        let equality = (slot.observers ?? watchers)?.equality
        var receivers = slot.observers?.list ?? []
        if let watchers { receivers += watchers.list }
        add(Transition(change, equality, receivers: receivers), inPlaceOf: earlier)
    }

    @inlinable mutating func add(_ change: any SlotChange, inPlaceOf earlier: (any SlotChange)?) {
        if firstChange == nil || earlier === firstChange {
            firstChange = change
        } else {
            addToMore(change)
        }
    }

    @usableFromInline mutating func addToMore(_ change: any SlotChange) {
        let more = moreChanges ?? MoreChanges()
        more.add(change)
        moreChanges = more
    }

    /// The change of a slot that this commit has noted; a transition of the slot's type.
    @usableFromInline func earlierChange(of slot: AnyObject) -> (any SlotChange)? {
        if firstChange?.slotIdentity == ObjectIdentifier(slot) { return firstChange }
        return moreChanges?.change(of: ObjectIdentifier(slot))
    }

    /// Hands the changes to the observers' mailboxes, opens the locks, and tells the observers.
    ///
    /// - Parameter unlock: Opens the locks of the changed slots.
    @inlinable func finish(_ unlock: () -> Void) {
        if let firstChange {
            Self.finish(firstChange, moreChanges, unlock)
        } else {
            unlock()
            RacePoint.reach(.committed)
        }
    }

    @usableFromInline static func finish(_ first: any SlotChange, _ more: MoreChanges?, _ unlock: () -> Void) {
        let changes = [first] + (more?.list ?? [])
        var posts = CommitPosts(ofSeveralChanges: more != nil)
        for change in changes {
            for observer in change.receivers { observer.post(change, &posts) }
        }
        posts.send()
        unlock()
        RacePoint.reach(.committed)
        RunningBody.runOutsideOfAll {
            for change in changes {
                for observer in change.receivers { observer.deliver() }
            }
        }
    }
}

/// The changes of a commit but the first, used only by the thread that commits.
@usableFromInline
final class MoreChanges {
    fileprivate private(set) var list: [any SlotChange] = []
    /// The places of the slots in the list; made when a slot is changed twice.
    private var places: [ObjectIdentifier: Int]?

    /// Adds the change of a slot, in place of an earlier one that was asked for.
    fileprivate func add(_ change: any SlotChange) {
        if let place = places?[change.slotIdentity] {
            list[place] = change
        } else {
            places?[change.slotIdentity] = list.count
            list.append(change)
        }
    }

    fileprivate func change(of slot: ObjectIdentifier) -> (any SlotChange)? {
        let places =
            places
            ?? Dictionary(list.enumerated().map { ($1.slotIdentity, $0) }, uniquingKeysWith: { $1 })
        self.places = places
        return places[slot].map { list[$0] }
    }
}
