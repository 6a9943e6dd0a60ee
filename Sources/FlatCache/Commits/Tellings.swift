/// Whom the thread that commits must tell of what, after it has opened its locks.
@usableFromInline
struct Tellings {
    private var first: Telling?
    private var more: [Telling] = []
    /// What observers of several keys are told, gathered so that each is told all of it at once.
    private var sets: [ObjectIdentifier: SetTelling] = [:]

    private struct Telling {
        let observer: EntityObserver
        let change: any SlotChange
    }

    private struct SetTelling {
        let observer: KeySetObserver
        var mail: KeySetObserver.Mail
        var hasTurn = false

        mutating func post() { hasTurn = observer.post(&mail) }
    }

    /// Posts a change to the observers of its slot, while the slot is locked.
    mutating func post(_ change: any SlotChange) {
        for observer in change.receivers { observer.post(change, &self) }
    }

    /// Posts what was gathered for observers of several keys, while all slots of the commit are locked.
    mutating func postSets() {
        for id in sets.keys { sets[id]?.post() }
    }

    /// Adds an observer that is to be told.
    mutating func add(_ observer: EntityObserver, _ change: any SlotChange) {
        let telling = Telling(observer: observer, change: change)
        if first == nil { first = telling } else { more.append(telling) }
    }

    /// Adds a change of one of the keys of an observer of several.
    mutating func add(_ observer: KeySetObserver, _ change: any SlotChange, of key: FlatCacheKey) {
        let mail = KeySetObserver.Mail(changes: [:], revision: change.revision)
        sets[ObjectIdentifier(observer), default: SetTelling(observer: observer, mail: mail)].mail.changes[key] = change
    }

    /// Tells all, with no lock held.
    func tell() {
        if let first { first.observer.tell(first.change) }
        for telling in more { telling.observer.tell(telling.change) }
        for telling in sets.values where telling.hasTurn { telling.observer.tell(telling.mail) }
    }
}
