/// Many entities of one type that are stored in one commit, in pieces.
final class LargeBatch<Value: Cachable>: CommitPart {
    private let batch: EntityBatch<Value>
    private let overlay: (LargeCommit) -> BatchOverlay<Value>
    /// The places of the entities in the batch, by shard.
    private let places: [[Int]]

    /// Prepares a batch.
    ///
    /// - Parameter batch: Entities whose identifiers may be compared under a lock.
    init(_ batch: EntityBatch<Value>) {
        self.batch = batch
        let lookup = BatchPlaces(of: batch)
        overlay = { BatchOverlay(batch, lookup, of: $0) }
        var places = [[Int]](repeating: [], count: shardCount)
        for place in batch.values.indices { places[batch.hashes[place].shard].append(place) }
        self.places = places
    }

    var count: Int { batch.values.count }

    var insertionCount: Int { count }

    var isCleared: Bool { false }

    private var shards: [ShardReference] { Array(batch.table.shards.all) }

    func insertLocks(into locks: inout LockSet) { locks.insert(.all, of: batch.table) }

    func obstacle() -> Hold? { shards.indices.first(from: obstacle) }

    private func obstacle(in number: Int) -> Hold? {
        let shard = shards[number]
        return shard.pointer.pointee.gate?.obstacle { reserved in
            batch.withMemory { _, ids in
                places[number].contains { reserved.contains(batch.slot(at: $0, ids, in: shard)) }
            } ?? false
        }
    }

    // Entities of types with a merge are stored by a transaction.
    func areMergesCurrent() -> Bool { true }

    func reserveMerges(in reservation: Reservation) {}

    /// Whether there are no indexes and no layers, with which the entities are stored by a transaction.
    func isCurrent() -> Bool { batch.table.indexes == nil && !batch.table.hasLayers }

    func close(for commit: LargeCommit) -> Hold? {
        let overlay = overlay(commit)
        for (number, shard) in shards.enumerated() where !places[number].isEmpty {
            shard.lock()
            let hold = obstacle(in: number)
            if hold == nil { shard.changeGate { $0.overlay = overlay } }
            shard.unlock()
            if let hold { return hold }
        }
        return nil
    }

    func settleConditions() -> [any Sendable] { [] }

    func store(_ commit: inout Commit) -> [any Sendable] {
        let replaced = ReleasedEntities(batch.table.layout, capacity: count)
        batch.storeAll(&commit, replaced)
        return [replaced]
    }

    func storeInPieces(_ commit: inout Commit) -> [any Sendable] {
        let replaced = ReleasedEntities(batch.table.layout, capacity: count)
        for (shard, places) in zip(shards, places) where !places.isEmpty {
            shard.whileLocked { shard.pointer.pointee.index.reserve(places.count) }
        }
        batch.table.inPieces(places) { batch.store($0, &commit, replaced) }
        return [replaced]
    }

    func open(after commit: LargeCommit) { batch.table.open(after: commit) }
}

extension EntityTable {
    /// Opens the gates that were closed for a large commit.
    func open(after commit: LargeCommit) {
        for shard in shards.all {
            shard.whileLocked {
                if shard.pointer.pointee.gate?.overlay?.commit === commit { shard.changeGate { $0.overlay = nil } }
            }
        }
    }
}

/// The places of the entities of a batch by identifier, in an open-addressing hash table.
private struct BatchPlaces<Value: Cachable> {
    private let batch: EntityBatch<Value>
    /// Places plus one; 0 marks an empty bucket.
    private var buckets: [UInt32]

    init(of batch: EntityBatch<Value>) {
        self.batch = batch
        var capacity = 8
        while capacity < batch.values.count * 2 { capacity *= 2 }
        buckets = [UInt32](repeating: 0, count: capacity)
        for place in batch.values.indices {
            // If two have the same identifier, the later one counts.
            buckets[bucket(of: batch.hashes[place]) { batch.ids[$0] == batch.ids[place] }] = UInt32(place) + 1
        }
    }

    /// The place of the entity with an identifier, or `nil` if there is none.
    func place(of id: Value.ID, _ hash: HashedID) -> Int? {
        let place = Int(buckets[bucket(of: hash) { batch.ids[$0] == id }])
        return place == 0 ? nil : place - 1
    }

    /// The bucket of an identifier, or the empty bucket for it.
    ///
    /// - Parameter isFound: Returns whether a place with the same hash has the identifier.
    private func bucket(of hash: HashedID, _ isFound: (Int) -> Bool) -> Int {
        let mask = buckets.count - 1
        // All bits are mixed, because the highest bits are the same within a shard.
        var bucket = Int(hash.bits &* 0x9E37_79B1) & mask
        while buckets[bucket] != 0 {
            let place = Int(buckets[bucket]) - 1
            if batch.hashes[place] == hash && isFound(place) { break }
            bucket = (bucket + 1) & mask
        }
        return bucket
    }
}

/// The entities of a batch, for readers while they are moved into the slots.
private final class BatchOverlay<Value: Cachable>: Overlay<Value>, @unchecked Sendable {  // Constant.
    private let batch: EntityBatch<Value>
    private let places: BatchPlaces<Value>

    init(_ batch: EntityBatch<Value>, _ places: BatchPlaces<Value>, of commit: LargeCommit) {
        self.batch = batch
        self.places = places
        super.init(of: commit)
    }

    override func change(of id: Value.ID, _ hash: HashedID, _ slot: Slot?) -> OverlayChange<Value>? {
        places.place(of: id, hash).map { .stored(batch.values[$0]) }
    }
}
