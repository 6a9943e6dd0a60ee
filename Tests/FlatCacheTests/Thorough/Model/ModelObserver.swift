/// What the model knows of one observer or iterator: its pending notification.
///
/// In which order the observers of a commit are called is not promised, and callbacks write. So the model doesn't
/// predict the calls: at each call, and wherever all observers must have been called, it knows exactly what is due.
struct ModelObserver {
    enum Form {
        case oneKey, severalKeys, values, changes, derived, derivedValues
    }

    /// The net change of one key of which the observer has not been notified yet.
    struct Pending: Equatable {
        let key: ModelKey
        let old: Int?
        var new: Int?
        /// The commit that changed it last.
        var commit: Int
    }

    let form: Form
    /// What is watched; for an observer of what is derived, what its last run has read.
    private(set) var keys: ModelKeys
    /// What is derived, for an observer of that.
    var derived: ModelDerived?
    let script: ModelScript
    private(set) var isActive = true
    var isCalling = false
    var calls = 0
    /// Whether the observer has not been notified of the initial state yet.
    var isInitial: Bool
    private(set) var pending: [Pending] = []
    /// The newest commit that wrote one of the keys since the last call, whether that changed anything or not.
    private(set) var newestCommit = 0
    /// How many commits have changed what is pending.
    private(set) var pendingCommits = 0
    /// The revision of the last notification.
    var lastRevision: UInt64?

    init(_ form: Form, _ keys: ModelKeys, _ script: ModelScript, isInitial: Bool) {
        self.form = form
        self.keys = keys
        self.script = script
        self.isInitial = isInitial
    }

    init(_ form: Form, _ script: ModelScript, _ derived: ModelDerived) {
        self.init(form, ModelKeys(), script, isInitial: true)
        self.derived = derived
    }

    /// Whether somebody must be called.
    var isDue: Bool { isActive && isCallback && (isInitial || derived?.isNew ?? !pending.isEmpty) }

    private var isCallback: Bool { form == .oneKey || form == .severalKeys || form == .derived }

    /// Notes that the closure of what is derived runs after so many commits.
    mutating func run(on state: CacheModel.State, commitCount: Int) {
        derived?.run(on: state, commitCount: commitCount)
        keys = derived?.watched ?? keys
    }

    /// The commits of which one has the revision of the notification.
    var possibleCommits: ClosedRange<Int> {
        let oldest = pending.map(\.commit).max() ?? newestCommit
        return oldest...max(oldest, newestCommit)
    }

    /// Folds what a commit has written to one key into what is pending.
    mutating func fold(_ key: ModelKey, from old: Int?, to new: Int?, commit: Int) {
        newestCommit = commit
        guard CacheModel.isChange(of: key, from: old, to: new) else { return }
        pendingCommits += 1
        var change = Pending(key: key, old: old, new: new, commit: commit)
        if let index = pending.firstIndex(where: { $0.key == key }) {
            change = Pending(key: key, old: pending[index].old, new: new, commit: commit)
            pending.remove(at: index)
        }
        if CacheModel.isChange(of: key, from: change.old, to: new) { pending.append(change) }
    }

    mutating func take() -> [Pending] {
        defer { pending = [] }
        isInitial = false
        pendingCommits = 0
        return pending
    }

    mutating func cancel() {
        isActive = false
        pending = []
        isInitial = false
    }
}
