import FlatCache

extension FlatCache {
    /// The number of the last step.
    var step: Int { self.get(Position.self, id: 0)?.step ?? 0 }

    /// The list of recent accounts.
    var recent: CachedList<Deposit> { list("recent", of: Deposit.self, dropsRemoved: false) }

    /// The reference to a note.
    var favourite: CachedReference<Note> { reference("favourite", of: Note.self, dropsRemoved: false) }

    /// Makes the next step, in one commit.
    func makeNextStep(of ledger: Ledger) {
        transaction {
            let number = step + 1
            make(ledger.step(number))
            set(Position(step: number))
        }
    }

    /// Makes a step as an app would.
    private func make(_ step: Step) {
        switch step {
        case .found: set(contentsOf: Ledger.accounts.map { Deposit(id: $0, balance: Ledger.balance) })
        case .transfer(let payer, let receiver, let amount):
            pay(-amount, to: payer)
            pay(amount, to: receiver)
        case .convert(let id):
            if let deposit = remove(Deposit.self, id: id) {
                set(Loan(id: id, balance: deposit.balance))
            } else if let loan = remove(Loan.self, id: id) {
                set(Deposit(id: id, balance: loan.balance))
            }
        case .settle:
            set(contentsOf: allValues(of: Loan.self).map { Deposit(id: $0.id, balance: $0.balance) })
            removeAll(of: Loan.self)
        case .write(let ids, let text): set(contentsOf: ids.map { Note(id: $0, text: text) })
        case .burn: removeAll(of: Note.self)
        case .append(let ids): recent.append(ids: ids)
        case .cut(let count): recent.replace(withIDs: recent.ids.prefix(count))
        case .refer(let id): favourite.id = id
        }
    }

    private func pay(_ amount: Int, to id: Int) {
        if !update(Deposit.self, id: id, { $0.balance += amount }) {
            update(Loan.self, id: id) { $0.balance += amount }
        }
    }
}
