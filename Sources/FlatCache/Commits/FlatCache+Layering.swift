extension FlatCache {
    /// Changes the confirmed entity and the layers of one key, in a commit of its own.
    ///
    /// - Parameters:
    ///   - id: The identifier of the entity.
    ///   - hash: Its hash.
    ///   - table: Its table.
    ///   - edit: The change. The closures of layers run again if another thread writes the key before the result is stored.
    /// - Returns: The number of layers of the key after the commit, or `nil` if nothing is changed, and a transaction must make the
    ///   change, because it changes indexes or is refused.
    @inlinable @inline(never)
    func commitLayers<Value: Cachable>(
        of id: Value.ID,
        _ hash: HashedID,
        in table: Table<Value>,
        _ edit: LayerEdit<Value>
    ) -> Int? {
        let shard = table.shards[hash]
        let slot = table.lockedSlot(for: id, hash)
        slot.pins += 1
        var running: RunningUpdate?
        var overtaken = Overtaken()
        defer { overtaken.end() }
        while true {
            var new = LayeredChange<Value>(of: slot)
            let shown = edit.needsShown(over: new.layers.count) ? slot.copy(of: Value.self) : nil
            let revision = slot.revision
            let indexes = table.indexes
            shard.unlock()

            running?.begin(of: UnsafeRawPointer(slot.header), at: revision)
            // At first, the thread holds nothing for which another one waits, so that the closures may wait, too.
            let isOutside = running == nil && ReadContext.innermost.isEmpty
            let visible =
                isOutside ? new.make(edit, over: shown, of: id) : make(edit, &new, over: shown, of: id)
            running?.endBody()

            SyncPoint.reach(.listed)
            history.followClock()
            shard.lock()
            shard.waitToWrite(slot)
            if slot.revision == running?.expectedRevision ?? revision && table.indexes === indexes {
                guard new.isMade(edit), table.keepsKeys(of: slot, in: visible) else {
                    shard.unlock(unpinning: slot)
                    return nil
                }
                let count = new.layers.count
                shard.commit(consume visible, consume new, to: slot, in: table, of: self)
                return count
            }
            shard.unlock()
            // From the second attempt on, the result counts as later than writes of the closures themselves.
            if running == nil { running = RunningUpdate() }
            overtaken.again { $0.add(slot, of: table) }
            shard.lock()
            shard.waitForLargeCommit()
        }
    }

    /// Makes an edit outside of the transaction or read of the calling thread.
    @inlinable @inline(never) func make<Value: Cachable>(
        _ edit: LayerEdit<Value>,
        _ change: inout LayeredChange<Value>,
        over shown: Value?,
        of id: Value.ID
    ) -> Value? {
        var visible: Value?
        ReadContext.runOutside(of: history.object) { visible = change.make(edit, over: shown, of: id) }
        return visible
    }
}

extension LayerEdit {
    /// Whether the edit may need the entity that readers see, over a number of layers.
    @inlinable func needsShown(over count: Int) -> Bool {
        switch self {
        case .add: count > 0
        case .confirm: count > 1
        case .remove, .write: false
        }
    }
}

extension LayeredChange {
    /// Whether an edit isn't refused.
    @inlinable func isMade(_ edit: LayerEdit<Value>) -> Bool {
        if case .confirm = edit { isWritten } else { true }
    }

    /// The current confirmed entity and layers of a slot, whose shard is locked.
    @inlinable init(of slot: Slot) {
        isWritten = false
        if let layered = slot.layered(of: Value.self) {
            confirmed = layered.confirmed
            layers = layered.layers
            ordinal = layered.isUnconfirmed ? nil : layered.ordinal
        } else {
            confirmed = slot.copy(of: Value.self)
            layers = []
            ordinal = slot.isStored ? slot.ordinal : nil
        }
    }
}
