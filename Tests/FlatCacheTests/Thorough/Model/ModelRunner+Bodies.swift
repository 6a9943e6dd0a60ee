extension ModelRunner {
    /// Updates an entity, by its key or by a handle.
    func update(_ update: ModelUpdate) throws {
        switch update.target {
        case .key(let key):
            try self.update(key, update) { try subject.update(key, $0) }
        case .handle(let number):
            guard let handle = handle(number) else { return }
            try self.update(handle.key, update) { try handle.update(storing: update.related, $0) }
        }
    }

    private func update(
        _ key: ModelKey,
        _ update: ModelUpdate,
        _ action: ((Int) throws -> (ModelEntity, Int)) throws -> Int?
    ) throws {
        let expected = model.readForUpdate(key)
        let scopes = model.scopes.count
        let isInSnapshot = model.isInSnapshot
        var notified: [Int] = []
        var runs = 0
        defer { check(runs, is: expected == nil ? 0 : 1, "the number of runs of an update's body") }
        try catching(update.body) {
            let result = try action { content in
                runs += 1
                check(content, is: expected ?? -1, "what an update of \(key) is given")
                if isInSnapshot { model.push(.current) }
                defer { model.popScopes(to: scopes) }
                do { try run(update.body.operations) } catch {
                    note(.updateThrew)
                    throw error
                }
                let changed = update.changed(key, content)
                note(.updateBegunInRead, if: isInSnapshot)
                note(.updateInTransaction, if: model.transaction != nil)
                note(.updateReplacedOwnWrite, if: model.readForUpdate(key) != content)
                note(.updateMovedEntity, if: changed.key != key)
                notified = model.write(related(of: update) + writes(key, changed))
                return (changed, runs)
            }
            check(result, is: expected == nil ? nil : 1, "the result of an update of \(key)")
        }
        checkNotified(notified)
    }

    private func related(of update: ModelUpdate) -> [ModelWrite] {
        guard case .handle = update.target else { return [] }
        return update.related?.entities.map(ModelWrite.init(incoming:)) ?? []
    }

    /// The entity moves if its identifier has changed.
    private func writes(_ key: ModelKey, _ changed: ModelEntity) -> [ModelWrite] {
        (key == changed.key ? [] : [ModelWrite(key, nil)]) + [ModelWrite(changed.key, changed.content)]
    }

    /// Runs the body of a `read`.
    func snapshot(_ operations: [ModelOperation]) throws {
        let joins = model.transaction != nil || model.isInSnapshot
        var runs = 0
        defer { check(runs, is: 1, "the number of runs of a read's body") }
        try subject.read {
            runs += 1
            let scopes = model.scopes.count
            if !joins { model.push(.snapshot(model.committed)) }
            defer { model.popScopes(to: scopes) }
            try run(operations)
        }
    }

    /// Runs the body of a transaction.
    func transaction(_ operations: [ModelOperation]) throws {
        if model.transaction == nil {
            try outermostTransaction(operations)
        } else {
            try nestedTransaction(operations)
        }
    }

    private func nestedTransaction(_ operations: [ModelOperation]) throws {
        let undo = model.transaction?.undo
        var runs = 0
        defer { check(runs, is: 1, "the number of runs of a nested transaction") }
        try undoing(undo) {
            try subject.transaction {
                runs += 1
                try run(operations)
            }
        }
    }

    private func undoing(_ undo: CacheModel.Transaction.Undo?, _ action: () throws -> Void) throws {
        do { try action() } catch {
            if let undo {
                note(.nestedTransactionWasUndone, if: model.transaction?.view != undo.view)
                model.transaction?.undo(to: undo)
            }
            throw error
        }
    }

    /// The model commits when the body ends, before the cache does; if the body is called again, the cache has found that
    /// the transaction is out of date, and the model takes its commit back.
    private func outermostTransaction(_ operations: [ModelOperation]) throws {
        note(.transactionBegunInRead, if: model.isInSnapshot)
        note(.callbackRanTransaction, if: !calling.isEmpty)
        var run = TransactionRun()
        try subject.transaction {
            if let begun = run.beforeCommit { model = begun }
            check(run.count == 0 || run.mayRunAgain, "a transaction ran again without a reason")
            run.count += 1
            note(.transactionRanAgain, if: run.count > 1)
            if run.count > 10 { throw Endless() }
            let scopes = model.scopes.count
            model.pushTransaction()
            run.hasReturned = false
            do { try self.run(operations) } catch {
                run.mayRunAgain = model.mayRunAgain
                run.beforeCommit = nil
                note(.transactionThrew, if: model.transaction?.written.isEmpty == false)
                model.popScopes(to: scopes)
                throw error
            }
            run.hasReturned = true
            note(.transactionChangedNothing, if: model.transaction?.written.isEmpty == true)
            run.mayRunAgain = model.mayRunAgain
            run.mustRunAgain = model.mustRunAgain
            run.notified = model.commitTransaction { run.beforeCommit = $0 }
        }
        check(run.hasReturned, "a transaction lost an error")
        check(!run.mustRunAgain, "a transaction was committed although what it had read was changed")
        checkNotified(run.notified)
    }

    private struct TransactionRun {
        var count = 0
        /// The model with the transaction ended, but without its commit.
        var beforeCommit: CacheModel?
        var hasReturned = false
        var mayRunAgain = false
        var mustRunAgain = false
        var notified: [Int] = []
    }
}
