/// What the model knows of one observer or iterator: what must be told to it next.
///
/// In which order the observers of a commit are called is not promised, and callbacks write: so the model doesn't
/// foretell the calls, it says at each call, and wherever all must have been called, exactly what is due.
struct ModelObserver {
    enum Form {
        case oneKey, severalKeys, values, changes
    }

    let form: Form
    let keys: ModelKeys
    let script: ModelScript
    private(set) var isActive = true
    var isCalling = false
    var calls = 0
    /// Whether the state at the beginning has yet to be told.
    var isInitial: Bool
    /// What the commit that is telling this observer has for it; what is written meanwhile may be told after that, or be
    /// folded in.
    private var claimed: ModelMail?
    /// What commits have written since.
    private var waiting: [ModelMail] = []
    /// The revision that was told last.
    var lastRevision: UInt64?

    init(_ form: Form, _ keys: ModelKeys, _ script: ModelScript, isInitial: Bool) {
        self.form = form
        self.keys = keys
        self.script = script
        self.isInitial = isInitial
    }

    /// Everything that has not been told, in one.
    var pending: ModelMail { waiting.reduce(claimed ?? ModelMail()) { $0.folded(with: $1) } }

    /// What the next call may tell, and how much of what waits is in it.
    ///
    /// A commit that has nothing to tell need not have claimed the observer: then the next one may have done so.
    var possibleMail: [(mail: ModelMail, waitingCount: Int)] {
        var possible = [(pending, waiting.count)]
        if let claimed {
            let first = claimed.isEmpty ? waiting.first.map { ($0, 1) } : (claimed, 0)
            if let first { possible.insert(first, at: 0) }
        }
        return possible.filter { !$0.0.isEmpty }
    }

    var possibleChanges: [[ModelMail.Change]] { possibleMail.map(\.mail.changes) }

    /// Whether somebody must be called.
    var isDue: Bool { isActive && isCallback && (isInitial || !pending.isEmpty) }

    /// Whether the next commit calls the observer: no other one is doing that.
    var isFree: Bool { isActive && isCallback && !isCalling && claimed == nil }

    private var isCallback: Bool { form == .oneKey || form == .severalKeys }

    /// Adds what a commit has written.
    mutating func post(_ mail: ModelMail) {
        if isFree { claimed = mail } else { waiting.append(mail) }
    }

    /// Takes what is told: what is claimed, and so much of what waits, or all of that.
    mutating func take(_ waitingCount: Int? = nil) {
        claimed = nil
        waiting.removeFirst(waitingCount ?? waiting.count)
        isInitial = false
    }

    /// Ends the telling of a commit.
    mutating func release() { claimed = nil }

    mutating func cancel() {
        isActive = false
        take()
    }
}
