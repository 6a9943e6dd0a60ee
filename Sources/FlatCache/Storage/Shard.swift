/// A part of a table: a lock and what it guards, the slots of the identifiers whose hashes choose it.
@frozen @usableFromInline
struct Shard<Value: Cachable> {
    /// First in memory, so that a reference to the shard is a reference to its lock.
    @usableFromInline var lock = LockPrimitive()
    @usableFromInline var index = SlotIndex<Value>()
    /// The number of slots that hold an entity.
    @usableFromInline var storedCount = 0
    /// The observers of all keys of the type, the same in all shards; `nil` while there are none.
    @usableFromInline var watchers: SlotObservers?
    /// The last commit that removed all entities; 0 for none.
    @usableFromInline var clearedRevision: UInt64 = 0
    /// The newest revision of a slot that was dropped: what is missing was not removed after that.
    @usableFromInline var droppedRevision: UInt64 = 0

    @usableFromInline init() {}
}

/// A reference to a shard in the memory of its table, which the holder keeps alive.
///
/// Every method but ``lock()`` needs the lock to be held, and none runs user code other than `==` of identifiers.
@frozen @usableFromInline
struct ShardReference<Value: Cachable>: @unchecked Sendable {  // What it refers to is guarded by the shard's lock.
    @usableFromInline let pointer: UnsafeMutablePointer<Shard<Value>>

    @inlinable init(_ pointer: UnsafeMutablePointer<Shard<Value>>) {
        self.pointer = pointer
    }

    @inlinable var lockReference: LockReference {
        LockReference(UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: LockPrimitive.self))
    }

    @inlinable func lock() { lockReference.lock() }

    @inlinable func unlock() { lockReference.unlock() }

    /// The slot of an identifier, made if there is none.
    @inlinable func slot(for id: Value.ID, _ hash: HashedID) -> Unmanaged<Slot<Value>> {
        if let slot = pointer.pointee.index.find(id, hash) { return slot }
        let slot = Slot<Value>(id: id, bucket: hash.bucket)
        return pointer.pointee.index.insert(slot, tag: hash.tag)
    }

    /// Replaces the entity of a slot, the one place where that happens.
    ///
    /// - Parameters:
    ///   - slot: A slot of this shard.
    ///   - value: The new entity, `nil` to remove it; becomes the old one, to be released after unlocking, for its
    ///     release can run user code. A slot without an entity may be abandoned afterwards.
    ///   - commit: The commit that the change is part of.
    @inlinable func exchange(_ slot: Slot<Value>, with value: inout Value?, _ commit: Commit) {
        swap(&slot.value, &value)
        let previousRevision = slot.revision
        slot.revision = commit.revision
        if case .none = value { pointer.pointee.storedCount &+= 1 }
        if case .none = slot.value { pointer.pointee.storedCount &-= 1 }
        if slot.pins != 0 { RunningUpdate.followOwnWrite(of: slot, from: previousRevision, to: commit.revision) }
        if let history = commit.history {
            history.object.keep(value, of: slot, from: previousRevision, until: commit.revision)
        }
    }

    /// Replaces the entity of a slot in a commit of many, and notes in the commit who must hear of it.
    ///
    /// - Returns: The old entity, to be released after unlocking, for its release can run user code; `nil` when there was
    ///   none, or when the commit has taken it for the observers.
    @inlinable func replace(
        _ slot: Unmanaged<Slot<Value>>,
        with value: consuming Value?,
        _ commit: inout Commit
    ) -> Value? {
        var value = value
        return slot._withUnsafeGuaranteedRef { slot in
            let previousRevision = slot.revision
            exchange(slot, with: &value, commit)
            if slot.observers != nil || pointer.pointee.watchers != nil {
                commit.note(slot, pointer.pointee.watchers, oldValue: value.take(), previousRevision: previousRevision)
            }
            return value
        }
    }

    /// Removes the entity of an identifier in a commit of many.
    ///
    /// - Returns: The old entity, to be released after unlocking; `nil` when there is none, or when the commit has taken
    ///   it for the observers.
    @inlinable func remove(_ id: Value.ID, _ hash: HashedID, _ commit: inout Commit) -> Value? {
        guard let slot = pointer.pointee.index.find(id, hash) else { return nil }
        let removed = replace(slot, with: nil, &commit)
        dropIfAbandoned(slot.takeUnretainedValue())
        return removed
    }

    /// Makes a commit of one change, opens the lock, tells the observers, and releases the old entity.
    ///
    /// - Parameters:
    ///   - slot: A slot of this shard.
    ///   - value: The new entity; `nil` to remove it.
    ///   - cache: The cache.
    ///   - pins: How many pins to take from the slot.
    @inlinable func commit(
        _ value: consuming Value?,
        to slot: Unmanaged<Slot<Value>>,
        of cache: FlatCache,
        unpinning pins: UInt32 = 0
    ) {
        let commit = Commit(of: cache)
        var value = value
        let isEmpty = slot._withUnsafeGuaranteedRef { slot in
            exchange(slot, with: &value, commit)
            slot.pins -= pins
            return if case .none = slot.value { true } else { false }
        }
        if slot._withUnsafeGuaranteedRef({ $0.observers != nil }) || pointer.pointee.watchers != nil {
            tell(slot.takeUnretainedValue(), from: value.take(), commit)
        } else {
            if isEmpty { dropIfAbandoned(slot.takeUnretainedValue()) }
            unlock()
            RacePoint.reach(.committed)
        }
    }

    /// Opens the lock, and tells the observers of the only slot that a commit has changed.
    @inline(never) @inlinable func tell(_ slot: Slot<Value>, from oldValue: consuming Value?, _ commit: Commit) {
        guard pointer.pointee.watchers == nil, let observers = slot.observers, let observer = observers.only else {
            var commit = commit
            commit.note(slot, pointer.pointee.watchers, oldValue: oldValue, previousRevision: 0)
            dropIfAbandoned(slot)
            commit.finish { unlock() }
            return
        }
        // Nearly always the observer isn't being called by another thread, and can be told without keeping the change.
        let equality = observers.equality
        let change = EntityChange(of: slot, from: oldValue, to: slot.copy, revision: commit.revision, isInitial: false)
        let hasTurn = observer.takeTurn(orPost: { Transition(change, equality) })
        unlock()
        RacePoint.reach(.committed)
        RunningBody.runOutsideOfAll {
            if !hasTurn {
                observer.deliver()
            } else if observer.isReady {
                if !change.isNone(equality) { observer.call(change) }
                observer.deliverWaiting()
            } else {
                observer.tell(Transition(change, equality))
            }
        }
    }

    /// Takes away a pin, and the slot if nothing else needs it.
    @inlinable func unpin(_ slot: Slot<Value>) {
        slot.pins -= 1
        dropIfAbandoned(slot)
    }

    /// Takes a slot out of the index if nothing needs it any more.
    @inlinable func dropIfAbandoned(_ slot: Slot<Value>) {
        guard slot.isAbandoned else { return }
        if slot.revision > pointer.pointee.droppedRevision { pointer.pointee.droppedRevision = slot.revision }
        pointer.pointee.index.remove(slot)
    }
}

