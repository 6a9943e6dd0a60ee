/// An `update` whose body is running on some thread, without a lock.
///
/// When the body has returned, its result is stored if the entity is still the one that the body was given, and the body
/// runs again if another thread has replaced it. A write that the body itself makes to the entity it is updating would
/// make it run for ever; therefore running updates follow the writes of their own thread, and what the body returns
/// counts as the later write.
@usableFromInline
final class RunningUpdate {
    private static let innermost = ThreadLocal<RunningUpdate>()

    private let slot: AnyObject
    /// The revision that the slot must have for the result of the body to be stored.
    @usableFromInline var expectedRevision: UInt64 = 0
    private let outer: RunningUpdate?

    /// Makes an update of a slot, which is pinned until the update has ended.
    @usableFromInline init(of slot: AnyObject) {
        self.slot = slot
        outer = Self.innermost.object
    }

    /// Whether the body of an update is running on the calling thread.
    static var isAnyRunning: Bool { !innermost.isEmpty }

    /// Runs a body whose writes are none of the running updates, because it is another thread that has caused them.
    static func runOutsideOfAll(_ body: () -> Void) {
        let running = innermost.object
        innermost.object = nil
        body()
        innermost.object = running
    }

    /// Begins a run of the body.
    @usableFromInline func beginBody() {
        Self.innermost.object = self
    }

    /// Ends a run of the body: the thread may wait for others again, unless it is in another body.
    @usableFromInline func endBody() {
        Self.innermost.object = outer
    }

    /// Tells the updates of a slot that run on this thread that the thread itself has written to the slot.
    @usableFromInline static func followOwnWrite(of slot: AnyObject, from previousRevision: UInt64, to revision: UInt64)
    {
        var update = innermost.object
        while let running = update {
            if running.slot === slot && running.expectedRevision == previousRevision {
                running.expectedRevision = revision
            }
            update = running.outer
        }
    }
}

extension RunningUpdate {
    /// Stores what a body has made of the entity of a slot, under its new identifier if the body has changed that, and other
    /// entities with it.
    ///
    /// - Returns: Whether it was stored; not if the slot has been written since the body was given its entity.
    @usableFromInline func commit<Value: Cachable, Related: Cachable>(
        _ value: Value,
        _ id: Value.ID,
        of slot: Slot<Value>,
        in table: Table<Value>,
        storing batch: EntityBatch<Related>?,
        to cache: FlatCache
    ) -> Bool {
        let transaction = Transaction()
        defer { transaction.release() }
        let changes = transaction.table(table)
        changes.expect(slot, expectedRevision)
        batch?.store(in: transaction)
        // Last, so that it counts if it is among the others, too.
        if id != slot.id { changes.remove(slot.id, HashedID(slot)) }
        changes.write(value, id, id == slot.id ? HashedID(slot) : HashedID(id))
        return transaction.commit(to: cache)
    }
}
