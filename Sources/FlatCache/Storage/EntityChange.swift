/// A change of one entity, with its state at the last notification of the observer and its new state.
///
///     let subscription = cache.observe(Post.self, id: "1") { change in
///         switch change.kind {
///         case .removed: close()
///         default: show(change.value)
///         }
///     }
///
/// If commits are faster than an observer, the waiting changes are folded into one.
@frozen  // Each write that notifies creates one, in code that is specialized for the type of the entity.
public struct EntityChange<Value: Cachable>: Sendable {
    /// The entity at the last notification, or `nil` if it was missing and in the initial change.
    public let oldValue: Value?

    /// The entity in its new state, or `nil` if it is missing.
    public let value: Value?

    /// The revision of the newest commit in this change.
    ///
    /// It is 0 in an initial change if the cache has no revision for the key, because no entity was stored, or because
    /// it was removed when the key had no observer.
    ///
    /// Each change of an observer has a higher revision than the change before.
    public let revision: UInt64

    /// The identifier of the entity.
    public let id: Value.ID

    @usableFromInline let slot: SlotIdentity
    @usableFromInline let commitOrigins: CommitOrigins
    /// Whether this is the initial state of the observation.
    @usableFromInline let isInitial: Bool
    /// Whether the newest commit has evicted the entity.
    @usableFromInline let isEviction: Bool

    /// Creates a change of a slot that is locked or pinned.
    @inlinable init(
        of slot: Slot,
        from oldValue: consuming Value?,
        to value: consuming Value?,
        revision: UInt64,
        origins: CommitOrigins = CommitOrigins(),
        isInitial: Bool,
        isEviction: Bool = false
    ) {
        self.init(
            of: SlotIdentity(slot),
            slot.id(of: Value.self),
            from: oldValue,
            to: value,
            revision: revision,
            origins: origins,
            isInitial: isInitial,
            isEviction: isEviction
        )
    }

    @inlinable init(
        of slot: SlotIdentity,
        _ id: Value.ID,
        from oldValue: consuming Value?,
        to value: consuming Value?,
        revision: UInt64,
        origins: CommitOrigins,
        isInitial: Bool,
        isEviction: Bool
    ) {
        self.slot = slot
        self.id = id
        self.oldValue = oldValue
        self.value = value
        self.revision = revision
        commitOrigins = origins
        self.isInitial = isInitial
        self.isEviction = isEviction
    }

    /// The kind of the change.
    @inlinable public var kind: ChangeKind {
        if isInitial { return .initial }
        if oldValue == nil { return .inserted }
        if value != nil { return .updated }
        return isEviction ? .evicted : .removed
    }

    /// The key of the entity.
    public var key: FlatCacheKey { FlatCacheKey(Value.self, id: id) }

    /// Whether the entity is equal before and after, so that observers need not be notified.
    ///
    /// `==` is user code, so it runs here, where no lock is held.
    @inlinable func isNone(_ equality: ValueEquality?) -> Bool {
        if isInitial { return false }
        if oldValue == nil || value == nil { return oldValue == nil && value == nil }
        guard let equality else { return false }
        return withUnsafePointer(to: oldValue) { oldValue in
            withUnsafePointer(to: value) { value in
                equality.areEqual(UnsafeRawPointer(oldValue), UnsafeRawPointer(value))
            }
        }
    }
}

extension EntityChange: CustomStringConvertible, CustomReflectable {
    /// A text with the key, the kind and the revision: `Blog.Post("1") updated in revision 7`.
    public var description: String { "\(key) \(kind) in revision \(revision)" }

    /// Both entities.
    public var customMirror: Mirror { Mirror(self, children: ["oldValue": oldValue as Any, "value": value as Any]) }
}

/// The kind of a change of an entity.
///
/// Later versions may add kinds, so a `switch` needs a `default`.
@frozen  // Each write that notifies creates one, in code that is specialized for the type of the entity.
public struct ChangeKind: Hashable, Sendable {
    @usableFromInline let code: UInt8

    @inlinable init(code: UInt8) {
        self.code = code
    }

    /// The initial state of the observation, in which the entity may be missing.
    @inlinable public static var initial: ChangeKind { ChangeKind(code: 0) }

    /// The entity was missing and is now stored.
    @inlinable public static var inserted: ChangeKind { ChangeKind(code: 1) }

    /// The entity was replaced by another value.
    @inlinable public static var updated: ChangeKind { ChangeKind(code: 2) }

    /// The entity was stored and is now missing, because it was removed.
    @inlinable public static var removed: ChangeKind { ChangeKind(code: 3) }

    /// The entity was stored and is now missing from memory, because of a limit or of ``FlatCache/collect(keeping:)``.
    ///
    /// It isn't deleted: a fetch brings it back. Delete rules don't run, and lists keep its place. An entity whose key is
    /// observed isn't evicted, so observers of single keys don't receive this kind. ``TypeChanges/evicted`` has the entities.
    @inlinable public static var evicted: ChangeKind { ChangeKind(code: 4) }
}

extension ChangeKind: CustomStringConvertible, CustomReflectable {
    /// The name of the kind: `updated`.
    public var description: String {
        let names = ["initial", "inserted", "updated", "removed", "evicted"]
        return names[Int(code)]
    }

    /// No members, so that `dump` prints the line alone.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
