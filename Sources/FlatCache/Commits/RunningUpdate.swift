/// An `update` whose body is running on a thread, without a lock.
///
/// When the body returns, its result is stored if the entity is unchanged. If another thread has replaced the entity,
/// the body runs again. A write of the body itself to the entity would make it run forever. So running updates follow
/// the writes of their own thread, and the body's result counts as the later write.
@usableFromInline
final class RunningUpdate {
    private static let innermost = ThreadLocal<RunningUpdate>()

    private var slot: UnsafeRawPointer?
    /// The revision that the slot must have for the body's result to be stored.
    @exclusivity(unchecked) @usableFromInline var expectedRevision: UInt64 = 0
    private let outer: RunningUpdate?

    /// Creates an update that no body of the thread is in yet.
    @usableFromInline init() {
        outer = Self.innermost.object
    }

    /// Whether the body of an update is running on the calling thread.
    static var isAnyRunning: Bool { !innermost.isEmpty }

    /// Runs a body whose writes don't belong to the running updates, because another thread caused them.
    static func runOutsideOfAll(_ body: () -> Void) {
        let running = innermost.object
        innermost.object = nil
        body()
        innermost.object = running
    }

    /// Begins a run of the body.
    ///
    /// - Parameters:
    ///   - slot: The slot, which is pinned until the update has ended, or `nil` if its writes aren't followed.
    ///   - revision: Its revision.
    @usableFromInline func begin(of slot: UnsafeRawPointer?, at revision: UInt64) {
        self.slot = slot
        expectedRevision = revision
        beginBody()
    }

    /// Continues the run of a body that has ended.
    func beginBody() {
        Self.innermost.object = self
    }

    /// Ends a run of the body, after which the thread may wait for others again, unless it is in another body.
    @usableFromInline func endBody() {
        Self.innermost.object = outer
    }

    /// Records a write of this thread in its running updates of the slot.
    static func followOwnWrite(
        of slot: UnsafeRawPointer,
        from previousRevision: UInt64,
        to revision: UInt64
    ) {
        var update = innermost.object
        while let running = update {
            if running.slot == slot && running.expectedRevision == previousRevision {
                running.expectedRevision = revision
            }
            update = running.outer
        }
        OwnWrites.note(slot, from: previousRevision, to: revision)
    }
}

extension RunningUpdate {
    /// Stores the result of a body for the entity of a slot, under its new identifier if the body has changed it,
    /// together with other entities.
    ///
    /// - Returns: Whether it was stored, which requires that the slot wasn't written since the body began.
    func commit<Value: Cachable, Related: Cachable>(
        _ value: Value,
        _ id: Value.ID,
        of slot: Slot,
        in table: Table<Value>,
        storing batch: EntityBatch<Related>?,
        to cache: FlatCache
    ) -> Bool {
        let transaction = Transaction()
        defer { transaction.release() }
        let changes = transaction.table(table)
        // Identifiers are compared, which can run user code that writes the entity.
        beginBody()
        batch?.store(in: transaction)
        // The result is stored last, so that it takes precedence if the batch also has the entity.
        let isMoved = id != slot.id(of: Value.self)
        if isMoved { changes.remove(slot.id(of: Value.self), HashedID(slot)) }
        changes.write(value, id, isMoved ? HashedID(id) : HashedID(slot))
        endBody()
        changes.expect(slot, expectedRevision)
        return transaction.commit(to: cache)
    }
}

/// The writes of a thread outside of its transaction, while the body or a merge of the transaction runs.
///
/// A merge, or an `==` that it calls, can write an entity that the transaction has read or merged. If each run did, the
/// transaction would run forever. So after it was overtaken often, these writes don't count as those of another thread,
/// and the transaction's result counts as later.
@usableFromInline
final class OwnWrites {
    private static let ofThread = ThreadLocal<OwnWrites>()

    /// The revisions before the first and after the last of consecutive writes, by slot, and by shard that is reserved as
    /// a whole.
    private var revisions: [UnsafeRawPointer: (first: UInt64, last: UInt64)] = [:]

    /// Runs a body whose writes are recorded.
    func record<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        let outer = Self.ofThread.object
        Self.ofThread.object = self
        defer { Self.ofThread.object = outer }
        return try body()
    }

    /// Records a write of the calling thread, if its writes are recorded.
    ///
    /// - Parameters:
    ///   - place: The slot or the shard, which is locked.
    ///   - previousRevision: The revision of its last change before.
    ///   - revision: The revision of the write.
    @usableFromInline static func note(
        _ place: UnsafeRawPointer,
        from previousRevision: UInt64,
        to revision: UInt64
    ) {
        guard let recording = ofThread.object else { return }
        let writes = recording.revisions[place]
        recording.revisions[place] =
            (writes?.last == previousRevision ? writes?.first ?? 0 : previousRevision, revision)
    }

    /// Whether a slot has changed since a revision by these writes alone, or not at all.
    ///
    /// Its shard must be locked.
    func explain(_ slot: Slot, since revision: UInt64) -> Bool {
        slot.revision == revision || explain(UnsafeRawPointer(slot.header), since: revision, until: slot.revision)
    }

    /// Whether a shard has changed since a revision by these writes alone, or not at all.
    ///
    /// It must be locked, and reserved as a whole since the first of the writes.
    func explain(_ shard: ShardReference, since revision: UInt64) -> Bool {
        let last = shard.pointer.pointee.changedRevision
        return last <= revision || explain(UnsafeRawPointer(shard.pointer), since: revision, until: last)
    }

    private func explain(_ place: UnsafeRawPointer, since first: UInt64, until last: UInt64) -> Bool {
        guard let writes = revisions[place] else { return false }
        return writes.first <= first && writes.last == last
    }
}
