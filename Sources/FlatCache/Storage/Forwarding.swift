/// The identifier that has replaced another one, stored like an entity.
///
/// It counts while no entity is stored under the old identifier. An entity that is stored with the new identifier takes part in
/// no circle, because a replacement by an identifier ends the forwarding from it.
struct Forwarding<Value: Cachable>: InternalEntity {
    /// The old identifier.
    let id: Value.ID
    /// The identifier that has replaced it, and may be replaced itself, or `nil` after it has itself replaced one.
    var target: Value.ID?
    /// The identifiers that have replaced it before, whose keys may have layers that were added to this one.
    var earlier: [Value.ID] = []

    /// Replaces the target.
    mutating func lead(to new: Value.ID?) {
        if let target, target != new { earlier.append(target) }
        target = new
    }
}
