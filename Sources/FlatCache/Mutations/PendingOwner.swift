/// An entity or a name that refers to removed entities only by the changes of pending mutations.
struct PendingOwner<Owner: Cachable> {
    let id: Owner.ID
    /// The first result of a pending change that refers to them.
    let shown: Owner
    /// Whether an entity is confirmed, which doesn't refer to them.
    let isConfirmed: Bool
}

/// The pending changes of a transaction that delete rules concern.
extension TableTransaction {
    /// The entities and names that refer to removed entities only by layers, in the order of the mutations.
    ///
    /// It runs user code, so no lock may be held.
    ///
    /// - Parameters:
    ///   - refers: Returns whether an entity refers to a removed one to which the one below its layer doesn't refer.
    ///   - snapshot: The state of the transaction.
    ///   - cache: The cache.
    /// - Complexity: O(*n*) for the *n* pending mutations of the cache, and the time of the layers of the type.
    func pendingOwners(
        where refers: (_ shown: Value, _ below: Value?) -> Bool,
        in snapshot: Snapshot,
        of cache: FlatCache
    ) -> [PendingOwner<Value>] {
        if !table.hasLayers { return [] }
        return cache.layeredKeys(of: Value.self).compactMap { id, mayInsert in
            let confirmed = value(of: id, HashedID(id), in: snapshot)
            let layers = layersAfterRules(of: id)
            if layers.isEmpty || confirmed == nil && !mayInsert { return nil }
            var found: Value?
            ReadContext.runOutside(of: table.history.object, replacing: transaction.replacedKeys) {
                var below = confirmed
                for layer in layers {
                    let shown = layer.shown(over: below, of: id)
                    if let shown, refers(shown, below) {
                        found = shown
                        return
                    }
                    below = shown
                }
            }
            return found.map { PendingOwner(id: id, shown: $0, isConfirmed: confirmed != nil) }
        }
    }

    /// Whether layers still show an entity that the transaction has removed, because a removal concerns what is confirmed.
    ///
    /// It runs user code, so no lock may be held.
    func isShownAfterRemoval(_ id: Value.ID) -> Bool {
        if !table.hasLayers { return false }
        entries.makeRoom()
        let (place, stored) = table.withSlot(for: id, HashedID(id)) { slot in
            (self.place(of: slot), slot.isLayered ? LayeredChange<Value>(of: slot) : nil)
        }
        guard var change = stored else { return false }
        let entry = layering?[place]
        if let entry { applyRules(to: &change, of: entry) }
        noteWrite(of: nil, to: &change, at: place)
        change.confirmed = nil
        change.layers.removeAll { entry?.removed.contains($0.number) == true }
        return ReadContext.runOutside(of: table.history.object, replacing: transaction.replacedKeys) {
            change.visible(of: id) != nil
        }
    }

    /// Removes an entity that only layers show, with the commit.
    ///
    /// A mutation that isn't sent yet ends after it. The answer to one that is being sent isn't stored.
    ///
    /// - Parameter isUndone: Returns whether the entities to which it refers are stored again, so that the answer is stored.
    func removePending(
        _ id: Value.ID,
        in cache: FlatCache,
        unless isUndone: @escaping @Sendable () -> Bool
    ) {
        let mutations = layersAfterRules(of: id).filter { !$0.isSettled }.compactMap { layer -> PendingMutation? in
            guard let mutation = layer.mutation as? PendingMutation,
                mutation.number != transaction.confirmation?.number
            else { return nil }
            // A removal of another entity whose rules are shown here isn't a mutation of this one.
            return mutation.steps[layer.place].isOfEntity ? mutation : nil
        }
        // Answers to requests that began before don't store it.
        remove(id, HashedID(id))
        changeLayers(of: id) { layers in
            layers.removeAll { $0.isSettled }
            for place in layers.indices { layers[place].noteRule(isUndone, isRemoval: true) }
        }
        // They aren't sent by another process either, after this one has ended.
        for mutation in mutations {
            if mutation.mayInsert { mutation.stored?.removeFollowers(from: transaction, in: cache) }
            mutation.stored?.remove(from: transaction, in: cache)
        }
        let key = FlatCacheKey(Value.self, id: id)
        transaction.addEffect { isCommitted in
            if !isCommitted { return }
            for mutation in mutations { mutation.refuse(.entityRemoved(key), in: cache) }
        }
    }

