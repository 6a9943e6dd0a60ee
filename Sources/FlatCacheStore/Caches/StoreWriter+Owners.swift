internal import FlatCache

extension StoreWriter {
    /// Applies the delete rules for removed entities to those that refer to them and that only the store has.
    ///
    /// It reaches the owners of the entities that were removed before the call, and all that follows from that. The app can go
    /// on to remove entities, whose owners a later call reaches.
    func reachOwners(in cache: FlatCache) throws(StoreError) {
        var removals = cache.notedRemovals
        while !removals.isEmpty {
            let revision = cache.lastRevision
            try complete(removals)
            try attempt(.read) {
                for type in types.values {
                    let now = time.now()
                    let errors = try type.reachOwners(of: removals, from: store, in: cache, at: revision, time: now)
                    // Each search reads all entities, so it finds the same errors.
                    for error in errors { report(unreadable: error, isRepeated: false) }
                }
            }
            for removal in removals { removal.end() }
            // A rule can remove entities that others refer to.
            removals = cache.notedRemovals(areConsequences: true)
        }
        cache.endRuleWrites()
    }

    /// Adds the entities that only the store has to removed ones, and applies the rules to their owners in memory.
    func complete(_ removals: [any ErasedNotedRemovals]) throws(StoreError) {
        try attempt(.read) {
            for removal in removals {
                try types.values.first { $0.type == removal.removedType }?.complete(removal, from: store)
            }
        }
    }
}
