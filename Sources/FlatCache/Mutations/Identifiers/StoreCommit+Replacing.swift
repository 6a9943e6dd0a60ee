/// The replacements of another process.
extension StoreCommit {
    /// Replaces identifiers, and moves the layers and the observers of the old keys to the new ones.
    ///
    /// The commit stores the new entities. What names an old identifier is changed by the other process, except for layers.
    ///
    /// - Parameters:
    ///   - replacements: The identifiers, in any order. Those without a new one aren't replaced any more.
    ///   - keepsChanged: Whether an entity with an old identifier remains if the store doesn't have its last change yet.
    package func replace<Value: Cachable>(
        _ replacements: [ChangedIdentifier<Value.ID>],
        of type: Value.Type,
        keepsChanged: Bool = false
    ) {
        guard let snapshot = cache.history.snapshotOfThread else { return }
        let ended = replacements.filter { $0.new == nil && isReplaced(type, id: $0.old) }
        for replacement in ended { endReplacement(of: replacement.old, type) }
        let pairs = inOrder(pairs(of: replacements, of: type, in: snapshot))
        // All layers would be written by each refresh that reads everything.
        if ended.isEmpty && pairs.isEmpty { return }
        let changes = table(of: type)
        for (old, new) in pairs {
            let hash = HashedID(old)
            let kept = keepsChanged && isChanged(type, id: old) ? changes.value(of: old, hash, in: snapshot) : nil
            cache.lead(old, to: new, of: type, in: snapshot, transaction)
            if let kept { changes.write(kept, old, hash) }
        }
        let renamings = pairs.map { IDReplacement<Value>(old: $0.old, new: $0.new) }
        transaction.rename(renamings, inOwnersWithLayersOf: cache, snapshot)
    }

    /// The old and new identifiers of replacements that the cache doesn't have, and of those of their new identifiers, which it can
    /// have.
    private func pairs<Value: Cachable>(
        of replacements: [ChangedIdentifier<Value.ID>],
        of type: Value.Type,
        in snapshot: Snapshot
    ) -> [(old: Value.ID, new: Value.ID)] {
        func target(of id: Value.ID) -> Value.ID? { cache.get(Forwarding<Value>.self, id: id)?.target }
        var next: [Value.ID: Value.ID] = [:]
        for replacement in replacements { next[replacement.old] = replacement.new }
        var pairs = replacements.compactMap { replacement in replacement.new.map { (old: replacement.old, new: $0) } }
            .filter { $0.old != $0.new && target(of: $0.old) != $0.new }
        var known = Set(pairs.map(\.old))
        var place = 0
        while place < pairs.count {
            let id = pairs[place].new
            // One under which an entity is stored again isn't read under the next one.
            if !known.contains(id), let new = next[id] ?? target(of: id),
                table(of: type).value(of: id, HashedID(id), in: snapshot) == nil
            {
                known.insert(id)
                pairs.append((old: id, new: new))
            }
            place += 1
        }
        return pairs
    }

    /// Ends the replacements of the identifiers of a type, except for some, and those that the store doesn't have yet.
    package func endReplacements<Value: Cachable>(of type: Value.Type, except ids: [Value.ID]) {
        let kept = KeySet(ids)
        let ended = cache.allValues(of: Forwarding<Value>.self).map(\.id).filter { id in
            !kept.contains(id) && !isReplacementChanged(of: id, type)
        }
        replace(ended.map { ChangedIdentifier(old: $0, new: nil) }, of: type)
    }

    /// Layers that were added to the old key are still found, because the forwarding isn't removed.
    private func endReplacement<Value: Cachable>(of id: Value.ID, _ type: Value.Type) {
        cache.update(Forwarding<Value>.self, id: id) { $0.lead(to: nil) }
        transaction.noteReplacement(of: FlatCacheKey(type, id: id), by: nil)
    }

    /// Whether an entity takes the place of one in memory that has another identifier.
    package func takesPlace<Value: Cachable>(_ type: Value.Type, id: Value.ID) -> Bool {
        table(of: type).hasSourceInMemory(id)
    }
}

/// Pairs of an identifier and the one that replaces it, those first whose new ones are replaced themselves.
private func inOrder<ID: Hashable>(_ pairs: [(old: ID, new: ID)]) -> [(old: ID, new: ID)] {
    let next = Dictionary(pairs.map { ($0.old, $0.new) }) { $1 }
    // The number of replacements from an identifier to the last one.
    var lengths: [ID: Int] = [:]
    for start in next.keys {
        var path: [ID] = []
        var last = start
        // A damaged store can have circles.
        while lengths[last] == nil, path.count < next.count, let new = next[last] {
            path.append(last)
            last = new
        }
        var length = lengths[last] ?? 0
        for id in path.reversed() {
            length += 1
            lengths[id] = length
        }
    }
    return pairs.sorted { lengths[$0.old, default: 0] > lengths[$1.old, default: 0] }
}
