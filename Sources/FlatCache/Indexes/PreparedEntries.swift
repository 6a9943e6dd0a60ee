/// The entries of an index that a commit of one entity changes.
@_fixed_layout @usableFromInline
final class PreparedEntries<Entry: IndexContents> {
    @usableFromInline let table: Table<Entry>
    @exclusivity(unchecked) @usableFromInline var list: [Prepared] = []
    @exclusivity(unchecked) @usableFromInline var shards = ShardMask()
    /// The identifiers of the slots that the commit has dropped, to be released after unlocking.
    @exclusivity(unchecked) @usableFromInline var dropped: [AnyObject] = []

    @frozen @usableFromInline struct Prepared {
        /// The slot of the entry, which is pinned.
        @usableFromInline let slot: Slot
        /// The revision of the slot from whose entry the new one was made.
        @usableFromInline let revision: UInt64
        /// The new entry, or `nil` if it has no members.
        ///
        /// After the commit, it is the old entry.
        @usableFromInline var entry: Entry?

        @inlinable init(slot: Slot, revision: UInt64, entry: Entry?) {
            self.slot = slot
            self.revision = revision
            self.entry = entry
        }
    }

    @inlinable init(of table: Table<Entry>) {
        self.table = table
    }

    /// Prepares the change of an entry.
    @inlinable func change(_ id: Entry.ID, _ body: (inout Entry) -> Void) {
        let hash = HashedID(id)
        var prepared = table.withSlot(for: id, hash) { slot in
            slot.pins += 1
            return Prepared(slot: slot, revision: slot.revision, entry: slot.copy(of: Entry.self))
        }
        shards.insert(hash.shard)
        var entry = prepared.entry.take() ?? Entry(id: id)
        body(&entry)
        if !entry.isEmpty { prepared.entry = entry }
        list.append(prepared)
    }

    /// Whether the entries are unchanged, while their shards are locked.
    @inlinable var areCurrent: Bool {
        if table.isAnyGated(shards) { return false }
        for prepared in list where prepared.slot.revision != prepared.revision { return false }
        return true
    }

    /// Makes the changes, while the shards are locked.
    @inlinable func store(_ commit: inout Commit) {
        for place in list.indices {
            let slot = list[place].slot
            let shard = table.shards[HashedID(slot)]
            let isRemoval = if case .none = list[place].entry { true } else { false }
            if !isRemoval || slot.isStored {
                list[place].entry = shard.replace(slot, with: list[place].entry.take(), &commit)
            }
            if let id = shard.unpin(slot) { dropped.append(id) }
        }
    }

    /// Unpins the slots without a commit.
    @inlinable func release() {
        for prepared in list { table.unpin(prepared.slot) }
    }
}

extension EntryWrites {
    @inlinable init<Entry>(_ entries: PreparedEntries<Entry>) {
        self.init(count: entries.list.count) {
            $0.insert(entries.shards, of: entries.table)
        } areCurrent: {
            entries.areCurrent
        } store: {
            entries.store(&$0)
        } release: {
            entries.release()
        }
    }
}
