/// The identifier that has replaced another one, stored like an entity.
///
/// It counts while no entity is stored under the old identifier. An entity that is stored with the new identifier takes part in
/// no circle, because a replacement by an identifier ends the forwarding from it.
struct Forwarding<Value: Cachable>: InternalEntity {
    /// The old identifier.
    let id: Value.ID
    /// The identifier that has replaced it, and may be replaced itself.
    let target: Value.ID
}

extension FlatCache {
    /// The entity with the identifier that has replaced another one, under which no entity is stored.
    @inlinable
    func forwardedValue<Value: Cachable>(of id: Value.ID, in table: Table<Value>) -> Value? {
        table.mayForward ? valueOfReplacement(id) : nil
    }

    @inline(never) @usableFromInline
    func valueOfReplacement<Value: Cachable>(_ id: Value.ID) -> Value? {
        forwarding(Value.self, id).flatMap { get(Value.self, id: $0) }
    }

    /// The identifier that has replaced another one, or `nil` if none has.
    private func forwarding<Value: Cachable>(_ type: Value.Type, _ id: Value.ID) -> Value.ID? {
        registry.find(Forwarding<Value>.self) == nil ? nil : get(Forwarding<Value>.self, id: id)?.target
    }

    /// Returns the identifier that has taken the place of another one.
    ///
    ///     cache.currentID(of: Post.self, "tmp-1")         // "7", after "tmp-1" was replaced
    ///
    /// - Parameters:
    ///   - type: The type of the entity.
    ///   - id: The identifier.
    /// - Returns: The identifier that has replaced it, after the last of several replacements, or the identifier itself if it
    ///   wasn't replaced, or if an entity is stored under it again.
    /// - Complexity: O(1) on average, and O(*n*) after *n* replacements one after the other.
    public func currentID<Value: Cachable>(of type: Value.Type, _ id: Value.ID) -> Value.ID {
        guard registry.find(type)?.takeUnretainedValue().mayForward == true else { return id }
        return readTogether {
            var id = id
            while !isStored(type, id), let next = forwarding(type, id) { id = next }
            return id
        }
    }

    /// Whether an entity is stored under an identifier itself, or shown by layers.
    private func isStored<Value: Cachable>(_ type: Value.Type, _ id: Value.ID) -> Bool {
        guard let snapshot = history.snapshotOfThread else { return false }
        let table = registry.table(of: type).takeUnretainedValue()
        let hash = HashedID(id)
        if snapshot.contains(id, hash, in: table) { return true }
        // A transaction doesn't see layers.
        guard table.hasLayers, let changes = snapshot.transaction?.table(table), !changes.hasMoved(id) else { return false }
        return table.withSlot(for: id, hash) { $0.isLayered && $0.isStored }
    }

    /// An identifier and those that have replaced it one after the other.
    func followingIDs<Value: Cachable>(of type: Value.Type, _ id: Value.ID) -> [Value.ID] {
        guard registry.find(type)?.takeUnretainedValue().mayForward == true else { return [id] }
        return readTogether {
            var ids = [id]
            while let next = ids.last.flatMap({ forwarding(type, $0) }) { ids.append(next) }
            return ids
        }
    }

    /// The identifiers of a type that were replaced, each with the one that has replaced it.
    func replacedIDs<Value: Cachable>(of type: Value.Type) -> [(old: Value.ID, new: Value.ID)] {
        guard registry.find(type)?.takeUnretainedValue().mayForward == true else { return [] }
        return allValues(of: Forwarding<Value>.self).compactMap {
            let current = currentID(of: type, $0.id)
            return current == $0.id ? nil : ($0.id, current)
        }
    }
}
