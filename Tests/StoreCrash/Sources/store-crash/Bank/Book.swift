import FlatCache

/// What a cache has after a step, made without a cache.
struct Book: Equatable {
    private(set) var step = 0
    private var deposits: [Int: Int] = [:]
    private var loans: [Int: Int] = [:]
    private var notes: [Int: String] = [:]
    private var recent: [Int] = []
    private var favourite: Int?

    /// Creates the book of an empty store.
    init() {}

    /// Makes all steps up to a number.
    mutating func advance(to number: Int, of ledger: Ledger) {
        while step < number {
            step += 1
            make(ledger.step(step))
        }
    }

    private mutating func make(_ step: Step) {
        switch step {
        case .found: for id in Ledger.accounts { deposits[id] = Ledger.balance }
        case .transfer(let payer, let receiver, let amount):
            pay(-amount, to: payer)
            pay(amount, to: receiver)
        case .convert(let id):
            let (deposit, loan) = (deposits[id], loans[id])
            (deposits[id], loans[id]) = (loan, deposit)
        case .settle:
            deposits.merge(loans) { $1 }
            loans = [:]
        case .write(let ids, let text): for id in ids { notes[id] = text }
        case .burn: notes = [:]
        case .append(let ids): for id in ids where !recent.contains(id) { recent.append(id) }
        case .cut(let count): recent = Array(recent.prefix(count))
        case .refer(let id): favourite = id
        }
    }

    private mutating func pay(_ amount: Int, to id: Int) {
        if let balance = deposits[id] { deposits[id] = balance + amount }
        if let balance = loans[id] { loans[id] = balance + amount }
    }
}

// MARK: - Comparing

extension Book {
    /// Reads everything that a cache has, in one state.
    init(of cache: FlatCache) {
        cache.read {
            step = cache.step
            for deposit in cache.allValues(of: Deposit.self) { deposits[deposit.id] = deposit.balance }
            for loan in cache.allValues(of: Loan.self) { loans[loan.id] = loan.balance }
            for note in cache.allValues(of: Note.self) { notes[note.id] = note.text }
            recent = Array(cache.recent.ids)
            favourite = cache.favourite.id
        }
    }

    /// What can't be after any step, or `nil`.
    var brokenInvariant: String? {
        let ids = (Array(deposits.keys) + Array(loans.keys)).sorted()
        let total = deposits.values.reduce(0, +) + loans.values.reduce(0, +)
        if step == 0 { return self == Book() ? nil : "there are entities without a position" }
        if ids != Array(Ledger.accounts) { return "the accounts are \(ids) instead of each of \(Ledger.accounts) once" }
        let expected = Ledger.accounts.count * Ledger.balance
        return total == expected ? nil : "the sum of all balances is \(total) instead of \(expected)"
    }

    /// Where another book differs, or `nil` if it is equal.
    func difference(to other: Book) -> String? {
        if step != other.step { return "the step is \(other.step) instead of \(step)" }
        return difference("deposit", deposits, other.deposits) ?? difference("loan", loans, other.loans)
            ?? difference("note", notes, other.notes)
            ?? (recent == other.recent ? nil : "the list is \(other.recent) instead of \(recent)")
            ?? (favourite == other.favourite
                ? nil : "the reference is \(text(other.favourite)) instead of \(text(favourite))")
    }

    private func difference<Value: Equatable>(_ noun: String, _ own: [Int: Value], _ other: [Int: Value]) -> String? {
        let keys = Set(own.keys).union(other.keys).filter { own[$0] != other[$0] }.sorted()
        guard let first = keys.first else { return nil }
        return """
            \(keys.count) of \(own.count) \(noun)s differ: the first is \(noun) \(first), with \(text(other[first])) instead \
            of \(text(own[first]))
            """
    }

    private func text(_ value: (some Any)?) -> String { value.map { "\($0)" } ?? "none" }
}
