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
public struct EntityChange<Value: Cachable>: Sendable {
    let change: SlotChange

    @usableFromInline init(_ change: SlotChange) {
        self.change = change
    }

    /// The entity at the last notification, or `nil` if it was missing and in the initial change.
    public var oldValue: Value? { change.oldEntity(of: Value.self) }

    /// The entity in its new state, or `nil` if it is missing.
    public var value: Value? { change.entity(of: Value.self) }

    /// The revision of the newest commit in this change.
    ///
    /// It is 0 in an initial change if the cache has no revision for the key, because no entity was stored, or because
    /// it was removed when the key had no observer.
    ///
    /// Each change of an observer has a higher revision than the change before.
    public var revision: UInt64 { change.revision }

    /// The identifier of the entity.
    public var id: Value.ID { change.id(of: Value.self) }

    /// The kind of the change.
    public var kind: ChangeKind { change.kind(isInitial: true) }

    /// The key of the entity.
    public var key: FlatCacheKey { change.key }
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
public struct ChangeKind: Hashable, Sendable {
    private let code: UInt8

    private init(code: UInt8) {
        self.code = code
    }

    /// The initial state of the observation, in which the entity may be missing.
    public static var initial: ChangeKind { ChangeKind(code: 0) }

    /// The entity was missing and is now stored.
    public static var inserted: ChangeKind { ChangeKind(code: 1) }

    /// The entity was replaced by another value.
    public static var updated: ChangeKind { ChangeKind(code: 2) }

    /// The entity was stored and is now missing, because it was removed.
    public static var removed: ChangeKind { ChangeKind(code: 3) }

    /// The entity was stored and is now missing from memory, because of a limit or of ``FlatCache/collect(keeping:)``.
    ///
    /// It isn't deleted: a fetch brings it back. Delete rules don't run, and lists keep its place. An entity whose key is
    /// observed isn't evicted, so observers of single keys don't receive this kind. ``TypeChanges/evicted`` has the entities.
    public static var evicted: ChangeKind { ChangeKind(code: 4) }
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
