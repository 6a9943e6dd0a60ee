/// What an observer of one key is told: the state that the entity had when it was told last, and the one it has now.
///
///     let subscription = cache.observe(Post.self, id: "1") { change in
///         switch change.kind {
///         case .initial, .inserted, .updated: show(change.value)
///         case .removed: close()
///         }
///     }
///
/// When commits follow each other faster than an observer takes them, the ones that wait are folded into one change.
public struct EntityChange<Value: Cachable>: Sendable {
    /// What has happened to an entity.
    public enum Kind: Hashable, Sendable {
        /// Nothing yet: this is the state with which observation begins. The entity may be missing.
        case initial
        /// The entity was missing and is there now.
        case inserted
        /// The entity was replaced by another value.
        case updated
        /// The entity was there and is missing now.
        case removed
    }

    /// What has happened.
    public let kind: Kind
    @usableFromInline let transition: Transition<Value>

    @inlinable init(_ kind: Kind, _ transition: Transition<Value>) {
        self.kind = kind
        self.transition = transition
    }

    /// The identifier of the entity.
    @inlinable public var id: Value.ID { transition.slot.id }

    /// The key of the entity.
    public var key: FlatCacheKey { FlatCacheKey(Value.self, id: id) }

    /// The entity as it is now; `nil` when it is missing.
    @inlinable public var value: Value? { transition.newValue }

    /// The entity as this observer was told last; `nil` when it was missing then, and in the initial change.
    @inlinable public var oldValue: Value? { transition.oldValue }

    /// The revision of the newest commit in this change; 0 when nothing was ever stored under the key.
    ///
    /// The changes that one observer is told have rising revisions.
    @inlinable public var revision: UInt64 { transition.revision }
}

extension EntityChange {
    /// The change to tell an observer, or `nil` when nothing has changed for it.
    ///
    /// - Parameter change: A transition of an entity of the type.
    @inlinable init?(_ change: any SlotChange) {
        let transition = unsafeDowncast(change, to: Transition<Value>.self)
        if transition.isInitial {
            self.init(.initial, transition)
            return
        }
        switch transition.netChange {
        case .inserted: self.init(.inserted, transition)
        case .updated: self.init(.updated, transition)
        case .removed: self.init(.removed, transition)
        case nil: return nil
        }
    }
}
