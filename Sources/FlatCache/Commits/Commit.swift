/// One atomic set of changes, from drawing its revision until all observers are notified.
///
/// Every write has these steps:
///
/// 1. lock the shards of the changed keys, or close their gates if there are many,
/// 2. create a commit, which draws the next revision,
/// 3. ``ShardReference/exchange(_:with:_:)`` each changed entity, and ``ShardReference/note(_:_:_:_:)`` the
///    observed ones,
/// 4. ``finish(_:)``: put the changes into the mailboxes of the observers, so that mailboxes receive the commits of a
///    key in order; unlock; call the observers, and evict entities if limits are exceeded, with no lock held.
///
/// The article 'Commits' has the whole protocol.
@frozen @usableFromInline
struct Commit: ~Copyable {
    /// The revision of the commit, which is higher than the revision of every earlier commit of its keys.
    @usableFromInline let revision: UInt64
    /// The newest snapshot that may have the replaced entities, or 0 in the common case without an open snapshot.
    @usableFromInline let newestSnapshot: UInt64
    /// The place of the next entity in the order of insertion.
    @usableFromInline var ordinal: UInt64
    /// The number of the origin.
    @usableFromInline let origin: OriginNumber
    /// The cache, which the caller keeps alive.
    @usableFromInline let owner: Unmanaged<FlatCache>
    /// The changes of observed slots, or `nil` in the common case that there are none.
    private var changes: CommitChanges?

    /// Begins a commit while the locks of all its slots are held, so that revisions have the order of commits.
    ///
    /// - Parameters:
    ///   - cache: The cache.
    ///   - count: The number of entities that the commit may insert, at least 1.
    ///   - origin: The number of the origin.
    @inlinable init(of cache: FlatCache, count: Int = 1, origin: OriginNumber = .user) {
        let revision = cache.history.nextRevision(for: count)
        let newestSnapshot = cache.history.newestSnapshot
        self.init(revision: revision, count: count, newestSnapshot: newestSnapshot, origin: origin, of: cache)
        SyncPoint.reach(.drawn)
    }

    /// Begins a commit whose revision is already drawn.
    @usableFromInline init(
        revision: UInt64,
        count: Int,
        newestSnapshot: UInt64,
        origin: OriginNumber,
        of cache: FlatCache
    ) {
        self.revision = revision
        self.newestSnapshot = newestSnapshot
        ordinal = revision - UInt64(count) + 1
        self.origin = origin
        owner = .passUnretained(cache)
    }

    /// Records a change of a slot, with its observers and those of all keys of its type.
    mutating func add(
        _ change: SlotChange,
        _ observers: [any SlotObserver],
        _ watchers: SlotObservers?
    ) {
        let changes = changes ?? CommitChanges()
        changes.add(change, observers, watchers)
        self.changes = changes
    }

    /// Keeps a change that isn't used any more, to be released after unlocking.
    func keep(_ change: SlotChange) { changes?.keep(change) }

    /// The change of a slot that this commit has recorded.
    func earlierChange(of slot: SlotIdentity) -> SlotChange? {
        changes?.change(of: slot)
    }

    /// Puts the changes into the mailboxes, unlocks, calls the observers, and evicts entities if limits are exceeded.
    ///
    /// - Parameters:
    ///   - isOfOne: Whether the commit is of one entity, so that the caller evicts entities.
    ///   - unlock: A closure that unlocks, or opens the gates of, the changed slots.
    @usableFromInline consuming func finish(isOfOne: Bool = false, _ unlock: () -> Void) {
        let cache = owner
        let (revision, keepsLimits) = (revision, !isOfOne && origin != .eviction)
        let posts = changes?.post()
        unlock()
        SyncPoint.reach(.committed)
        if let posts { Delivery.run(posts.observers, in: cache.takeUnretainedValue()) }
        withExtendedLifetime(changes) {}
        if keepsLimits { cache.takeUnretainedValue().keepLimits(after: revision, mayEvictNewer: true) }
    }
}

/// The observed changes of a commit, and their observers.
///
/// Only the thread that commits uses it.
@usableFromInline
final class CommitChanges {
    @exclusivity(unchecked) private var list = ShortList<Noted>()
    /// The places of the slots in the list, created when a slot is changed twice.
    @exclusivity(unchecked) private var places: [SlotIdentity: Int]?
    /// What isn't used any more, to be released after unlocking.
    @exclusivity(unchecked) private var unused: [(SlotChange, [any SlotObserver])] = []
    /// The observers of all keys of a type, with the changes of this type.
    @exclusivity(unchecked) private var watched = ShortList<(watchers: SlotObservers, places: ShortList<Int>)>()
    /// The places of the observers of types, created when there are several types.
    @exclusivity(unchecked) private var placesOfWatchers: [ObjectIdentifier: Int] = [:]

    private typealias Noted = (change: SlotChange, observers: [any SlotObserver])

    /// Adds the change of a slot, or replaces an earlier one.
    func add(_ change: SlotChange, _ observers: [any SlotObserver], _ watchers: SlotObservers?) {
        if let place = places?[change.slot] {
            list.change(at: place) { noted in
                unused.append((noted.change, observers))
                noted.change = change
            }
            return
        }
        if let watchers { note(list.count, for: watchers) }
        places?[change.slot] = list.count
        list.append((change, observers))
    }

    /// Keeps a change that isn't used any more.
    func keep(_ change: SlotChange) { unused.append((change, [])) }

    /// Notes the place of a change for the observers of its type.
    private func note(_ place: Int, for watchers: SlotObservers) {
        let known = watched.first?.watchers === watchers ? 0 : placesOfWatchers[ObjectIdentifier(watchers)]
        if let known {
            watched.change(at: known) { $0.places.append(place) }
        } else {
            if !watched.isEmpty { placesOfWatchers[ObjectIdentifier(watchers)] = watched.count }
            watched.append((watchers, ShortList(place)))
        }
    }

    func change(of slot: SlotIdentity) -> SlotChange? {
        let places =
            places
            ?? Dictionary(list.enumerated().map { ($1.change.slot, $0) }, uniquingKeysWith: { $1 })
        self.places = places
        return places[slot].flatMap { list[$0]?.change }
    }

    /// Puts the changes into the mailboxes of the observers, while the changed slots are locked.
    func post() -> CommitPosts {
        var posts = CommitPosts()
        for (change, observers) in list {
            for observer in observers { observer.post(change, &posts) }
        }
        for (watchers, places) in watched {
            // All observers of a type share the gathered changes.
            let changes = GatheredChanges(places.lazy.compactMap { self.list[$0]?.change })
            for watcher in watchers.list { watcher.post(changes, &posts) }
        }
        posts.send()
        return posts
    }
}
