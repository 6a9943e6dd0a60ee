/// The mutation of a layer, as far as commits know it.
@usableFromInline
protocol LayerOwner: AnyObject, Sendable {
    /// The number, which all layers of the mutation have.
    var number: UInt64 { get }

    /// Whether the mutation was sent.
    var isSent: Bool { get }

    /// The last commit before the mutation was sent.
    var sentRevision: UInt64 { get }

    /// The members in which two versions of an entity differ.
    ///
    /// Those of a list are the identifiers that only one version has, and those that have moved.
    func changes<Value: Cachable>(from old: Value?, to new: Value?) -> any MemberChanges<Value>

    /// Whether the members of an entity can always be copied one by one.
    func copiesMembers<Value: Cachable>(of value: Value) -> Bool
}

/// The members in which versions of an entity differ.
@usableFromInline
protocol MemberChanges<Value>: Sendable {
    associatedtype Value: Cachable

    /// Whether the versions are the same.
    var isEmpty: Bool { get }

    /// The members, and those of earlier changes.
    func union(_ earlier: (any MemberChanges<Value>)?) -> any MemberChanges<Value>

    /// Copies the members from one entity to another.
    ///
    /// - Parameters:
    ///   - source: The entity that has them, or `nil` for an empty list.
    ///   - target: The other entity, or `nil` for an empty list.
    /// - Returns: The other entity with the members, or `nil` if they can't be copied one by one.
    func copied(from source: Value?, to target: Value?) -> Value?

    /// The members after identifiers were replaced.
    ///
    /// - Parameter rename: Replaces them in a version of the entity.
    func renamed(_ rename: (Value?) -> Value?) -> any MemberChanges<Value>
}

/// What has happened to a key since the mutation of one of its layers was sent.
@_fixed_layout @usableFromInline
final class LayerNotes<Value: Cachable>: Sendable {
    /// Whether readers see the change of the mutation as it is: others have neither removed the entity nor written it since the
    /// server has confirmed the mutation.
    @usableFromInline let showsChange: Bool
    /// Whether ``settled`` isn't `nil`, which takes less time.
    @usableFromInline let isSettled: Bool
    /// What others have done to the confirmed entity between the sending of the mutation and its confirmation.
    let write: LayerWrite<Value>?
    /// What is known of a change that the server has confirmed and that waits for those of earlier mutations, or `nil` if it hasn't
    /// confirmed it.
    let settled: SettledChange<Value>?

    init(_ write: LayerWrite<Value>) {
        showsChange = !write.isRemoval
        isSettled = false
        self.write = write
        settled = nil
    }

    init(_ settled: SettledChange<Value>) {
        showsChange = settled.overwritten == nil
        isSettled = true
        write = nil
        self.settled = settled
    }
}

/// The writes since a mutation was sent.
@usableFromInline
struct LayerWrite<Value: Cachable>: Sendable {
    /// The members that others have written, or `nil` for none.
    var others: (any MemberChanges<Value>)?
    /// The members that earlier mutations have changed, which the mutation's answer may not know, or `nil` for none.
    var earlier: (any MemberChanges<Value>)?
    /// The entity that others have removed or moved last, or `nil` if there is none.
    var removed: Value?
    /// Whether they move the entity to the key of another one.
    var isMoved = false
    /// Whether the last write of others has removed the entity.
    var isRemoval = false
    /// What delete rules have made of the layer, or `nil` for nothing.
    var rules: LayerRules<Value>?

    /// Notes that others write the confirmed entity.
    ///
    /// An entity that the mutation itself inserts counts as what was stored before.
    ///
    /// - Parameters:
    ///   - new: The entity that is written, or `nil` if it is removed.
    ///   - old: The one that is replaced.
    ///   - changes: The members in which they differ.
    ///   - layer: The layer of the mutation.
    mutating func note(
        _ new: Value?,
        over old: Value?,
        _ changes: any MemberChanges<Value>,
        of layer: Layer<Value>
    ) {
        isRemoval = new == nil
        rules?.isRemoved = isRemoval
        var changes = changes
        if !(Value.self is any InternalEntity.Type) {
            guard let new else { return removed = old ?? removed }
            if old == nil {
                guard let known = removed ?? layer.change(nil, new.id) else { return }
                changes = layer.mutation.changes(from: known, to: new)
            }
        }
        others = changes.union(others)
    }
}

/// What delete rules have made of a layer, because entities were removed to which its result refers.
struct LayerRules<Value: Cachable>: Sendable {
    /// The change of the layer without the rules.
    let body: LayerBody<Value>
    /// Whether others have removed the entity itself.
    var isRemoved: Bool
    /// Return whether the entities that were removed are stored again.
    var areUndone: [@Sendable () -> Bool] = []
}

/// A change that the server has confirmed before those of earlier mutations.
///
/// The confirmed entity has it. Because earlier changes have to be made before it, layers are applied to the entity without it.
@usableFromInline
struct SettledChange<Value: Cachable>: Sendable {
    /// The confirmed entity without the changes of all such layers of the key, or `nil` if there is none.
    var base: Value?
    /// The members that others have written since, or `nil` for none.
    var overwritten: (any MemberChanges<Value>)?
}
