/// Which entities of a type are stale because somebody has said so.
///
/// What was said holds until the entity is written anew: a slot whose revision is newer is fresh again, unless it was
/// written by the answer to a call from before.
struct Invalidations<Value: Cachable> {
    /// By the slots that the handles in them keep.
    private var marks: [ObjectIdentifier: Mark] = [:]
    /// When all entities were declared stale last; 0 for never.
    private(set) var all: UInt64 = 0
    /// How many single entities may be noted before those are forgotten that are fresh again.
    private var limit = 64

    private final class Mark: @unchecked Sendable {  // Constant.
        let handle: Cached<Value>
        /// When the entity was declared stale.
        let declared: UInt64
        /// The newest revision of the entity that is stale.
        let stale: UInt64

        init(_ handle: Cached<Value>, declared: UInt64, stale: UInt64) {
            self.handle = handle
            self.declared = declared
            self.stale = stale
        }

        deinit {
            ErasedFetchQueue.checkUnlocked()
        }
    }

    /// Whether single entities are noted.
    var hasMarks: Bool { !marks.isEmpty }

    /// Whether an entity is noted, which keeps its slot.
    func hasMark(of slot: ObjectIdentifier) -> Bool { marks[slot] != nil }

    /// When an entity was declared stale last; 0 for never.
    func declared(_ handle: Cached<Value>) -> UInt64 { max(all, marks[handle.slotIdentity]?.declared ?? 0) }

    /// The newest revision of an entity that is stale; 0 for none.
    func stale(_ handle: Cached<Value>) -> UInt64 { max(all, marks[handle.slotIdentity]?.stale ?? 0) }

    /// Declares an entity stale until a later commit writes it.
    mutating func insert(_ handle: Cached<Value>, _ revision: UInt64, _ effects: inout FetchEffects<Value>) {
        set(Mark(handle, declared: revision, stale: revision), &effects)
    }

    /// Declares all entities stale that are written no later than a commit.
    mutating func insertAll(_ revision: UInt64, _ effects: inout FetchEffects<Value>) {
        all = revision
        effects.released.append(marks)
        marks = [:]
    }

    /// Notes that the answer to a call from before an entity was declared stale has written it, which makes it no better.
    mutating func extend(_ handle: Cached<Value>, to revision: UInt64, _ effects: inout FetchEffects<Value>) {
        set(Mark(handle, declared: declared(handle), stale: revision), &effects)
    }

    /// Notes that an entity was written.
    mutating func remove(_ handle: Cached<Value>, upTo revision: UInt64, _ effects: inout FetchEffects<Value>) {
        guard let mark = marks[handle.slotIdentity], mark.stale < revision else { return }
        effects.released.append(mark)
        marks[handle.slotIdentity] = nil
    }

    private mutating func set(_ mark: Mark, _ effects: inout FetchEffects<Value>) {
        if let old = marks.updateValue(mark, forKey: mark.handle.slotIdentity) { effects.released.append(old) }
        guard marks.count > limit else { return }
        effects.released.append(marks)
        marks = marks.filter { _, mark in
            let state = mark.handle.slotState
            return state.isStored && state.revision <= mark.stale
        }
        limit = max(64, marks.count * 2)
    }
}
