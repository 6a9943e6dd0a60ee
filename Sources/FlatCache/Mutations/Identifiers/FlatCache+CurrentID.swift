extension FlatCache {
    /// The entity with the identifier that has replaced another one, under which no entity is stored.
    func forwardedValue<Value: Cachable>(of id: Value.ID, in table: Table<Value>) -> Value? {
        table.mayForward ? valueOfReplacement(id) : nil
    }

    /// It isn't specialized, because each type with accessors would have a copy of what it calls.
    @_semantics("optimize.sil.specialize.generic.never") @inline(never) @usableFromInline
    func valueOfReplacement<Value: Cachable>(_ id: Value.ID) -> Value? {
        let current = currentID(of: Value.self, id)
        return current == id ? nil : get(Value.self, id: current)
    }

    /// The identifier that has replaced another one, or `nil` if none has.
    @_semantics("optimize.sil.specialize.generic.never")
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
        guard table.mayHaveLayers, let changes = snapshot.transaction?.table(table), !changes.hasMoved(id) else {
            return false
        }
        return table.withSlot(for: id, hash) { $0.isShownByLayers(at: snapshot.revision) }
    }

    /// The identifier at the end of the replacements of another one, even if an entity is stored under that, or `nil` if it
    /// wasn't replaced.
    ///
    /// While the closures of layers run for a commit that replaces identifiers, these are replaced already.
    func lastID<Value: Cachable>(of type: Value.Type, _ id: Value.ID) -> Value.ID? {
        guard registry.find(type)?.takeUnretainedValue().mayForward == true else { return nil }
        let running = ReadContext.replacedKeys(of: history.object)
        return readTogether {
            var last: Value.ID?
            while let next = next(after: last ?? id) { last = next }
            return last
        }
        func next(after id: Value.ID) -> Value.ID? {
            if !running.isEmpty, let key = running[FlatCacheKey(type, id: id)] { return key?.id(as: type) }
            return forwarding(type, id)
        }
    }

    /// The identifiers of the keys that may have a layer which was added to the key with an identifier, that one first.
    @_semantics("optimize.sil.specialize.generic.never")
    func layeredIDs<Value: Cachable>(of type: Value.Type, _ id: Value.ID) -> [Value.ID] {
        guard registry.find(type)?.takeUnretainedValue().mayForward == true else { return [id] }
        return readTogether {
            var ids = [id]
            var known = KeySet(ids)
            var place = 0
            while place < ids.count {
                let forwarding = get(Forwarding<Value>.self, id: ids[place])
                for next in (forwarding?.earlier ?? []) + (forwarding?.target.map { [$0] } ?? []) {
                    if known.insert(next) { ids.append(next) }
                }
                place += 1
            }
            return ids
        }
    }
}
