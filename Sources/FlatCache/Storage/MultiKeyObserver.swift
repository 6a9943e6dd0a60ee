/// An observer of several slots, which is notified in one step of all changes of a commit to them.
protocol MultiKeyObserver: Observer {
    /// Puts all changes of one commit into the mailbox, while the locks of the slots are held.
    ///
    /// - Returns: The replaced mail, to be released when no lock is held.
    func post(_ changes: GatheredChanges) -> (any Sendable)?

    /// Whether it observes the new key from now on, if the identifier of an entity is replaced.
    var followsReplacement: Bool { get }

    /// Whether it is notified of the replacement of an identifier without an entity, because it reads the key again then.
    var readsAgain: Bool { get }
}

extension MultiKeyObserver {
    var followsReplacement: Bool { false }

    var readsAgain: Bool { false }
}

/// The changes of one commit, or of several folded into one, to the slots of an observer, at most one for each slot.
@usableFromInline
struct GatheredChanges: Sequence, Sendable {
    /// The only change, or one of several, because most commits change one slot and need no dictionary.
    private var first: SlotChange?
    private var others: [SlotIdentity: SlotChange] = [:]
    /// The revision of the newest commit.
    private(set) var revision: UInt64 = 0
    /// Whether they begin with the initial state of an observation.
    private(set) var isInitial = false

    /// The start of an observation, before any key is read.
    static var initial: GatheredChanges {
        var changes = GatheredChanges()
        changes.isInitial = true
        return changes
    }

    init() {}

    init(_ changes: some Sequence<SlotChange>) {
        // A folded change remains among the changes.
        for change in changes { _ = add(change) }
    }

    /// The number of changes.
    var count: Int { (first == nil ? 0 : 1) + others.count }

    /// Returns an iterator over the changes, in no particular order.
    @usableFromInline func makeIterator() -> Iterator { Iterator(first: first, others: others.values.makeIterator()) }

    @usableFromInline struct Iterator: IteratorProtocol {
        fileprivate var first: SlotChange?
        fileprivate var others: Dictionary<SlotIdentity, SlotChange>.Values.Iterator

        @usableFromInline mutating func next() -> SlotChange? { first.take() ?? others.next() }
    }

    /// Whether any of the entities differs before and after.
    ///
    /// `==` is user code, so this runs where no lock is held.
    var areNews: Bool { first?.netChange != nil || others.values.contains { $0.netChange != nil } }

    /// The origins of the commits.
    var commitOrigins: CommitOrigins {
        var origins = first?.origins ?? CommitOrigins()
        for change in others.values { origins.formUnion(change.origins) }
        return origins
    }

    /// Adds a change.
    ///
    /// - Returns: The change that was folded into it, to be released when no lock is held.
    mutating func add(_ change: SlotChange) -> SlotChange? {
        SyncPoint.reach(.gathering)
        // Commits of different keys may post in another order than their revisions.
        revision = Swift.max(revision, change.revision)
        guard let first else {
            first = change
            return nil
        }
        let slot = change.slot
        if first.slot == slot {
            self.first = change.folded(after: first)
            return first
        }
        guard let earlier = others.updateValue(change, forKey: slot) else { return nil }
        others[slot] = change.folded(after: earlier)
        return earlier
    }

    /// Folds the changes of a later commit into these.
    ///
    /// - Returns: The changes that were folded, to be released when no lock is held.
    /// - Complexity: O(*n*) on average for *n* later changes, independent of the number of earlier ones.
    mutating func fold(_ later: GatheredChanges) -> [SlotChange] {
        var folded: [SlotChange] = []
        if let first = later.first.flatMap({ add($0) }) { folded.append(first) }
        for change in later.others.values {
            if let earlier = add(change) { folded.append(earlier) }
        }
        return folded
    }
}

/// The entry of an observer of several slots in the list of one slot.
final class KeySubscription: SlotObserver, @unchecked Sendable {
    // The lock of the slot's shard guards `position`.
    var position = 0
    private let observer: any MultiKeyObserver
    /// Whether the observer isn't notified of updates.
    private let isOfPresence: Bool
    let keepsEntity: Bool

    init(of observer: any MultiKeyObserver, isOfPresence: Bool = false, keepsEntity: Bool = true) {
        self.observer = observer
        self.isOfPresence = isOfPresence
        self.keepsEntity = keepsEntity
    }

    var followsReplacement: Bool { observer.followsReplacement }

    var readsAgain: Bool { observer.readsAgain }

    func post(_ change: SlotChange, _ posts: inout CommitPosts) {
        if isOfPresence && !change.changesPresence { return }
        posts.gather(for: observer) { _ = $0.add(change) }
    }

    func post(_ changes: GatheredChanges, _ posts: inout CommitPosts) {
        if isOfPresence {
            for change in changes { post(change, &posts) }
            return
        }
        posts.gather(for: observer) {
            // The commit keeps all of its changes.
            if $0.count == 0 { $0 = changes } else { _ = $0.fold(changes) }
        }
    }

    func deliver() -> Bool { observer.deliver() }

    func mustSchedule() -> Bool { observer.mustSchedule() }

    func beginScheduled() { observer.beginScheduled() }

    func finish() { observer.finish() }

    var calls: ObserverCalls { observer.calls }
}

/// The changes that one commit posts, gathered so that an observer of several slots gets all in one step, and the
/// observers to call.
struct CommitPosts {
    /// The observers to call after unlocking, each once.
    private(set) var observers = ShortList<any Observer>()
    private var gathered = ShortList<(observer: any MultiKeyObserver, changes: GatheredChanges)>()
    /// The places of the observers that a linear search doesn't find.
    private var places: [ObjectIdentifier: Int] = [:]
    /// The number of observers that are found by a linear search.
    private static var searchedCount: Int { 8 }
    /// Mail that was folded into newer mail, to be released after unlocking.
    private var replaced: [any Sendable] = []

    init() {}

    /// Adds an observer whose mailbox has the change.
    mutating func add(_ observer: any Observer, _ replaced: (any Sendable)?) {
        observers.append(observer)
        if let replaced { self.replaced.append(replaced) }
    }

    /// Adds changes for an observer of several slots.
    fileprivate mutating func gather(for observer: any MultiKeyObserver, _ body: (inout GatheredChanges) -> Void) {
        if let place = place(of: observer) {
            gathered.change(at: place) { body(&$0.changes) }
            return
        }
        if gathered.count >= Self.searchedCount { places[ObjectIdentifier(observer)] = gathered.count }
        var changes = GatheredChanges()
        body(&changes)
        gathered.append((observer, changes))
    }

    private func place(of observer: any MultiKeyObserver) -> Int? {
        for (place, other) in gathered.prefix(Self.searchedCount).enumerated() where other.observer === observer {
            return place
        }
        return places.isEmpty ? nil : places[ObjectIdentifier(observer)]
    }

    /// Puts the gathered changes into the mailboxes.
    mutating func send() {
        for (observer, changes) in gathered { add(observer, observer.post(changes)) }
        gathered = ShortList()
    }
}
