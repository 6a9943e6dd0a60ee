extension FlatCache {
    /// Makes the changes of a mutation to the confirmed state, stores the answer, and removes its layers, except for those that wait
    /// for earlier mutations, in one commit.
    ///
    /// - Parameter sent: The answer, which the transaction stores.
    /// - Returns: The answer, and the reason why an entity that the mutation has inserted is dropped, or `nil` if none is.
    func confirm<Answer>(
        _ mutation: PendingMutation,
        storing sent: SentAnswer<Answer>
    ) -> (answer: Answer, error: MutationError?) {
        if !sent.isStored, confirmChange(of: mutation) { return (sent.store(self), nil) }
        let (answer, error, commit) = transaction(from: .server) {
            var commit: MutationCommit?
            if let transaction = history.transactionOfThread {
                transaction.confirmation = Confirmation(of: mutation.number, sentAt: mutation.sentRevision)
                for step in mutation.steps { step.confirm(mutation, in: self) }
                endRefusal(of: mutation, in: transaction)
                commit = MutationCommit(in: transaction, of: self)
                commit?.end(mutation, .confirmed)
            }
            let answer = sent.store(self)
            let error = mutation.isInsertion ? identifyInsertions(of: mutation) : nil
            for step in mutation.steps { step.endConfirmation(in: self) }
            return (answer, error, commit)
        }
        commit?.noteLate()
        removeForgottenLayers(of: mutation)
        return (answer, error)
    }

    /// Lets the mutations that need the inserted entities be sent, although a delete rule had removed one, if what it refers to is
    /// stored again.
    private func endRefusal(of mutation: PendingMutation, in transaction: Transaction) {
        if mutation.refusal == nil { return }
        if mutation.steps.contains(where: { $0.isRefused(of: mutation, in: self) }) { return }
        transaction.addEffect { isCommitted in if isCommitted { mutation.endRefusal() } }
    }

    /// Drops entities that the mutation has inserted and that are neither in the answer nor recognized.
    ///
    /// - Returns: The error of the first one, or `nil` if there is none.
    private func identifyInsertions(of mutation: PendingMutation) -> MutationError? {
        guard let transaction = history.transactionOfThread else { return nil }
        transaction.matchInsertions(in: self)
        var first: MutationError?
        for step in mutation.steps {
            let error = step.dropUnidentified(of: mutation, in: self)
            first = first ?? error
            step.stopAwaiting(of: mutation, isDropped: false, in: transaction, self)
        }
        return first
    }

    /// Makes the change of a mutation that has no other one to the confirmed entity, and removes its layer, in a commit of that key
    /// alone.
    ///
    /// - Returns: Whether the commit was made. If not, a transaction must confirm the mutation.
    private func confirmChange(of mutation: PendingMutation) -> Bool {
        guard mutation.steps.count == 1, !mutation.isInsertion, !mutation.isStored, !hasReplacements,
            notedKeys(of: mutation, .confirmed).isEmpty, mutation.steps[0].commitConfirmation(of: mutation, in: self)
        else { return false }
        noteLate(.confirmed, of: mutation, except: [])
        removeForgottenLayers(of: mutation)
        return true
    }
}
