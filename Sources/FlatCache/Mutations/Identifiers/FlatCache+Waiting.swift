/// The mutations that wait for others.
extension FlatCache {
    /// Lets a mutation wait for insertions of what it changes, and, unless it is concurrent, for mutations of the same entities.
    ///
    /// It may be called again, after one that it waits for was dropped.
    func waitForEarlier(_ mutation: PendingMutation) {
        if mutations.hasAtMostOne { return }
        for insertion in insertions(before: mutation) { mutation.wait(for: insertion, isNeeded: true) }
        if mutation.order == .concurrent { return }
        for step in mutation.steps where step.isOfEntity {
            // Those before one that waits itself end before it.
            for number in step.layerNumbers(of: mutation, in: self).reversed() where number < mutation.number {
                guard let other = mutations[number], other.entry < mutation.entry, !other.isAnswered,
                    !mutation.isBegun(in: other)
                else { continue }
                mutation.wait(for: other)
                if other.order != .concurrent { break }
            }
        }
    }

    /// The mutations that insert entities which another one changes or names, and that have begun before it.
    func insertions(before mutation: PendingMutation) -> [PendingMutation] {
        guard mutations.hasInsertions else { return [] }
        var found: [UInt64: PendingMutation] = [:]
        for key in mutation.steps.flatMap({ $0.namedKeys(by: mutation, in: self) }) {
            guard let other = insertion(of: key), other.entry < mutation.entry, !mutation.isBegun(in: other) else {
                continue
            }
            found[other.number] = other
        }
        for step in mutation.steps where step.waitsForInsertion {
            for other in step.insertions(below: mutation, in: self) {
                guard mutations[other.number] === other, other.entry < mutation.entry else { continue }
                found[other.number] = other
            }
        }
        return Array(found.values)
    }

    /// The reason why a mutation isn't sent: an insertion of what it changes has failed before.
    ///
    /// It is `nil` if none has.
    func failedInsertion(before mutation: PendingMutation) -> MutationError? {
        if registry.find(FailedInsertion.self) == nil { return nil }
        return mutation.steps.first(from: { step in
            step.insertionError(before: mutation, in: self).map { .insertionFailed(step.key, $0) }
        })
    }

    private func insertion(of key: FlatCacheKey) -> PendingMutation? {
        func find<Value: Cachable>(_ type: Value.Type) -> PendingMutation? {
            key.id(as: type).flatMap { insertion(of: $0, of: type) }
        }
        return find(key.entityType)
    }

    /// The mutations of an earlier process that insert entities which another one changes or names, and that aren't begun again yet.
    func keptInsertions(before mutation: PendingMutation) -> [PendingMutation] {
        if !mutations.hasReplays { return [] }
        let ids = mutation.stored?.insertions ?? []
        let changed = mutation.steps.filter { $0.waitsForInsertion }.map { $0.key }
        let keys = changed + mutation.steps.flatMap { $0.namedKeys(by: mutation, in: self) }
        let inserting = keptInsertions(of: keys)
        return mutations.replays.filter { replay in
            ids.contains(replay.content.id) || inserting.contains { $0 === replay }
        }
    }

    /// The mutations of an earlier process that insert any of some entities, and that aren't begun again yet.
    func keptInsertions(of keys: [FlatCacheKey]) -> [WaitingReplay] {
        guard mutations.hasReplays, let connection else { return [] }
        let inserting = mutations.replays.filter { !$0.content.inserted.isEmpty }
        if inserting.isEmpty { return [] }
        let keys = keys.compactMap(connection.storedKey)
        return inserting.filter { !$0.content.inserted.isDisjoint(with: keys) }
    }

    /// Removes the mutations of an earlier process that change what an insertion would have inserted, also from the store.
    private func dropKeptFollowers(of insertion: PendingMutation) {
        guard insertion.isStored, let id = insertion.stored?.id else { return }
        let followers = mutations.replays.filter { $0.content.insertions.contains(id) }
        if !followers.isEmpty { drop(followers, .cancelled) }
    }

    /// Sends the mutations that have waited for one that has ended.
    func sendFollowers(of mutation: PendingMutation) {
        for follower in mutation.takeFollowers() where follower.doesNotWait(for: mutation) { follower.send(in: self) }
    }

