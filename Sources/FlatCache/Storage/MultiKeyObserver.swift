/// An observer of several slots, which is notified in one step of all that a commit has changed among them.
@usableFromInline
protocol MultiKeyObserver: Observer {
    /// Puts all that one commit has changed into the mailbox, while the locks of the slots are held.
    ///
    /// - Returns: What waits no longer, to be released when no lock is held.
    func post(_ changes: GatheredChanges) -> (any Sendable)?
}

/// What one commit, or several folded into one, has changed among the slots of an observer: at most one change for each.
@usableFromInline
struct GatheredChanges: Sendable {
    /// The only change, or one of them: most commits change one slot, and need no dictionary for it.
    private var first: (any SlotChange)?
    private var others: [ObjectIdentifier: any SlotChange] = [:]
    /// The newest commit.
    private(set) var revision: UInt64 = 0
    /// Whether they begin with the state at the beginning of an observation.
    private(set) var isInitial = false

    /// What an observation begins with, before any key is looked at.
    static var initial: GatheredChanges {
        var changes = GatheredChanges()
        changes.isInitial = true
        return changes
    }

    init(_ changes: [any SlotChange] = []) {
        // What is folded is still among the changes.
        for change in changes { _ = add(change) }
    }

    /// The number of changes.
    var count: Int { (first == nil ? 0 : 1) + others.count }

    /// The changes, in no particular order.
    var all: [any SlotChange] { (first.map { [$0] } ?? []) + others.values }

    /// Whether any of the entities has ended otherwise than it began.
    ///
    /// `==` is user code; this runs where no lock is held.
    var areNews: Bool { first?.netChange != nil || others.values.contains { $0.netChange != nil } }

    /// Adds a change.
    ///
    /// - Returns: The change that was folded into it, to be released when no lock is held.
    mutating func add(_ change: any SlotChange) -> (any SlotChange)? {
        SyncPoint.reach(.gathering)
        // Commits of different keys may post in another order than that of their revisions.
        revision = max(revision, change.revision)
        guard let first else {
            first = change
            return nil
        }
        let slot = change.slotIdentity
        if first.slotIdentity == slot {
            self.first = change.folded(after: first)
            return first
        }
        guard let earlier = others.updateValue(change, forKey: slot) else { return nil }
        others[slot] = change.folded(after: earlier)
        return earlier
    }

    /// Adds what a later commit has changed.
    ///
    /// - Returns: The changes that were folded into those, to be released when no lock is held.
    /// - Complexity: O(*n*) on average for *n* later changes, however many there are already.
    mutating func fold(_ later: GatheredChanges) -> [any SlotChange] {
        var folded: [any SlotChange] = []
        if let first = later.first.flatMap({ add($0) }) { folded.append(first) }
        for change in later.others.values {
            if let earlier = add(change) { folded.append(earlier) }
        }
        return folded
    }
}

/// What stands in the list of a slot for an observer of several.
@usableFromInline
final class KeySubscription: SlotObserver, @unchecked Sendable {
    // `position` is guarded by the lock of the slot's shard.
    @usableFromInline var position = 0
    private let observer: any MultiKeyObserver

    @usableFromInline init(of observer: any MultiKeyObserver) {
        self.observer = observer
    }

    @usableFromInline func post(_ change: any SlotChange, _ posts: inout CommitPosts) {
        posts.gather(for: observer) { _ = $0.add(change) }
    }

    @usableFromInline func post(_ changes: GatheredChanges, _ posts: inout CommitPosts) {
        posts.gather(for: observer) {
            // The commit holds all of its changes.
            if $0.count == 0 { $0 = changes } else { _ = $0.fold(changes) }
        }
    }

    @usableFromInline func deliver() -> Bool { observer.deliver() }

    @usableFromInline func mustSchedule() -> Bool { observer.mustSchedule() }

    @usableFromInline func beginScheduled() { observer.beginScheduled() }

    @usableFromInline func finish() { observer.finish() }

    @usableFromInline var calls: ObserverCalls { observer.calls }
}

/// What one commit posts, gathered so that an observer of several slots gets all of it in one step; then the observers to
/// call.
@usableFromInline
struct CommitPosts {
    /// Whom to call when the locks are open, each once for what it observes.
    private(set) var observers: [any Observer] = []
    private var gathered: [(observer: any MultiKeyObserver, changes: GatheredChanges)] = []
    /// The places of the observers, once there are so many that looking through them would take long.
    private var places: [ObjectIdentifier: Int] = [:]
    /// Mail that was folded into new one, to be released when the locks are open.
    private var replaced: [any Sendable] = []

    init() {}

    /// Adds an observer that has the change in its mailbox.
    mutating func add(_ observer: any Observer, _ replaced: (any Sendable)?) {
        observers.append(observer)
        if let replaced { self.replaced.append(replaced) }
    }

    /// Adds to what an observer of several slots is going to get.
    fileprivate mutating func gather(for observer: any MultiKeyObserver, _ body: (inout GatheredChanges) -> Void) {
        let limit = 8
        if let place = places[ObjectIdentifier(observer)]
            ?? gathered.prefix(limit).firstIndex(where: { $0.observer === observer })
        {
            return body(&gathered[place].changes)
        }
        if gathered.count >= limit { places[ObjectIdentifier(observer)] = gathered.count }
        var changes = GatheredChanges()
        body(&changes)
        gathered.append((observer, changes))
    }

    /// Puts what was gathered into the mailboxes.
    mutating func send() {
        for (observer, changes) in gathered { add(observer, observer.post(changes)) }
        gathered = []
    }
}
