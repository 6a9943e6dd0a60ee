/// The changes of the entities of a type by one commit, or by several folded into one.
///
///     for await changes in cache.changes(ofAll: Post.self) {
///         for update in changes.updated { log(update.oldValue, update.value) }
///     }
///
/// These are the net changes, each with the entities before and after. An entity that is equal before and after isn't among
/// them.
public struct TypeChanges<Value: Cachable>: Sendable {
    /// The entities that were missing and are now stored, in no particular order.
    public internal(set) var inserted: [Value] = []

    /// The entities that were replaced by other values, in no particular order.
    public internal(set) var updated: [Update] = []

    /// The entities that were stored and are now missing, because they were removed, in no particular order.
    public internal(set) var removed: [Value] = []

    /// The entities that were stored and are now missing from memory, because of a limit or of
    /// ``FlatCache/collect(keeping:)``, in no particular order.
    public internal(set) var evicted: [Value] = []

    /// The revision of the newest commit that the observer was notified of.
    ///
    /// It is never lower than that of the changes before. It can be the same, because commits of different keys may reach an
    /// observer in another order.
    public let revision: UInt64

    var commitOrigins = CommitOrigins()

    /// The change of an entity.
    public struct Update: Sendable {
        /// The entity at the last notification.
        public let oldValue: Value

        /// The entity in its new state.
        public let value: Value

        @usableFromInline init(oldValue: Value, value: Value) {
            self.oldValue = oldValue
            self.value = value
        }
    }

    /// Whether no entity has changed.
    public var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && removed.isEmpty && evicted.isEmpty }
}

extension TypeChanges: ObservedChanges {
    // This is specialized for the type, because most of the time would be spent on finding the layout of the values.
    @inlinable init?(_ changes: GatheredChanges, revision: UInt64) {
        var inserted: [Value] = []
        var updated: [Update] = []
        var removed: [Value] = []
        var evicted: [Value] = []
        var vanished: [SlotChange] = []
        var origins = CommitOrigins()
        for change in changes {
            if !change.hasNews {
                if !change.wasStored, !change.isStored { vanished.append(change) }
                continue
            }
            origins.formUnion(change.origins)
            switch (change.oldEntity(of: Value.self), change.entity(of: Value.self)) {
            case (nil, let value?): inserted.append(value)
            case (let oldValue?, let value?): updated.append(Update(oldValue: oldValue, value: value))
            case (let oldValue?, nil):
                if change.isEviction { evicted.append(oldValue) } else { removed.append(oldValue) }
            case (nil, nil): break
            }
        }
        if inserted.isEmpty && updated.isEmpty && removed.isEmpty && evicted.isEmpty { return nil }
        self.init(inserted, updated, removed, evicted, revision, origins)
        if !vanished.isEmpty && !(removed.isEmpty && evicted.isEmpty) { settle(vanished) }
        if inserted.isEmpty || removed.isEmpty && evicted.isEmpty { return }
        join()
        if isEmpty { return nil }
    }

    @usableFromInline init(
        _ inserted: [Value],
        _ updated: [Update],
        _ removed: [Value],
        _ evicted: [Value],
        _ revision: UInt64,
        _ origins: CommitOrigins
    ) {
        self.inserted = inserted
        self.updated = updated
        self.removed = removed
        self.evicted = evicted
        self.revision = revision
        commitOrigins = origins
    }

    /// Determines whether missing entities were removed or evicted last.
    ///
    /// - Parameter changes: The changes of slots whose entities were stored and are missing again. They are later than those of
    ///   other slots of the same entities.
    @usableFromInline mutating func settle(_ changes: [SlotChange]) {
        var isEviction = KeyedValues<Value.ID, Bool>()
        for change in changes.sorted(by: { $0.revision < $1.revision }) {
            isEviction[change.id(of: Value.self), default: false] = change.isEviction
        }
        let missing = removed.map { (value: $0, isEviction: false) } + evicted.map { (value: $0, isEviction: true) }
        let settled = missing.map { (value: $0.value, isEviction: isEviction[$0.value.id] ?? $0.isEviction) }
        removed = settled.filter { !$0.isEviction }.map { $0.value }
        evicted = settled.filter { $0.isEviction }.map { $0.value }
    }

