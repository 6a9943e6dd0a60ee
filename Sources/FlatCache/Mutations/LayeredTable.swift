/// A table that can have layers, without its static entity type.
protocol LayeredTable: EntityTable {
    /// Removes the layers of mutations from all keys, in a transaction.
    ///
    /// - Returns: The keys that had any.
    func removeLayers(of numbers: Set<UInt64>, in transaction: Transaction) -> [UnlayeredKey]
}

/// A key whose layers of some mutations are removed.
struct UnlayeredKey {
    let key: FlatCacheKey
    /// Whether no layers remain.
    let isIdle: Bool
}

extension Table: LayeredTable {
    func removeLayers(of numbers: Set<UInt64>, in transaction: Transaction) -> [UnlayeredKey] {
        guard hasLayers else { return [] }
        var found: [(slot: Slot, layers: [UInt64])] = []
        // Between two commits, so that none moves a layer from a slot that isn't visited yet to one that was.
        withAllShards {
            for slot in shards.all.flatMap({ $0.pointer.pointee.index.all }) where slot.isLayered {
                let layers = slot.layered(of: Value.self)?.layers.map { $0.number } ?? []
                if layers.allSatisfy({ !numbers.contains($0) }) { continue }
                slot.pins += 1
                found.append((slot, layers))
            }
        }
        let changes = transaction.table(self)
        return found.map { slot, layers in
            changes.entries.makeRoom()
            let entry = changes.editLayers(at: withSlot(unpinning: slot) { changes.place(of: slot) })
            for number in layers where numbers.contains(number) { entry.removed.insert(number) }
            // The transaction depends on the entity, and is run again if another one has removed a layer meanwhile.
            if let snapshot = history.snapshotOfThread, snapshot.transaction === transaction {
                _ = changes.value(of: slot, in: snapshot)
            }
            let isIdle = layers.allSatisfy(numbers.contains)
            return UnlayeredKey(key: FlatCacheKey(Value.self, id: slot.id(of: Value.self)), isIdle: isIdle)
        }
    }
}
