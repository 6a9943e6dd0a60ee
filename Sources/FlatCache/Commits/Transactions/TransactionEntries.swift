/// The reads and changes of one entity in a transaction, without the new entity.
@usableFromInline
struct TransactionEntry {
    /// The slot, which the entry pins.
    @usableFromInline let slot: Slot
    /// The revision of the slot that was read, or `nil` if it wasn't read.
    var readRevision: UInt64?
    /// The condition of the change, or `nil` if the entity isn't changed.
    @usableFromInline var condition: WriteCondition?
    /// The place among the entities that the transaction has stored, in the order of the first writes since they were missing in
    /// it.
    @usableFromInline var order: UInt32 = 0
    /// The writes whose result is the new entity, or `nil` if it doesn't depend on the stored one.
    @usableFromInline var merge: PendingMerge?

    init(_ slot: Slot) {
        self.slot = slot
    }

    @usableFromInline var isChanged: Bool { condition != nil }
}

/// The entries of a transaction for the entities of a table, by slot.
///
/// Entries are found by the stored hash and the identity of their slot, so no user code runs.
@usableFromInline
struct TransactionEntries {
    private let layout: EntityLayout
    /// The entries in the order of their addition.
    @usableFromInline private(set) var list: ContiguousArray<TransactionEntry> = []
    /// The new entities, which are missing if they are removed or not changed.
    @usableFromInline private(set) var values: EntityColumn
    /// The places in the list by the hashes of the slots, empty while the list is short.
    ///
    /// It is an open-addressing table whose length is a power of two; -1 marks a free bucket.
    private var buckets: ContiguousArray<Int32> = []

    /// The length up to which a linear search is faster than a table.
    private static var shortLength: Int { 8 }

    init(_ layout: EntityLayout) {
        self.layout = layout
        values = EntityColumn(layout)
    }

    @usableFromInline subscript(place: Int) -> TransactionEntry {
        _read { yield list[place] }
        _modify { yield &list[place] }
    }

    /// The entry of a slot.
    subscript(slot: Slot) -> TransactionEntry? { place(of: slot).map { list[$0] } }

    /// The place of the entry of a slot.
    ///
    /// - Complexity: O(1) on average.
    func place(of slot: Slot) -> Int? {
        guard !buckets.isEmpty else { return list.firstIndex { $0.slot == slot } }
        let mask = buckets.count &- 1
        var bucket = Int(slot.bucket) & mask
        while buckets[bucket] >= 0 {
            let place = Int(buckets[bucket])
            if list[place].slot == slot { return place }
            bucket = (bucket &+ 1) & mask
        }
        return nil
    }

    /// Drops the condition and the writes of the change of an entity.
    private mutating func dropWrites(at place: Int) {
        list[place].condition = nil
        list[place].merge = nil
    }

    /// Drops the change of an entity.
    ///
    /// - Returns: What was dropped, to be released when the entries are consistent and no lock is held.
    mutating func dropChange(at place: Int) -> (EntityBox?, PendingMerge?) {
        let dropped = (values.take(place), list[place].merge)
        dropWrites(at: place)
        return dropped
    }

    /// Exchanges the new entity of an entry, without its condition.
    ///
    /// - Parameter entity: The entity, which is copied, or `nil` for none.
    mutating func exchangeEntity(at place: Int, with entity: EntityBox?) {
        let old = values.take(place)
        if let entity { values.set(place, .copy(of: entity.address)) }
        // It is released when the entries are consistent again.
        withExtendedLifetime((old, entity)) {}
    }

    /// Changes that were taken out of the entries.
    struct Changes {
        fileprivate let list: ContiguousArray<TransactionEntry>
        fileprivate let values: EntityColumn
    }

    /// Takes all changes.
    ///
    /// - Returns: The changes, to be released when the entries are consistent and no lock is held.
    mutating func takeChanges() -> Changes {
        let taken = Changes(list: list, values: values)
        values = EntityColumn(layout, count: list.count)
        for place in list.indices { dropWrites(at: place) }
        return taken
    }

    /// Restores changes that were taken, after which entries may have been added.
    mutating func restore(_ changes: Changes) {
        for place in changes.list.indices {
            values.set(place, changes.values.copy(place))
            list[place].condition = changes.list[place].condition
            list[place].merge = changes.list[place].merge
            list[place].order = changes.list[place].order
        }
    }

    /// Adds the entry of a slot that has none.
    ///
    /// - Returns: Its place.
    /// - Complexity: O(1) on average over many additions.
    mutating func append(_ slot: Slot) -> Int {
        let place = list.count
        if values.isFull { values.reserve(Swift.max(8, place * 2)) }
        list.append(TransactionEntry(slot))
        values.append()
        if place >= Self.shortLength {
            if list.count &* 2 > buckets.count { growBuckets() } else { index(place) }
        }
        return place
    }

    /// Reserves capacity for one more entry.
    ///
    /// It is called before a shard is locked, because moving many entries takes long.
    @usableFromInline mutating func makeRoom() {
        if list.count == list.capacity || values.isFull { reserve(Swift.max(8, list.count &* 2)) }
        if list.count >= Self.shortLength, list.count &* 2 &+ 2 > buckets.count { growBuckets() }
    }

    /// Reserves capacity for several more entries.
    @usableFromInline mutating func makeRoom(for count: Int) {
        reserve(list.count &+ count)
        while buckets.count < (list.count &+ count) &* 2 &+ 2 { growBuckets() }
    }

    private mutating func reserve(_ capacity: Int) {
        list.reserveCapacity(capacity)
        values.reserve(capacity)
    }

    /// Creates a table of at least twice the length of the list.
    private mutating func growBuckets() {
        buckets = ContiguousArray(repeating: -1, count: Swift.max(32, buckets.count &* 2))
        for place in list.indices { index(place) }
    }

    private mutating func index(_ place: Int) {
        let mask = buckets.count &- 1
        var bucket = Int(list[place].slot.bucket) & mask
        while buckets[bucket] >= 0 { bucket = (bucket &+ 1) & mask }
        buckets[bucket] = Int32(truncatingIfNeeded: place)
    }
}
