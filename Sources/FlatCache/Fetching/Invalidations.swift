/// The marks of entities of a type that were invalidated, or whose age isn't that of their revision, because a store has loaded
/// them or they were made fresh without a write.
///
/// A mark is valid until the entity is written again. A slot with a newer revision is fresh, unless the answer to an
/// earlier call has written it.
struct Invalidations: Sendable {
    /// The mark of a single entity.
    struct Mark: Sendable, Equatable {
        let entity: FetchEntity
        /// The revision at which the entity was marked.
        let declared: UInt64
        /// The newest revision of the entity that is stale, or 0 for none.
        let stale: UInt64
        /// The revision of the entity if another one determines its age, or 0.
        ///
        /// Then a store has loaded the entity in this commit, or the entity was made fresh without a write.
        var loaded: UInt64 = 0
        /// The revision that determines the age then.
        var written: UInt64 = 0

        static func == (lhs: Self, rhs: Self) -> Bool {
            lhs.entity.slot == rhs.entity.slot && lhs.declared == rhs.declared && lhs.stale == rhs.stale
                && lhs.loaded == rhs.loaded
        }

        /// Whether a state of the entity is the one that is marked.
        func concerns(_ state: SlotState) -> Bool {
            state.isStored && (state.revision <= stale || state.revision == loaded)
        }
    }

    /// The marks by the slots of the entities.
    private var marks: [SlotIdentity: Mark] = [:]
    /// The revision at which all entities were last marked, or 0 for never.
    private(set) var all: UInt64 = 0
    /// The number of marks above which the marks of fresh entities are removed.
    private var limit = 64

    /// Whether single entities are marked.
    var hasMarks: Bool { !marks.isEmpty }

    /// Whether an entity is marked, which keeps its slot.
    func hasMark(of slot: SlotIdentity) -> Bool { marks[slot] != nil }

    /// The revision at which an entity was last marked, or 0 for never.
    func declared(_ slot: SlotIdentity) -> UInt64 { max(all, marks[slot]?.declared ?? 0) }

    /// The newest revision of an entity that is stale, or 0 for none.
    func stale(_ slot: SlotIdentity) -> UInt64 {
        guard let mark = marks[slot] else { return all }
        // A mark is newer than that of all entities, which ends the others.
        return mark.loaded == 0 ? max(all, mark.stale) : mark.stale
    }

    /// The revision that determines the age of an entity.
    func written(_ slot: SlotIdentity, _ revision: UInt64) -> UInt64 {
        guard let mark = marks[slot], mark.loaded == revision else { return revision }
        return mark.written
    }

    /// Notes that a store has loaded an entity, which was written before.
    ///
    /// - Parameters:
    ///   - entity: The entity.
    ///   - revision: The revision of the commit.
    ///   - written: The revision that it would have if it had always been in memory, or 0 if it is stale.
    ///   - isNews: Whether another process has written it, so that it is newer than all marks.
    ///   - compared: A revision up to which the store has compared the write with the mark of all entities, which it does exactly.
    mutating func noteLoaded(
        _ entity: FetchEntity,
        _ revision: UInt64,
        written: UInt64,
        isNews: Bool,
        compared: UInt64,
        _ action: inout FetchAction
    ) {
        // It can have been marked while it was only in the store.
        let mark = max(marks[entity.slot]?.stale ?? 0, all > compared ? all : 0)
        let isStale = written == 0 || !isNews && written <= mark
        let declared = isNews ? 0 : marks[entity.slot]?.declared ?? 0
        let stale = isStale ? revision : 0
        set(Mark(entity: entity, declared: declared, stale: stale, loaded: revision, written: written), &action)
    }

    /// Makes an entity fresh without a write, unless it was marked as stale since a request.
    ///
    /// - Parameters:
    ///   - entity: The entity.
    ///   - revision: The revision of the entity.
    ///   - since: The revision of the request.
    ///   - now: A new revision.
    mutating func refresh(
        _ entity: FetchEntity,
        of revision: UInt64,
        since: UInt64,
        at now: UInt64,
        _ action: inout FetchAction
    ) {
        let declared = declared(entity.slot)
        if declared > since { return action.released.append(entity) }
        set(Mark(entity: entity, declared: declared, stale: 0, loaded: revision, written: now), &action)
    }

    /// Marks an entity as stale until a later commit writes it.
    mutating func insert(_ entity: FetchEntity, _ revision: UInt64, _ action: inout FetchAction) {
        set(Mark(entity: entity, declared: revision, stale: revision), &action)
    }

    /// Marks all entities as stale whose last write isn't later than a commit.
    mutating func insertAll(_ revision: UInt64, _ action: inout FetchAction) {
        action.forgotten = self
        marks = [:]
        all = revision
    }

    /// Extends a mark to a write by the answer to a call that is older than the mark.
    mutating func extend(_ entity: FetchEntity, to revision: UInt64, _ action: inout FetchAction) {
        let slot = entity.slot
        let stale = max(marks[slot]?.stale ?? 0, revision)
        // A mark doesn't keep the entity in memory, as a fetch does.
        set(Mark(entity: marks[slot]?.entity ?? entity, declared: declared(slot), stale: stale), &action)
    }

    /// Removes the mark of an entity that was written.
    mutating func remove(_ slot: SlotIdentity, upTo revision: UInt64, _ action: inout FetchAction) {
        guard let mark = marks[slot], mark.stale < revision, mark.loaded < revision else { return }
        action.released.append(mark.entity)
        marks[slot] = nil
    }

    /// Removes the marks of entities that are fresh again, unless they were marked again since.
    mutating func check(_ readings: [(mark: Mark, state: SlotState)], _ action: inout FetchAction) {
        for (mark, state) in readings where !mark.concerns(state) {
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