/// The shards of a table, in memory that the table owns: each on cache lines of its own, so that cores that use
/// different shards don't slow each other.
@frozen @usableFromInline
struct Shards<Value: Cachable>: @unchecked Sendable {  // Each shard is guarded by its lock.
    @usableFromInline let memory: UnsafeMutableRawPointer

    /// The distance of two shards: a multiple of the two cache lines that processors fetch together.
    @inlinable static var stride: Int { (MemoryLayout<Shard<Value>>.stride + 127) & ~127 }

    /// Makes empty shards; they live until ``destroy()``.
    init() {
        memory = .allocate(byteCount: Self.stride * shardCount, alignment: 128)
        for index in 0..<shardCount {
            let shard = memory + index * Self.stride
            shard.initializeMemory(as: Shard<Value>.self, to: Shard())
            _ = LockReference(initializing: shard.assumingMemoryBound(to: LockPrimitive.self))
        }
    }

    /// Gives back all memory, when nobody refers to a shard any more.
    func destroy() {
        for index in 0..<shardCount {
            let shard = self[index]
            shard.pointer.pointee.index.destroy()
            shard.pointer.pointee.watchers = nil
            shard.lockReference.destroy()
        }
        memory.deallocate()
    }

    @inlinable subscript(index: Int) -> ShardReference<Value> {
        ShardReference((memory + index &* Self.stride).assumingMemoryBound(to: Shard<Value>.self))
    }

    @inlinable subscript(hash: HashedID) -> ShardReference<Value> { self[hash.shard] }
}
