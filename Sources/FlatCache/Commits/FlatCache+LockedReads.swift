/// An entity in memory, as a thread sees it, whose shard is locked while it is copied.
@frozen @usableFromInline
struct LockedEntity {
    /// The memory of the entity, or `nil` if there is none, or only the slow path can look for it.
    @usableFromInline let entity: UnsafeRawPointer?
    /// The shard, which is locked if there is an entity.
    @usableFromInline let shard: ShardReference?
    /// The hash of the identifier, which is hashed once.
    @usableFromInline let hash: HashedID

    init(_ entity: UnsafeRawPointer?, _ shard: ShardReference?, _ hash: HashedID) {
        self.entity = entity
        self.shard = shard
        self.hash = hash
    }

    /// No entity is stored, and nothing is locked.
    static func missing(_ hash: HashedID) -> LockedEntity { LockedEntity(nil, nil, hash) }

    /// Only the slow path can look for the entity, and nothing is locked.
    static func elsewhere(_ hash: HashedID, in table: EntityTable) -> LockedEntity {
        LockedEntity(nil, table.shards[hash], hash)
    }

    /// Whether only the slow path can look for the entity.
    @inlinable var isElsewhere: Bool { if case .some = shard { true } else { false } }

    /// Unlocks the shard of an entity.
    @inlinable func unlock() { shard?.unlock() }
}

/// The reads of one entity, in code that doesn't know its type.
extension FlatCache {
    /// Locks the entity with an identifier as the calling thread sees it.
    @inlinable @inline(__always)
    func lockedEntity<Value: Cachable>(_ id: Value.ID, in table: Table<Value>) -> LockedEntity {
        // The comparison is evaluated when the call is specialized. A string is passed in registers.
        if Value.ID.self == String.self { return lockedEntity(unsafeBitCast(id, to: String.self), in: table) }
        let hash = HashedID(id)
        return withUnsafePointer(to: id) { lockedEntity(idAt: UnsafeRawPointer($0), hash, in: table) }
    }

    /// Locks the entity with an identifier in memory as the calling thread sees it.
    @usableFromInline
    func lockedEntity(idAt id: UnsafeRawPointer, _ hash: HashedID, in table: EntityTable) -> LockedEntity {
        if case .some = history.snapshotOfThread { return entityInBody(idAt: id, hash, in: table) }
        guard table.hasBuiltInIDs else { return table.comparedEntity(idAt: id, hash) }
        guard let shard = table.ungatedShard(hash) else { return .elsewhere(hash, in: table) }
        return table.entity(of: shard.pointer.pointee.index.find(id, hash, table.layout), in: shard, hash)
    }

    /// Locks the entity with a string as its identifier as the calling thread sees it.
    @usableFromInline
    func lockedEntity(_ id: String, in table: EntityTable) -> LockedEntity {
        let hash = HashedID(id)
        if case .some = history.snapshotOfThread { return entityInBody(id, hash, in: table) }
        guard let shard = table.ungatedShard(hash) else { return .elsewhere(hash, in: table) }
        return table.entity(of: shard.pointer.pointee.index.find(id, hash, table.layout), in: shard, hash)
    }

    @inline(never) private func entityInBody(_ id: String, _ hash: HashedID, in table: EntityTable) -> LockedEntity {
        withUnsafePointer(to: id) { entityInBody(idAt: UnsafeRawPointer($0), hash, in: table) }
    }

    /// Locks an entity as the running body of a `read` sees it.
    private func entityInBody(idAt id: UnsafeRawPointer, _ hash: HashedID, in table: EntityTable) -> LockedEntity {
        guard let snapshot = history.snapshotOfThread, snapshot.transaction == nil, !snapshot.isTracked,
            let shard = table.shardToRead(hash)
        else { return .elsewhere(hash, in: table) }
        guard let slot = shard.pointer.pointee.index.find(id, hash, table.layout) else {
            shard.unlock()
            return snapshot.dependencies == nil && !table.mayForward ? .missing(hash) : .elsewhere(hash, in: table)
        }
        snapshot.noteRead(of: slot, in: table)
        if case .copy(let entity) = table.layout.entity(of: slot, at: snapshot.revision) {
            return LockedEntity(entity, shard, hash)
        }
        shard.unlock()
        return table.mayForward ? .elsewhere(hash, in: table) : .missing(hash)
    }
}

extension EntityTable {
    /// Locks the current entity of an identifier that is compared without a lock.
    fileprivate final func comparedEntity(idAt id: UnsafeRawPointer, _ hash: HashedID) -> LockedEntity {
        guard let shard = ungatedShard(hash) else { return .elsewhere(hash, in: self) }
        // There is nearly always one candidate.
        let candidate = shard.pointer.pointee.index.firstCandidate(hash)
        guard let candidate, candidate.isOnly else {
            shard.unlock()
            return candidate != nil || mayForward ? .elsewhere(hash, in: self) : .missing(hash)
        }
        let slot = candidate.slot
        slot.pins += 1
        shard.unlock()
        let isEqual = layout.areEqualIDs(layout.id(of: slot), id)
        shard.lock()
        guard isEqual, slot.isStored, !shard.isGated else {
            let isElsewhere = mayForward || shard.isGated
            shard.unlock(unpinning: slot)
            return isElsewhere ? .elsewhere(hash, in: self) : .missing(hash)
        }
        slot.pins -= 1
        return entity(of: slot, in: shard, hash)
    }

    /// The current entity of a slot in a locked shard, which is unlocked if there is none.
    @inline(__always) fileprivate final func entity(
        of slot: Slot?,
        in shard: ShardReference,
        _ hash: HashedID
    ) -> LockedEntity {
        if let slot {
            slot.noteUse()
            if slot.isStored { return LockedEntity(UnsafeRawPointer(slot.header) + layout.entityOffset, shard, hash) }
        }
        shard.unlock()
        return mayForward ? .elsewhere(hash, in: self) : .missing(hash)
    }
}
