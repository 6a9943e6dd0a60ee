/// The mutation of a layer, as far as commits know it.
@usableFromInline
protocol LayerOwner: AnyObject, Sendable {
    /// The number, which all layers of the mutation have.
    var number: UInt64 { get }

    /// Whether the mutation was sent.
    var isSent: Bool { get }

    /// Copies the members in which two versions of an entity differ from one entity to another.
    ///
    /// - Returns: The other entity with the members. If they can't be copied one by one, it is the other entity if that has the
    ///   members already, and else the first one as a whole.
    func copyChanges<Value: Cachable>(from old: Value, to new: Value, of source: Value, to target: Value) -> Value
}

/// What has happened to a key since the mutation of one of its layers was sent.
@usableFromInline
final class LayerNotes<Value: Cachable>: Sendable {
    /// What others have done to the confirmed entity since the mutation was sent.
    let write: LayerWrite<Value>?
    /// Whether the server has confirmed the mutation, and its change waits for those of earlier mutations.
    let isSettled: Bool
    /// The confirmed entity since the server has answered with it, or `nil` if the answer doesn't have the entity.
    let answer: Value?

    init(_ write: LayerWrite<Value>?, isSettled: Bool = false, answer: Value? = nil) {
        self.write = write
        self.isSettled = isSettled
        self.answer = answer
    }
}

/// The writes of others since a mutation was sent.
struct LayerWrite<Value: Cachable>: Sendable {
    /// The confirmed entity before the first of them, or `nil` if none was stored.
    var base: Value?
    /// Whether the last of them has removed the entity.
    var isRemoval: Bool
}
