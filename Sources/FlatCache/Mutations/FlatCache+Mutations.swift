extension FlatCache {
    /// The mutations that have not ended, in the order in which they began.
    public var pendingMutations: [PendingMutation] { mutations.all.filter { $0.isPending } }

    /// Runs a body that reads the confirmed state, without the changes of mutations that have not ended.
    ///
    ///     let isFavourite = cache.confirmed { cache.get(Post.self, id: "1")?.isFavourite }
    ///
    /// A ``transaction(_:)`` reads and writes the confirmed state, too, and this is one.
    ///
    /// - Parameter body: A closure that reads.
    /// - Returns: The body's return value.
    /// - Throws: The error that the body throws.
    /// - Complexity: The time of the body.
    public func confirmed<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        try transaction(body)
    }
}

extension FlatCache {
    /// Whether identifiers were replaced.
    @usableFromInline var hasReplacements: Bool { replacements.haveBegun }

    var replacements: ReplacementCounts { history.object.replacements }

    /// Begins a mutation: shows its changes and sends it.
    @_specialize(where Answer == Void)
    @usableFromInline func begin<Answer>(
        _ steps: consuming MutationSteps,
        _ order: consuming MutationOrder,
        _ send: consuming MutationSend<Answer>
    ) -> Mutation<Answer> {
        let mutation = Mutation(number: mutations.nextNumber(), steps, order, in: reference, send)
        beginAfterTransaction(mutation)
        return mutation
    }

    /// Begins a mutation, after the transaction of the calling thread if there is one.
    func beginAfterTransaction(_ mutation: PendingMutation) {
        if let transaction = history.transactionOfThread {
            mutation.postpone()
            transaction.addEffect { isCommitted in
                if !isCommitted {
                    mutation.drop(.cancelled)
                } else if mutation.endPostponement() {
                    self.begin(mutation)
                }
            }
        } else {
            begin(mutation)
        }
    }

    /// - Parameter replay: The mutation of an earlier process that it is, if it is one.
    func begin(_ mutation: PendingMutation, inPlaceOf replay: WaitingReplay? = nil) {
        guard let (replaced, isFirst) = mutations.add(mutation, inPlaceOf: replay) else { return }
        let (complete, hadReplacements) = (replacements.complete, hasReplacements)
        let isKept = replay == nil && mutation.isStored
        let noted = notedKeys(of: mutation, .begun)
        let isSingle = mutation.steps.count == 1 && !mutation.steps[0].isMatched
        let isAlone = replaced.isEmpty && isSingle && !isKept && noted.isEmpty
        let layerCount = isAlone ? mutation.steps[0].add(of: mutation, in: self) : nil
        if layerCount != nil {
            noteLate(.begun, of: mutation, except: [])
        } else {
            commit { commit in
                for old in replaced { commit.remove(old, .dropped(nil)) }
                commit.add(mutation, noting: noted)
                if isKept, var record = mutation.stored {
                    record.noteInsertions(of: mutation, in: self)
                    commit.keep(record)
                }
            }
        }
        for old in replaced {
            // The first identifier may have been replaced meanwhile.
            if !hadReplacements, hasReplacements { removeLayers(of: old, .dropped(nil)) }
            removeForgottenLayers(of: old)
            end(old, because: .replaced)
        }
        if complete == nil || complete != replacements.complete {
            commitBesideReplacements { transaction in
                for step in mutation.steps { step.settle(mutation, in: transaction, of: self) }
            }
            noteLate(.begun, of: mutation, except: noted)
        }
        moveForgottenLayers(of: mutation)
        if mutation.isInsertion { for step in mutation.steps { step.matchStored(of: mutation, in: self) } }
        // The only layer of a key has no earlier one, unless it was moved.
        if layerCount != 1 || hasReplacements || mutations.hasInsertions { waitForEarlier(mutation) }
        for insertion in keptInsertions(before: mutation) { mutation.wait(for: insertion, isNeeded: true) }
        if let replay {
            for follower in replay.takeFollowers() {
                follower.wait(for: mutation, isNeeded: true)
                // The mutation can have been dropped meanwhile.
                if follower.doesNotWait(for: replay) { follower.send(in: self) }
            }
            // Those who wait for its end find the mutation that has taken its place.
            replay.finish()
        }
        if let error = failedInsertion(before: mutation), drop(mutation, because: error) { return }
        switch mutation.becomeReady(isFirst: isFirst) {
        // Another thread has dropped it before its layers were there.
        case nil: removeLayers(of: mutation, .dropped(nil))
        case true?: mutation.send(in: self)
        case false?: break
        }
    }

    /// Commits a transaction that also drops all mutations.
    func commitWithoutMutations(_ transaction: Transaction) {
        let removed = mutations.removeAll()
        let dropped = removed.filter { $0.enter(.dropped(.removed)) }
        var commit = MutationCommit(in: transaction, of: self)
        for mutation in dropped { commit.remove(mutation, .dropped(nil)) }
        commit.make()
        // An identifier may have been replaced meanwhile, and nothing leads to the new one any more.
        if hasReplacements { removeLayers(of: Set(removed.map { $0.number })) }
        for mutation in dropped { end(mutation, because: .removed) }
        for mutation in mutations.all {
            moveForgottenLayers(of: mutation)
            keepAgain(mutation)
        }
    }

