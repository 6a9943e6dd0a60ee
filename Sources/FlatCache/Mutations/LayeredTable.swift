/// A table that can have layers, without its static entity type.
protocol LayeredTable: ErasedTable {
    /// Removes the layers of mutations from all keys, in a transaction.
    ///
    /// - Returns: Whether there were any.
    func removeLayers(of numbers: Set<UInt64>, in transaction: Transaction) -> Bool
}

extension Table: LayeredTable {
    func removeLayers(of numbers: Set<UInt64>, in transaction: Transaction) -> Bool {
        guard hasLayers else { return false }
        var found: [(slot: Slot<Value>, numbers: [UInt64])] = []
        // Between two commits, so that none moves a layer from a slot that isn't visited yet to one that was.
        withAllShards {
            for slot in shards.all.flatMap({ $0.pointer.pointee.index.all }) where slot.isLayered {
                let ended = slot.layered?.layers.map { $0.number }.filter(numbers.contains) ?? []
                if ended.isEmpty { continue }
                slot.pins += 1
                found.append((slot, ended))
            }
        }
        for (slot, ended) in found {
            let changes = transaction.table(self)
            changes.entries.makeRoom()
            let entry = changes.editLayers(at: withSlot(unpinning: slot) { changes.place(of: slot) })
            for number in ended { entry.removed.insert(number) }
        }
        return !found.isEmpty
    }
}
