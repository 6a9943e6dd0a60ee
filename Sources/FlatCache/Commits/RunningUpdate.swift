/// An `update` whose body is running on some thread, without a lock.
///
/// When the body has returned, its result is stored if the entity is still the one that the body was given, and the body
/// runs again if another thread has replaced it. A write that the body itself makes to the entity it is updating would
/// make it run for ever; therefore running updates follow the writes of their own thread, and what the body returns
/// counts as the later write.
@usableFromInline
final class RunningUpdate {
    private static let innermost = ThreadSpecific<RunningUpdate>()

    private let slot: AnyObject
    /// The revision that the slot must have for the result of the body to be stored.
    @usableFromInline var expectedRevision: UInt64 = 0
    private let outer: RunningUpdate?

    /// Begins an update of a slot, which is pinned until ``end()``.
    @usableFromInline init(of slot: AnyObject) {
        self.slot = slot
        outer = Self.innermost.object
        Self.innermost.object = self
    }

    /// Ends the update that this thread began last.
    @usableFromInline func end() {
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
