@testable import FlatCache

extension FlatCache {
    /// The number of keys of a type that somebody observes.
    func observedKeyCount<Value: Cachable>(of type: Value.Type) -> Int {
        collect(type) { $0.isObserved ? true : nil }.count
    }

    /// The number of registrations of observers with single keys of a type.
    func observerCount<Value: Cachable>(of type: Value.Type) -> Int {
        collect(type) { $0.observers?.list.count }.reduce(0, +)
    }

    /// Whether somebody observes all entities of a type, be it in some shards only.
    func isWatched<Value: Cachable>(_ type: Value.Type) -> Bool {
        table(of: type).withAllShards { table(of: type).shards.all.contains { $0.pointer.pointee.watchers != nil } }
    }

    /// The number of slots of a type, with an entity or without.
    func slotCount<Value: Cachable>(of type: Value.Type) -> Int {
        collect(type) { _ in true }.count
    }

    /// The number of buckets in the indexes of a type.
    func bucketCount<Value: Cachable>(of type: Value.Type) -> Int {
        table(of: type).withAllShards {
            table(of: type).shards.all.reduce(0) { $0 + $1.pointer.pointee.index.capacity }
        }
    }

    /// How far the slot of a type that is farthest from its home in an index is from there.
    func longestProbe<Value: Cachable>(of type: Value.Type) -> Int {
        table(of: type).withAllShards {
            table(of: type).shards.all.map { shard in
                let index = shard.pointer.pointee.index
                return (0..<index.capacity).filter { index.tags[$0] != 0 }.map { bucket in
                    let home = Int(index.slots[bucket].bucket)
                    return (bucket - home) & (index.capacity - 1)
                }.max() ?? 0
            }.max() ?? 0
        }
    }

    /// Forgets which entities of a type were used.
    func forgetUses<Value: Cachable>(of type: Value.Type) {
        for slot in collect(type, { $0.isStored ? $0 : nil }) { slot.usage = .none }
    }

    /// The number of stored entities of a type that were used.
    ///
    /// The slot of a missing one remains as long as a task that has fetched it, which can end later than the fetch.
    func usedCount<Value: Cachable>(of type: Value.Type) -> Int {
        collect(type) { $0.isStored && $0.usage == .used ? true : nil }.count
    }

    /// Collects something from each slot, while all shards are locked.
    private func collect<Value: Cachable, Element>(
        _ type: Value.Type,
        _ element: (Slot) -> Element?
    ) -> [Element] {
        let table = table(of: type)
        return table.withAllShards {
            table.shards.all.flatMap { $0.pointer.pointee.index.all }.compactMap(element)
        }
    }

    private func table<Value: Cachable>(of type: Value.Type) -> Table<Value> {
        registry.table(of: type).takeUnretainedValue()
    }
}
