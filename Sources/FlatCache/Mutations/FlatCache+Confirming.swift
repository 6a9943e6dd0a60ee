extension FlatCache {
    /// Makes the changes of a mutation to the confirmed state, stores the answer, and removes its layers, except for those that wait
    /// for earlier mutations, in one commit.
    ///
    /// - Parameter store: Stores the answer, in the transaction.
    func confirm<Answer>(_ mutation: PendingMutation, storing store: (FlatCache) -> Answer) -> Answer {
        let (answer, commit) = transaction(from: .server) {
            var commit: MutationCommit?
            if let transaction = history.transactionOfThread {
                transaction.confirmation = Confirmation(of: mutation.number, sentAt: mutation.sentRevision)
                for step in mutation.steps { step.confirm(mutation, in: self) }
                commit = MutationCommit(in: transaction, of: self)
                commit?.end(mutation, .confirmed)
            }
            let answer = store(self)
            for step in mutation.steps { step.endConfirmation(in: self) }
            return (answer, commit)
        }
        commit?.noteLate()
        removeForgottenLayers(of: mutation)
        return answer
    }
}
