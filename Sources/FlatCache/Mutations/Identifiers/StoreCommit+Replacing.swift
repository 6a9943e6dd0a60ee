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
        guard !replacements.isEmpty, let snapshot = cache.history.snapshotOfThread else { return }
        let changes = table(of: type)
        let moved = inOrder(replacements).filter { cache.get(Forwarding<Value>.self, id: $0.old)?.target != $0.new }
        for (old, new) in moved {
            let hash = HashedID(old)
            let kept = keepsChanged && isChanged(type, id: old) ? changes.value(of: old, hash, in: snapshot) : nil
            cache.lead(old, to: new, of: type, in: snapshot, transaction)
            if let kept { changes.write(kept, old, hash) }
        }
        for replacement in replacements where replacement.new == nil { endReplacement(of: replacement.old, type) }
        transaction.applyOwnerLayersAgain(of: type, in: cache)
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
        if !isReplaced(type, id: id) { return }
        cache.update(Forwarding<Value>.self, id: id) { $0.lead(to: nil) }
        transaction.noteReplacement(of: FlatCacheKey(type, id: id), by: nil)
    }

    /// Whether an entity takes the place of one in memory that has another identifier.
    package func takesPlace<Value: Cachable>(_ type: Value.Type, id: Value.ID) -> Bool {
        table(of: type).hasSourceInMemory(id)
    }
}

/// The old identifiers with the new ones, those first whose new ones are replaced themselves.
private func inOrder<ID: Hashable>(_ replacements: [ChangedIdentifier<ID>]) -> [(old: ID, new: ID)] {
    let pairs = replacements.compactMap { replacement in replacement.new.map { (old: replacement.old, new: $0) } }
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
    return pairs.filter { $0.old != $0.new }.sorted { lengths[$0.old, default: 0] > lengths[$1.old, default: 0] }
}
