/// Which entities of a type are stale because somebody has said so.
///
/// What was said holds until the entity is written anew: a slot whose revision is newer is fresh again.
struct Invalidations<Value: Cachable> {
    private var revisions: [Value.ID: UInt64] = [:]
    /// The last commit when all entities were declared stale; 0 for never.
    private var all: UInt64 = 0
    /// How many single entities may be noted before those are forgotten that are fresh again.
    private var limit = 64

    /// The last commit when an entity was declared stale; 0 for never.
    func revision(of id: Value.ID) -> UInt64 { max(all, revisions[id] ?? 0) }

    /// Declares an entity stale until a commit after a revision writes it.
    mutating func insert(_ id: Value.ID, _ revision: UInt64, of table: Table<Value>) {
        revisions[id] = revision
        guard revisions.count > limit else { return }
        revisions = revisions.filter { id, revision in
            let state = table.state(of: id)
            return state.isStored && state.revision <= revision
        }
        limit = max(64, revisions.count * 2)
    }

    /// Declares all entities stale that are written no later than a commit.
    mutating func insertAll(_ revision: UInt64) {
        all = revision
        revisions = [:]
    }

    /// Notes that an entity was written.
    mutating func remove(_ id: Value.ID, upTo revision: UInt64) {
        guard let noted = revisions[id], noted < revision else { return }
        revisions[id] = nil
    }
}