    /// Keeps a mutation in the store whose beginning was overtaken by a removal of all entities.
    private func keepAgain(_ mutation: PendingMutation) {
        guard let stored = mutation.stored, StoredMutation.stored(stored.id, in: self) == nil, mutation.isOpen else {
            return
        }
        stored.store(in: self)
        // It can have ended meanwhile, and then nobody removes it.
        if !mutation.isOpen { StoredMutation.remove(stored.id, from: self) }
    }

    /// Ends a mutation that isn't sent, unless it has ended.
    ///
    /// - Returns: Whether it was ended.
    func drop(_ mutation: PendingMutation, because error: MutationError) -> Bool {
        let isDropped = mutation.drop(error) { removeLayers(of: mutation, .dropped(error)) }
        if isDropped {
            sendNext(after: mutation)
            dropFollowers(of: mutation, because: error)
        }
        return isDropped
    }

    private func end(_ mutation: PendingMutation, because error: MutationError) {
        mutation.finish()
        dropFollowers(of: mutation, because: error)
    }

    /// Removes the layers of a mutation.
    func removeLayers(of mutation: PendingMutation, _ outcome: MutationOutcome) {
        let hadReplacements = hasReplacements
        let isSingle = mutation.steps.count == 1 && !mutation.steps[0].isMatched
        let isAlone = isSingle && !hadReplacements && !mutation.isStored && notedKeys(of: mutation, outcome).isEmpty
        if isAlone && mutation.steps[0].remove(of: mutation, in: self) {
            noteLate(outcome, of: mutation, except: [])
        } else {
            commit { $0.remove(mutation, outcome) }
        }
        if !hadReplacements {
            guard hasReplacements else { return }
            // The first identifier was replaced meanwhile.
            commit { $0.remove(mutation, outcome) }
        }
        removeForgottenLayers(of: mutation)
    }

    /// Removes the layers of a mutation that nothing leads to, because a removal of all entities has forgotten the identifiers
    /// that have replaced others.
    func removeForgottenLayers(of mutation: PendingMutation) {
        if hasReplacements, mutations.beganBeforeRemoval(mutation) { removeLayers(of: [mutation.number]) }
    }

    /// Removes the layers of mutations from all keys.
    private func removeLayers(of numbers: Set<UInt64>) {
        while true {
            let transaction = Transaction()
            let keys = removeLayers(of: numbers, in: transaction)
            if keys.isEmpty { return }
            transaction.commit(to: self)
            transaction.release()
            noteRemovedLayers(of: keys)
        }
    }

    private func removeLayers(of numbers: Set<UInt64>, in transaction: Transaction) -> [UnlayeredKey] {
        registry.all.flatMap { ($0 as? any LayeredTable)?.removeLayers(of: numbers, in: transaction) ?? [] }
    }

    /// Moves the layers of a mutation that nothing leads to, because it began while a removal of all entities forgot the
    /// identifiers that had replaced others.
    private func moveForgottenLayers(of mutation: PendingMutation) {
        guard hasReplacements, mutations.beganBeforeRemoval(mutation) else { return }
        let keys = commitBesideReplacements { transaction -> [UnlayeredKey] in
            // One that was confirmed meanwhile can have layers that wait for earlier mutations.
            if !mutation.isOpen { return [] }
            let keys = removeLayers(of: [mutation.number], in: transaction)
            if !keys.isEmpty {
                for step in mutation.steps { step.add(to: transaction, of: mutation, in: self) }
            }
            return keys
        }
        noteRemovedLayers(of: keys ?? [])
        noteLate(.begun, of: mutation, except: [])
    }

    /// Makes a commit of mutations that begin or end, outside of a transaction of the user.
    private func commit(_ body: (inout MutationCommit) -> Void) {
        guard hasReplacements else {
            var commit = MutationCommit(of: self)
            body(&commit)
            return commit.make()
        }
        let commit = commitBesideReplacements { transaction in
            var commit = MutationCommit(in: transaction, of: self)
            body(&commit)
            return commit
        }
        commit?.noteLate()
    }

    /// Makes a commit that finds layers by the current identifiers of their keys, outside of a transaction of the user.
    ///
    /// The body is run again if an identifier was replaced meanwhile.
    @discardableResult
    private func commitBesideReplacements<Result>(_ body: (Transaction) -> Result) -> Result? {
        ReadContext.runOutside(of: history.object) { commitTogether { history.transactionOfThread.map(body) } }
    }

    /// Sends the mutation of the same order that has waited for one that has ended.
    func sendNext(after mutation: PendingMutation) {
        guard let next = mutations.end(mutation) else { return }
        if next.becomeDue() { next.send(in: self) }
    }
}
