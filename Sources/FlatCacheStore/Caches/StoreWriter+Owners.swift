internal import FlatCache

extension StoreWriter {
    /// Applies the delete rules for removed entities to those that refer to them and that only the store has.
    func reachOwners(in cache: FlatCache) throws(StoreError) {
        // A rule can remove entities that others refer to.
        while true {
            let removals = cache.notedRemovals
            if removals.isEmpty { return }
            let revision = cache.lastRevision
            try attempt(.read) {
                for removal in removals {
                    try types.values.first { $0.type == removal.removedType }?.complete(removal, from: store)
                }
                for type in types.values {
                    try type.reachOwners(of: removals, from: store, in: cache, at: revision, time: time.now())
                }
            }
            for removal in removals { removal.end() }
        }
    }
}
