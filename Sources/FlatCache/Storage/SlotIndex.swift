/// An open-addressing hash index of slots, with linear probing.
///
/// Each bucket has a byte of the hash, stored apart from the references. It detects most misses without access to a
/// slot and skips most other slots before a hit. A removal shifts the following slots back instead of leaving a
/// tombstone, so that tables with many insertions and removals remain fast.
///
/// Invariants: The capacity is 0 or a power of two. At most three quarters of the buckets are occupied, so every probe
/// ends at an empty one. All buckets between a slot's home bucket and its place are occupied.
///
/// It isn't thread-safe; the lock of its shard guards it.
@frozen @usableFromInline
struct SlotIndex {
    /// The tags, `capacity` bytes, of which 0 marks an empty bucket, and then `capacity` slots, initialized where the tag isn't 0.
    @usableFromInline var memory: UnsafeMutableRawPointer
    // They are short, so that a shard has two cache lines.
    @usableFromInline var shortCapacity: UInt32
    @usableFromInline var shortCount: UInt32

    @inlinable var tags: UnsafeMutablePointer<UInt8> { memory.assumingMemoryBound(to: UInt8.self) }

    @inlinable var slots: UnsafeMutablePointer<Slot> { (memory + capacity).assumingMemoryBound(to: Slot.self) }

    @inlinable var capacity: Int { Int(truncatingIfNeeded: shortCapacity) }

    @inlinable var count: Int {
        get { Int(truncatingIfNeeded: shortCount) }
        set { shortCount = UInt32(truncatingIfNeeded: newValue) }
    }

    /// Creates an index without buckets.
    @inlinable init() {
        self.init(capacity: 0)
    }

    @inlinable init(capacity: Int) {
        shortCapacity = UInt32(truncatingIfNeeded: capacity)
        shortCount = 0
        guard capacity > 0 else {
            // It is never accessed. A type without stored entities has sixteen of these.
            memory = UnsafeMutableRawPointer(bitPattern: MemoryLayout<UInt>.alignment).unsafelyUnwrapped
            return
        }
        let alignment = MemoryLayout<Slot>.alignment
        memory = .allocate(byteCount: capacity * (1 + MemoryLayout<Slot>.stride), alignment: alignment)
        memory.initializeMemory(as: UInt8.self, repeating: 0, count: capacity)
    }

    /// The slot of an identifier in memory that may be compared under the lock, or `nil` if there is none.
    ///
    /// - Complexity: O(1) on average.
    @inline(__always) func find(_ id: UnsafeRawPointer, _ hash: HashedID, _ layout: EntityLayout) -> Slot? {
        first(hash) { layout.areEqualIDs(layout.id(of: $0), id) }
    }

    /// The slot of a string, or `nil` if there is none.
    ///
    /// - Complexity: O(1) on average.
    @inline(__always) func find(_ id: String, _ hash: HashedID, _ layout: EntityLayout) -> Slot? {
        first(hash) { layout.id(of: $0).assumingMemoryBound(to: String.self).pointee == id }
    }

    /// The first slot with the tag of a hash that has an identifier, or `nil` if there is none.
    @inline(__always)
    private func first(_ hash: HashedID, where hasID: (Slot) -> Bool) -> Slot? {
        guard count > 0 else { return nil }
        let mask = capacity &- 1
        let wanted = hash.tag
        var bucket = Int(hash.bucket) & mask
        while true {
            let tag = tags[bucket]
            if tag == 0 { return nil }
            if tag == wanted, case let slot = slots[bucket], hasID(slot) { return slot }
            bucket = (bucket &+ 1) & mask
        }
    }

    /// The slots whose identifiers have a hash, to be compared after unlocking.
    ///
    /// - Complexity: O(1) on average.
    func candidates(_ hash: HashedID) -> [Slot] {
        guard count > 0 else { return [] }
        var candidates: [Slot] = []
        let mask = capacity - 1
        var bucket = Int(hash.bucket) & mask
        while tags[bucket] != 0 {
            if tags[bucket] == hash.tag, slots[bucket].bucket == hash.bucket { candidates.append(slots[bucket]) }
            bucket = (bucket + 1) & mask
        }
        return candidates
    }

