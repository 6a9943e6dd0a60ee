/// Which entities of a type were declared stale.
///
/// A declaration holds until the entity is written anew: a slot whose revision is newer is fresh again, unless the answer to
/// an earlier call has written it.
struct Invalidations: Sendable {
    /// A single entity that was declared stale.
    struct Mark: Sendable, Equatable {
        let entity: FetchEntity
        /// When the entity was declared stale.
        let declared: UInt64
        /// The newest revision of the entity that is stale.
        let stale: UInt64

        static func == (lhs: Self, rhs: Self) -> Bool {
            lhs.entity.slot == rhs.entity.slot && lhs.declared == rhs.declared && lhs.stale == rhs.stale
        }
    }

    /// By the slots of the entities.
    private var marks: [ObjectIdentifier: Mark] = [:]
    /// When all entities were declared stale last; 0 for never.
    private(set) var all: UInt64 = 0
    /// How many marks there may be before those are removed whose entities are fresh again.
    private var limit = 64

    /// Whether single entities are marked.
    var hasMarks: Bool { !marks.isEmpty }

    /// Whether an entity is marked, which keeps its slot.
    func hasMark(of slot: ObjectIdentifier) -> Bool { marks[slot] != nil }

    /// When an entity was declared stale last; 0 for never.
    func declared(_ slot: ObjectIdentifier) -> UInt64 { max(all, marks[slot]?.declared ?? 0) }

    /// The newest revision of an entity that is stale; 0 for none.
    func stale(_ slot: ObjectIdentifier) -> UInt64 { max(all, marks[slot]?.stale ?? 0) }

    /// Declares an entity stale until a later commit writes it.
    mutating func insert(_ entity: FetchEntity, _ revision: UInt64, _ action: inout FetchAction) {
        set(Mark(entity: entity, declared: revision, stale: revision), &action)
    }

    /// Declares all entities stale that are written no later than a commit.
    mutating func insertAll(_ revision: UInt64, _ action: inout FetchAction) {
        action.forgotten = self
        marks = [:]
        all = revision
    }

    /// Notes that the answer to a call from before an entity was declared stale has written it: it is stale still.
    mutating func extend(_ entity: FetchEntity, to revision: UInt64, _ action: inout FetchAction) {
        let slot = entity.slot
        let stale = max(marks[slot]?.stale ?? 0, revision)
        set(Mark(entity: entity, declared: declared(slot), stale: stale), &action)
    }

    /// Notes that an entity was written.
    mutating func remove(_ slot: ObjectIdentifier, upTo revision: UInt64, _ action: inout FetchAction) {
        guard let mark = marks[slot], mark.stale < revision else { return }
        action.released.append(mark.entity)
        marks[slot] = nil
    }

    /// Removes the marks of entities that are fresh again, unless they were marked anew since.
    mutating func check(_ readings: [(mark: Mark, state: SlotState)], _ action: inout FetchAction) {
        for (mark, state) in readings where !(state.isStored && state.revision <= mark.stale) {
            if marks[mark.entity.slot] == mark, let old = marks.removeValue(forKey: mark.entity.slot) {
                action.released.append(old.entity)
            }
        }
        limit = max(64, marks.count * 2)
    }

    private mutating func set(_ mark: Mark, _ action: inout FetchAction) {
        if let old = marks.updateValue(mark, forKey: mark.entity.slot) { action.released.append(old.entity) }
        guard marks.count > limit else { return }
        limit = marks.count * 2
        action.steps.append(.check(Array(marks.values)))
    }
}
