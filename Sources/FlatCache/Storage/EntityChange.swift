/// A change of one entity: its state at the last notification of the observer, and its state now.
///
///     let subscription = cache.observe(Post.self, id: "1") { change in
///         switch change.kind {
///         case .removed: close()
///         default: show(change.value)
///         }
///     }
///
/// When commits follow each other faster than an observer takes them, the ones that wait are folded into one change.
@frozen  // Each write that notifies makes one, in code that is specialized for the type of the entity.
public struct EntityChange<Value: Cachable>: Sendable {
    /// The entity at the last notification; `nil` when it was missing then, and in the initial change.
    public let oldValue: Value?

    /// The entity as it is now; `nil` when it is missing.
    public let value: Value?

    /// The revision of the newest commit in this change; 0 in an initial change when the cache knows of none, because
    /// nothing was stored under the key, or it was removed and nobody has observed it since.
    ///
    /// The changes of one observer have rising revisions.
    public let revision: UInt64

    @usableFromInline let slot: Slot<Value>
    /// Whether this is the state with which observation begins.
    @usableFromInline let isInitial: Bool

    @inlinable init(
        of slot: Slot<Value>,
        from oldValue: consuming Value?,
        to value: consuming Value?,
        revision: UInt64,
        isInitial: Bool
    ) {
        self.slot = slot
        self.oldValue = oldValue
        self.value = value
        self.revision = revision
        self.isInitial = isInitial
    }

    /// What has happened.
    @inlinable public var kind: ChangeKind {
        if isInitial { return .initial }
        if oldValue == nil { return .inserted }
        return value == nil ? .removed : .updated
    }

    /// The identifier of the entity.
    @inlinable public var id: Value.ID { slot.id }

    /// The key of the entity.
    public var key: FlatCacheKey { FlatCacheKey(Value.self, id: id) }

    /// Whether the entity has ended as it began, so that there is nothing to notify of.
    ///
    /// `==` is user code; it runs here, where no lock is held.
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

extension EntityChange: CustomStringConvertible {
    /// The key, what has happened, and the revision: `Blog.Post("1") updated in revision 7`.
    public var description: String { "\(key) \(kind) in revision \(revision)" }
}

/// What has happened to an entity.
///
/// Later versions may add kinds, such as the eviction of an entity that a limit removes: a `switch` needs a `default`.
@frozen  // Each write that notifies makes one, in code that is specialized for the type of the entity.
public struct ChangeKind: Hashable, Sendable {
    @usableFromInline let code: UInt8

    @inlinable init(code: UInt8) {
        self.code = code
    }

    /// Nothing yet: this is the state with which observation begins.
    ///
    /// The entity may be missing.
    @inlinable public static var initial: ChangeKind { ChangeKind(code: 0) }

    /// The entity was missing and is there now.
    @inlinable public static var inserted: ChangeKind { ChangeKind(code: 1) }

    /// The entity was replaced by another value.
    @inlinable public static var updated: ChangeKind { ChangeKind(code: 2) }

    /// The entity was there and is missing now.
    @inlinable public static var removed: ChangeKind { ChangeKind(code: 3) }
}

extension ChangeKind: CustomStringConvertible {
    /// The name of the kind: `updated`.
    public var description: String {
        let names = ["initial", "inserted", "updated", "removed"]
        return names[Int(code)]
    }
}