    /// Joins the removal or eviction and the insertion of an entity that was stored again by a later commit.
    @usableFromInline mutating func join() {
        let missing = removed + evicted
        var places = KeyedValues<Value.ID, Int>()
        for place in missing.indices { places[missing[place].id] = place }
        let equality = ValueEquality.of(Value.self)
        var joined: Set<Int> = []
        inserted.removeAll { value in
            guard let place = places.removeValue(forKey: value.id) else { return false }
            joined.insert(place)
            let oldValue = missing[place]
            let isEqual = withUnsafePointer(to: oldValue) { oldValue in
                withUnsafePointer(to: value) { value in
                    equality?.areEqual(UnsafeRawPointer(oldValue), UnsafeRawPointer(value)) ?? false
                }
            }
            if !isEqual { updated.append(Update(oldValue: oldValue, value: value)) }
            return true
        }
        let count = removed.count
        let left = missing.indices.filter { !joined.contains($0) }
        removed = left.prefix { $0 < count }.map { missing[$0] }
        evicted = left.drop { $0 < count }.map { missing[$0] }
    }
}

extension FlatCache {
    /// Calls a closure with the changes of each commit to the entities of a type.
    ///
    ///     let subscription = cache.observe(all: Post.self) { changes in
    ///         index.add(changes.inserted)
    ///         index.remove(changes.removed)
    ///     }
    ///
    /// The closure is called once per commit that changes entities of the type, with the net changes. There is no call for
    /// the state at the beginning. Calls don't overlap. Commits that arrive while the closure runs are folded into one call.
    /// The closure runs on the thread that commits, or on the thread that was already running it when the commit arrived.
    /// No lock is held. The closure may read, write, subscribe, cancel and clear. Writing an equal value of an `Equatable`
    /// type doesn't notify.
    ///
    /// - Parameters:
    ///   - type: The type of the entities.
    ///   - onChange: The closure to call.
    /// - Returns: The subscription. Observation ends when it is cancelled or released, or when the cache is deallocated.
    /// - Complexity: O(1). Each commit costs O(*n*) for the *n* entities of the type that it changes.
    @inlinable public func observe<Value: Cachable>(
        all type: Value.Type,
        onChange: @escaping @Sendable (TypeChanges<Value>) -> Void
    ) -> CacheSubscription {
        subscribe(toAll: type, onMainActor: false, TypeChanges<Value>.callback(onChange))
    }

    /// Calls a closure on the main actor with the changes of each commit to the entities of a type.
    ///
    /// A commit on the main actor calls the closure before the commit returns. After commits on other threads, one task calls
    /// the closure with the net changes of all of them. There is no call for the state at the beginning. After the
    /// subscription is cancelled on the main actor, the closure is not called again.
    ///
    /// - Parameters:
    ///   - type: The type of the entities.
    ///   - mainActor: `MainActor.shared`.
    ///   - onChange: The closure to call.
    /// - Returns: The subscription. Observation ends when it is cancelled or released, or when the cache is deallocated.
    /// - Complexity: O(1). Each commit costs O(*n*) for the *n* entities of the type that it changes.
    @inlinable public func observe<Value: Cachable>(
        all type: Value.Type,
        on mainActor: MainActor,
        onChange: @escaping @MainActor (TypeChanges<Value>) -> Void
    ) -> CacheSubscription {
        let callback = TypeChanges<Value>.callback { changes in MainActor.assumeIsolated { onChange(changes) } }
        return subscribe(toAll: type, onMainActor: true, callback)
    }

