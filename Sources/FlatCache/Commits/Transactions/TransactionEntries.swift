/// The entries of a transaction for the entities of a table, by slot.
///
/// Entries are found by the stored hash and the identity of their slot, so no user code runs.
@frozen @usableFromInline
struct TransactionEntries<Value: Cachable> {
    @usableFromInline typealias Entry = TableTransaction<Value>.Entry

    /// The entries in the order of their addition.
    @usableFromInline var list: ContiguousArray<Entry> = []
    /// The new entities, or `nil` if they are removed or not changed.
    ///
    /// They are beside the entries, because unspecialized code copies a whole entry to read one of its members.
    @usableFromInline var values: ContiguousArray<Value?> = []
    /// The places in the list by the hashes of the slots, empty while the list is short.
    ///
    /// It is an open-addressing table whose length is a power of two; -1 marks a free bucket.
    @usableFromInline var buckets: ContiguousArray<Int32> = []

    /// The length up to which a linear search is faster than a table.
    @inlinable static var shortLength: Int { 8 }

    @inlinable init() {}

    @inlinable subscript(place: Int) -> Entry {
        _read { yield list[place] }
        _modify { yield &list[place] }
    }

    /// The entry of a slot.
    @inlinable subscript(slot: Slot) -> Entry? { place(of: slot).map { list[$0] } }

    /// The place of the entry of a slot.
    ///
    /// - Complexity: O(1) on average.
    @inlinable func place(of slot: Slot) -> Int? {
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

    /// Drops the new value of an entity, to which the caller has a reference.
    mutating func dropChange(at place: Int) {
        values[place] = nil
        list[place].condition = nil
        list[place].merge = nil
    }

    /// Adds the entry of a slot that has none.
    ///
    /// - Returns: Its place.
    /// - Complexity: O(1) on average over many additions.
    @inlinable mutating func append(_ entry: Entry) -> Int {
        let place = list.count
        list.append(entry)
        values.append(nil)
        if place >= Self.shortLength {
            if list.count &* 2 > buckets.count { growBuckets() } else { index(place) }
        }
        return place
    }

    /// Reserves capacity for one more entry.
    ///
    /// It is called before a shard is locked, because moving many entries takes long.
    @inlinable mutating func makeRoom() {
        if list.count == list.capacity || values.count == values.capacity {
            list.reserveCapacity(Swift.max(8, list.count &* 2))
            values.reserveCapacity(Swift.max(8, list.count &* 2))
        }
        if list.count >= Self.shortLength, list.count &* 2 &+ 2 > buckets.count { growBuckets() }
    }

    /// Reserves capacity for several more entries.
    @inlinable mutating func makeRoom(for count: Int) {
        list.reserveCapacity(list.count &+ count)
        values.reserveCapacity(list.count &+ count)
        while buckets.count < (list.count &+ count) &* 2 &+ 2 { growBuckets() }
    }

    /// Creates a table of at least twice the length of the list.
    @inlinable mutating func growBuckets() {
        buckets = ContiguousArray(repeating: -1, count: Swift.max(32, buckets.count &* 2))
        for place in list.indices { index(place) }
    }

    @inlinable mutating func index(_ place: Int) {
        let mask = buckets.count &- 1
        var bucket = Int(list[place].slot.bucket) & mask
        while buckets[bucket] >= 0 { bucket = (bucket &+ 1) & mask }
        buckets[bucket] = Int32(truncatingIfNeeded: place)
    }
}