    /// Sends the mutations that have waited for the answer to one that ends later, when the server sends what it has changed.
    func sendIndependentFollowers(of mutation: PendingMutation) {
        if let next = mutations.takeNext(after: mutation), next.becomeDue() { next.send(in: self) }
        for follower in mutation.takeIndependentFollowers() where follower.doesNotWait(for: mutation) {
            follower.send(in: self)
        }
    }

    /// Lets a mutation that is to be sent wait for insertions that it has come to name since it began, because others have written its
    /// entities.
    ///
    /// - Returns: Whether it waits.
    func waitForNamedInsertions(_ mutation: PendingMutation) -> Bool {
        if !mutations.hasInsertions && !mutations.hasReplays { return false }
        for insertion in insertions(before: mutation) + keptInsertions(before: mutation) {
            mutation.wait(for: insertion, isNeeded: true)
        }
        return mutation.isWaiting
    }

    /// Drops the mutations that need an insertion which has failed, and those that need them, and sends the others that have
    /// waited.
    func dropFollowers(of mutation: PendingMutation, because error: @autoclosure () -> any Error) {
        var failed: [(PendingMutation, any Error)] = []
        dropFollowers(of: mutation, because: error(), &failed)
        while let (mutation, error) = failed.popLast() { dropFollowers(of: mutation, because: error, &failed) }
    }

    /// - Parameter failed: The mutations that were dropped, whose own followers are to be dropped.
    private func dropFollowers(
        of mutation: PendingMutation,
        because error: @autoclosure () -> any Error,
        _ failed: inout [(PendingMutation, any Error)]
    ) {
        dropKeptFollowers(of: mutation)
        if mutation.isInsertion { noteFailure(of: mutation, error()) }
        for follower in mutation.takeFollowers() {
            if follower.needs(mutation), let key = key(of: mutation, error(), neededBy: follower) {
                let reason = MutationError.insertionFailed(key, error())
                if follower.withdraw(because: reason, in: self) { failed.append((follower, reason)) }
            } else {
                // What has ended can have waited for others itself.
                waitForEarlier(follower)
                if follower.doesNotWait(for: mutation) { follower.send(in: self) }
            }
        }
    }

    /// The key that an insertion has not inserted and that another mutation needs, or `nil` if there is none.
    ///
    /// - Parameter error: The reason. If the server has confirmed the insertion, it may have inserted some of its entities.
    private func key(
        of insertion: PendingMutation,
        _ error: any Error,
        neededBy follower: PendingMutation
    ) -> FlatCacheKey? {
        var isConfirmed = false
        if case MutationError.unidentified = error { isConfirmed = true }
        let failed = insertion.steps.indices.filter { place in
            insertion.steps[place].isTemporary && (!isConfirmed || insertion.failure(at: place) != nil)
        }
        let keys = failed.map { insertion.steps[$0].key(of: insertion, in: self) }
        let changed = follower.steps.map { $0.key(of: follower, in: self) }
        if let key = keys.first(where: changed.contains) { return key }
        let named = follower.steps.flatMap { $0.namedKeys(by: follower, in: self) }
        if let key = keys.first(where: named.contains) { return key }
        // It isn't known what a mutation of an earlier process would have inserted.
        return isConfirmed ? nil : keys.first ?? changed.first
    }
}

extension FlatCache {
    fileprivate func noteFailure(of insertion: PendingMutation, _ error: any Error) {
        switch error {
        // The one that has replaced it is sent, and creates the entity if it wants to.
        case MutationError.removed, MutationError.replaced: return
        default: break
        }
        for step in insertion.steps where step.isTemporary && !mayHaveStored(step.key) {
            FailedInsertion(id: step.key, error: error).store(in: self)
        }
    }

    /// Whether the entity of a key may be only in a store, so that it isn't known whether it is stored.
    private func mayHaveStored(_ key: FlatCacheKey) -> Bool {
        func open<Value: Cachable>(_ type: Value.Type) -> Bool { mayHaveStored(type) }
        return open(key.entityType)
    }
}
