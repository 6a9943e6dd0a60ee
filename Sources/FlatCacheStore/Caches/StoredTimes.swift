/// The times of the writes and of the marks as stale that a store has of a type.
///
/// An entity is stale if the time of its last write isn't later than that of the last mark of all entities. The clock alone doesn't
/// ensure that this is the order in which they were made: it counts milliseconds, differs between processes, and can go back.
/// So the time of a mark isn't before that of any write in the store, and each later write has a later time.
///
/// All times are in 2⁻²⁰ milliseconds since 1970.
struct StoredTimes {
    /// The time at which all entities were last marked as stale, or 0 for never.
    var invalidation: UInt64 = 0
    /// The time of the last write that the store has.
    private var lastWrite: UInt64 = 0
    /// The last mark of the cache, with its time there and its time in the store.
    private var mark: (inCache: UInt64, inStore: UInt64) = (0, 0)

    /// Notes the time of a write that the store has.
    mutating func noteWrite(at time: UInt64) {
        // A time that is damaged must not make all entities stale for ever.
        lastWrite = max(lastWrite, min(time, 1 << 62))
    }

    /// Takes over the last mark of the cache.
    ///
    /// - Parameter time: The time of the mark in the cache, or 0 if there is none.
    mutating func noteMark(at time: UInt64) {
        if time > mark.inCache { mark = (time, max(time, lastWrite)) }
        invalidation = max(invalidation, mark.inStore)
    }

    /// Notes that the cache has taken over a mark of the store, which doesn't concern what other processes have written since.
    ///
    /// - Parameter time: The time of the mark in the cache.
    mutating func noteMarkOfStore(at time: UInt64) { mark.inCache = max(mark.inCache, time) }

    /// Returns the time that the store gets for a write.
    ///
    /// - Parameter time: The time of the write in the cache, or 0 if the entity is stale.
    mutating func stamp(ofWriteAt time: UInt64) -> UInt64 {
        if time == 0 { return 0 }
        let stamp = max(time, invalidation &+ 1)
        noteWrite(at: stamp)
        return stamp
    }
}
