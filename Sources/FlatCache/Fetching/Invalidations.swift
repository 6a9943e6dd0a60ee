/// Which entities of a type are stale because somebody has said so.
///
/// What was said holds until the entity is written anew: a slot whose revision is newer is fresh again, unless it was
/// written by the answer to a call from before.
struct Invalidations<Value: Cachable> {
    private var marks: [Value.ID: Mark] = [:]
    /// When all entities were declared stale last; 0 for never.
    private(set) var all: UInt64 = 0
    /// How many single entities may be noted before those are forgotten that are fresh again.
    private var limit = 64

    private struct Mark {
        /// When the entity was declared stale.
        var declared: UInt64
        /// The newest revision of the entity that is stale.
        var stale: UInt64
    }

    /// Whether single entities are noted.
    var hasMarks: Bool { !marks.isEmpty }

    /// When an entity was declared stale last; 0 for never.
    func declared(_ id: Value.ID) -> UInt64 { max(all, marks[id]?.declared ?? 0) }

    /// The newest revision of an entity that is stale; 0 for none.
    func stale(_ id: Value.ID) -> UInt64 { max(all, marks[id]?.stale ?? 0) }

    /// Declares an entity stale until a later commit writes it.
    mutating func insert(_ id: Value.ID, _ revision: UInt64, of table: Table<Value>) {
        marks[id] = Mark(declared: revision, stale: revision)
        guard marks.count > limit else { return }
        marks = marks.filter { id, mark in
            let state = table.state(of: id)
            return state.isStored && state.revision <= mark.stale
        }
        limit = max(64, marks.count * 2)
    }

    /// Declares all entities stale that are written no later than a commit.
    mutating func insertAll(_ revision: UInt64) {
        all = revision
        marks = [:]
    }

    /// Notes that the answer to a call from before an entity was declared stale has written it, which makes it no better.
    mutating func extend(_ id: Value.ID, to revision: UInt64) {
        marks[id] = Mark(declared: declared(id), stale: revision)
    }

    /// Notes that an entity was written.
    mutating func remove(_ id: Value.ID, upTo revision: UInt64) {
        guard let mark = marks[id], mark.stale < revision else { return }
        marks[id] = nil
    }
}
