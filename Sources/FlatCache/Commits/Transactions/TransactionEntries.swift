/// What a transaction knows of the entities of a table, by their slots.
///
/// Slots are found by the hash that they remember and by their identity: no user code runs.
@frozen @usableFromInline
struct TransactionEntries<Value: Cachable> {
    @usableFromInline typealias Entry = TableTransaction<Value>.Entry

    /// In the order in which they came.
    @usableFromInline var list: ContiguousArray<Entry> = []
    /// The places in the list by the hashes of the slots; empty while the list is short.
    ///
    /// An open addressing table, whose length is a power of two; -1 is a free bucket.
    @usableFromInline var buckets: ContiguousArray<Int32> = []

    /// The length up to which looking through the list is faster than a table.
    @inlinable static var shortLength: Int { 8 }

    @inlinable init() {}

    @inlinable subscript(place: Int) -> Entry {
        _read { yield list[place] }
        _modify { yield &list[place] }
    }

    /// The entry of a slot.
    @inlinable subscript(slot: Slot<Value>) -> Entry? { place(of: slot).map { list[$0] } }

    /// The place of the entry of a slot.
    ///
    /// - Complexity: O(1) on average.
    @inlinable func place(of slot: Slot<Value>) -> Int? {
        guard !buckets.isEmpty else { return list.firstIndex { $0.slot === slot } }
        let mask = buckets.count &- 1
        var bucket = Int(slot.bucket) & mask
        while buckets[bucket] >= 0 {
            let place = Int(buckets[bucket])
            if list[place].slot === slot { return place }
            bucket = (bucket &+ 1) & mask
        }
        return nil
    }

    /// Drops what is to become of an entity, which somebody else keeps.
    mutating func dropChange(at place: Int) {
        list[place].value = nil
        list[place].condition = nil
    }

    /// Adds the entry of a slot that has none.
    ///
    /// - Returns: Its place.
    /// - Complexity: O(1) on average over many additions.
    @inlinable mutating func append(_ entry: Entry) -> Int {
        let place = list.count
        list.append(entry)
        if place >= Self.shortLength {
            if list.count &* 2 > buckets.count { growBuckets() } else { index(place) }
        }
        return place
    }

    /// Makes room for one more entry, so that adding it moves nothing; called before a shard is locked, because moving many
    /// entries takes long.
    @inlinable mutating func makeRoom() {
        if list.count == list.capacity { list.reserveCapacity(Swift.max(8, list.count &* 2)) }
        if list.count >= Self.shortLength, list.count &* 2 &+ 2 > buckets.count { growBuckets() }
    }

    /// Makes a table of twice the length of the list at least.
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