    /// Returns a sequence of the changes of the entities of a type, from the start of iteration on.
    ///
    ///     for await changes in cache.changes(ofAll: Post.self) { index.remove(changes.removed) }
    ///
    /// ``changes(ofAll:buffering:)`` delivers each commit separately.
    ///
    /// - Parameter type: The type of the entities.
    /// - Returns: A sequence with the changes of each commit. If commits are faster than the iterator, they are folded into
    ///   one element, whose changes take memory for each changed entity. The sequence doesn't keep the cache alive, and ends
    ///   when the cache is deallocated.
    public func changes<Value: Cachable>(ofAll type: Value.Type) -> CacheUpdates<TypeChanges<Value>> {
        CacheUpdates(in: reference) { cache, signal in
            let observer = ChangesObserver(isInitial: false, signal: signal)
            return PolledObservation(subscription: cache.subscribe(observer, toAll: type)) {
                (observer.takeChanges() as TypeChanges?).map { .element($0) } ?? .nothing
            }
        }
    }

    /// Returns a sequence with the changes of each commit to the entities of a type, from the start of iteration on.
    ///
    ///     for try await changes in cache.changes(ofAll: Post.self, buffering: .each(atMost: 1_000)) {
    ///         log.append(changes.revision, changes.origin, changes.updated)
    ///     }
    ///
    /// The elements have the order of the commits, and so ascending revisions. A commit that changes nothing, because it stores
    /// equal entities, has no element, but counts as a waiting commit.
    ///
    /// - Parameters:
    ///   - type: The type of the entities.
    ///   - buffering: The number of commits that may wait for the iterator. If there are more, the sequence delivers the
    ///     commits that were waiting, and then throws a ``FlatCache/OverflowError``. No later commit is buffered.
    /// - Returns: The sequence. It doesn't keep the cache alive. When the cache is deallocated, the sequence delivers the
    ///   waiting commits and ends.
    public func changes<Value: Cachable>(
        ofAll type: Value.Type,
        buffering: Buffering
    ) -> CommitUpdates<TypeChanges<Value>> {
        let updates = CacheUpdates(in: reference) { cache, signal in
            let buffer = CommitBuffer<TypeChanges<Value>>(for: buffering.limit, signal: signal)
            let registration = cache.registry.table(of: type).takeUnretainedValue().register(buffer)
            let subscription = CacheSubscription(buffer, [registration])
            buffer.begin(subscription)
            let reference = cache.reference
            return PolledObservation(subscription: subscription) {
                buffer.poll { take in
                    guard let cache = reference.object else { return take() }
                    return cache.registry.table(of: type).takeUnretainedValue().withAllShards(take)
                }
            }
        }
        return CommitUpdates(updates)
    }

    @usableFromInline func subscribe<Value: Cachable>(
        toAll type: Value.Type,
        onMainActor: Bool,
        _ callback: @escaping ChangesObserver.Callback
    ) -> CacheSubscription {
        subscribe(ChangesObserver(isInitial: false, onMainActor: onMainActor, callback), toAll: type)
    }

    private func subscribe<Value: Cachable>(_ observer: ChangesObserver, toAll type: Value.Type) -> CacheSubscription {
        CacheSubscription(observer, [registry.table(of: type).takeUnretainedValue().register(observer)])
    }
}

extension TypeChanges: CustomStringConvertible, CustomReflectable {
    /// A line with the numbers of entities: `TypeChanges<Blog.Post>: 1 inserted, 2 updated, revision 7`.
    public var description: String {
        Summary.line(
            Summary.name("TypeChanges", of: Value.self),
            nil,
            Summary.changes(inserted.count, updated.count, removed.count, evicted.count, revision)
        )
    }

    /// The identifiers.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "inserted": inserted.map { $0.id }, "updated": updated.map { $0.value.id },
                "removed": removed.map { $0.id }, "evicted": evicted.map { $0.id },
            ]
        )
    }
}

extension TypeChanges.Update: CustomStringConvertible, CustomReflectable {
    /// A line with the key: `TypeChanges<Blog.Post>.Update: Blog.Post("1")`.
    public var description: String {
        Summary.line(Summary.name("TypeChanges", of: Value.self) + ".Update", nil, ["\(value.flatCacheKey)"])
    }

    /// Both entities.
    public var customMirror: Mirror { Mirror(self, children: ["oldValue": oldValue, "value": value]) }
}