    /// Lets a delete rule change what layers show, from the commit on.
    ///
    /// - Parameters:
    ///   - id: The identifier of an entity with layers.
    ///   - isUndone: Returns whether the entities to which it refers are stored again, so that a confirmed change is made as it is.
    ///   - rule: Returns what becomes of an entity that a layer shows, or `nil` if it is removed. It is called again with each new
    ///     confirmed entity, which is its first argument.
    func changePending(
        _ id: Value.ID,
        unless isUndone: @escaping @Sendable () -> Bool,
        _ rule: @escaping @Sendable (_ below: Value?, _ shown: Value) -> Value?
    ) {
        changeLayers(of: id) { layers in
            for place in layers.indices {
                layers[place].noteRule(isUndone)
                layers[place] = layers[place].followed(by: rule)
            }
        }
    }

    private func changeLayers(of id: Value.ID, _ change: @escaping (inout [Layer<Value>]) -> Void) {
        let entry = editLayers(of: id)
        entry.ruleChanges.append(change)
        if transaction.isNested {
            transaction.addUndo { entry.ruleChanges.removeLast() }
        }
    }

    /// The layers of an entity, as delete rules of the transaction leave them.
    private func layersAfterRules(of id: Value.ID) -> [Layer<Value>] {
        let (place, stored) = self.layers(of: id, HashedID(id))
        var layers = stored
        for change in layering?[place]?.ruleChanges ?? [] { change(&layers) }
        return layers
    }

    /// Makes the changes of layers by delete rules.
    @usableFromInline func applyRules(to change: inout LayeredChange<Value>, of entry: LayeredEntry<Value>) {
        for rule in entry.ruleChanges { rule(&change.layers) }
    }
}

extension Layer {
    /// Notes what a delete rule makes of the layer, unless the server has confirmed that.
    ///
    /// - Parameters:
    ///   - isUndone: Returns whether the entities that were removed are stored again.
    ///   - isRemoval: Whether the rule removes the entity.
    fileprivate mutating func noteRule(
        _ isUndone: @escaping @Sendable () -> Bool,
        isRemoval: Bool = false
    ) {
        if isSettled { return }
        var write = notes?.write ?? LayerWrite()
        var rules = write.rules ?? LayerRules(body: body, isRemoved: write.isRemoval)
        rules.areUndone.append(isUndone)
        write.rules = rules
        if isRemoval { write.isRemoval = true }
        notes = LayerNotes(write)
    }

    /// The layer without what delete rules have made of it, if all entities are stored again that were removed.
    ///
    /// The transaction of the calling thread depends on these entities.
    @usableFromInline func withoutUndoneRules() -> Layer {
        guard var write = notes?.write, let rules = write.rules, rules.areUndone.allSatisfy({ $0() }) else {
            return self
        }
        var layer = Layer(of: mutation, place: place, rules.body)
        write.rules = nil
        write.isRemoval = rules.isRemoved
        layer.notes = LayerNotes(write)
        return layer
    }

    /// The layer with what a delete rule makes of the entity that it shows.
    fileprivate func followed(by rule: @escaping @Sendable (_ below: Value?, _ shown: Value) -> Value?) -> Layer {
        var layer = Layer(of: mutation, place: place) { [body] below, id, place in
            body(below, id, place).flatMap { rule(below, $0) }
        }
        layer.notes = notes
        return layer
    }
}

extension FlatCache {
    /// The identifiers of the keys of a type that pending mutations change, each once and with whether they may show an entity where
    /// none is confirmed, in the order of the mutations.
    fileprivate func layeredKeys<Value: Cachable>(of type: Value.Type) -> [(id: Value.ID, mayInsert: Bool)] {
        var keys = KeyedValues<Value.ID, Bool>()
        for mutation in mutations.all {
            for step in mutation.steps where step.entityType == ObjectIdentifier(type) {
                guard let step = step as? EntityStep<Value> else { continue }
                let id = step.currentID(of: mutation, in: self)
                keys[id] = keys[id] == true || step.mayInsert
            }
        }
        return keys.entries.map { ($0.key, $0.value) }
    }
}