    /// The first of the ``candidates(_:)``, and whether it is the only one.
    func firstCandidate(_ hash: HashedID) -> (slot: Slot, isOnly: Bool)? {
        guard count > 0 else { return nil }
        var first: Slot?
        let mask = capacity - 1
        var bucket = Int(hash.bucket) & mask
        while tags[bucket] != 0 {
            if tags[bucket] == hash.tag, slots[bucket].bucket == hash.bucket {
                if let first { return (first, false) }
                first = slots[bucket]
            }
            bucket = (bucket + 1) & mask
        }
        return first.map { ($0, true) }
    }

    /// Adds a slot whose identifier is not in the index.
    ///
    /// - Complexity: O(1) on average over many additions.
    mutating func insert(_ slot: Slot, tag: UInt8) {
        if count &* 4 >= capacity &* 3 { resize(to: Swift.max(capacity &* 2, 8)) }
        place(slot, tag: tag)
        count &+= 1
    }

    /// Reserves capacity for a number of slots.
    ///
    /// - Complexity: O(*n*) for *n* slots if the index must grow.
    mutating func reserve(_ count: Int) {
        var capacity = Swift.max(capacity, 8)
        while count * 4 > capacity * 3 { capacity *= 2 }
        if capacity > self.capacity { resize(to: capacity) }
    }

    /// Removes a slot, if it is in the index.
    ///
    /// - Complexity: O(1) on average over many removals.
    mutating func remove(_ slot: Slot) {
        guard var hole = bucket(of: slot) else { return }
        let mask = capacity - 1
        var next = hole
        while true {
            next = (next + 1) & mask
            if tags[next] == 0 { break }
            let home = Int(slots[next].bucket) & mask
            // A following slot may fill the hole unless the hole is before its home bucket.
            if (next - home) & mask >= (next - hole) & mask {
                tags[hole] = tags[next]
                slots[hole] = slots[next]
                hole = next
            }
        }
        tags[hole] = 0
        count -= 1
        // Memory is freed after a peak, such as a million observers. A factor of four keeps resizes rare.
        if capacity > 64 && count * 8 < capacity { resize(to: capacity / 2) }
    }

    func bucket(of slot: Slot) -> Int? {
        guard count > 0 else { return nil }
        let mask = capacity - 1
        var bucket = Int(slot.bucket) & mask
        while tags[bucket] != 0 {
            if slots[bucket] == slot { return bucket }
            bucket = (bucket + 1) & mask
        }
        return nil
    }

    /// Calls a body with each slot.
    func forEach(_ body: (Slot, _ tag: UInt8) -> Void) {
        for bucket in 0..<capacity where tags[bucket] != 0 { body(slots[bucket], tags[bucket]) }
    }

    /// The slots, in the order of their buckets.
    @usableFromInline var all: [Slot] {
        var all: [Slot] = []
        all.reserveCapacity(count)
        forEach { slot, _ in all.append(slot) }
        return all
    }

    /// Frees the memory.
    ///
    /// The index must not be used afterwards.
    func deallocate() {
        if capacity > 0 { memory.deallocate() }
    }

    mutating func resize(to newCapacity: Int) {
        var resized = SlotIndex(capacity: newCapacity)
        forEach { slot, tag in resized.place(slot, tag: tag) }
        resized.count = count
        deallocate()
        self = resized
    }

    /// Puts a slot into the first free bucket from its home bucket on.
    func place(_ slot: Slot, tag: UInt8) {
        let mask = capacity &- 1
        var bucket = Int(slot.bucket) & mask
        while tags[bucket] != 0 { bucket = (bucket &+ 1) & mask }
        tags[bucket] = tag
        (slots + bucket).initialize(to: slot)
    }
}
