/// Some of the shards of a table.
@frozen @usableFromInline
struct ShardMask {
    @usableFromInline var bits: UInt

    /// No shards.
    @inlinable init() {
        bits = 0
    }

    /// All shards.
    @inlinable static var all: ShardMask {
        var mask = ShardMask()
        mask.bits = 1 << shardCount - 1
        return mask
    }

    @inlinable mutating func insert(_ shard: Int) {
        bits |= 1 << UInt(shard)
    }

    @inlinable func contains(_ shard: Int) -> Bool { bits & 1 << UInt(shard) != 0 }
}

/// The locks of several shards, taken together.
///
/// All code that holds the locks of several shards takes them through a lock set, in one order for the whole cache: by
/// table, then by shard. So there are no deadlocks.
@frozen @usableFromInline
struct LockSet: Sendable {
    private var locks: [(order: Int, reference: LockReference)] = []
    private var isSorted = true

    @usableFromInline init() {}

    /// Adds the locks of shards of a table, each once.
    @usableFromInline mutating func insert(_ shards: ShardMask, of table: EntityTable) {
        insert(shards, of: table.shards, table.ordinal)
    }

    private mutating func insert(_ mask: ShardMask, of shards: Shards, _ ordinal: Int) {
        var bits = mask.bits
        while bits != 0 {
            let shard = bits.trailingZeroBitCount
            bits &= bits &- 1
            let order = ordinal << shardBits | shard
            if let last = locks.last, last.order >= order { isSorted = false }
            locks.append((order, shards[shard].lockReference))
        }
    }

    /// Adds the locks of another set.
    mutating func formUnion(_ other: LockSet) {
        if locks.isEmpty {
            self = other
        } else {
            locks += other.locks
            isSorted = false
        }
    }

    /// All locks of a table.
    init(_ shards: Shards, _ ordinal: Int) {
        insert(.all, of: shards, ordinal)
    }

    @usableFromInline mutating func lock() {
        if !isSorted {
            sort()
        }
        for lock in locks { lock.reference.lock() }
    }

    /// Puts the locks into their order, each once.
    private mutating func sort() {
        locks.sort { $0.order < $1.order }
        var count = 0
        for lock in locks where count == 0 || locks[count - 1].order != lock.order {
            locks[count] = lock
            count += 1
        }
        locks.removeSubrange(count...)
        isSorted = true
    }

    @usableFromInline func unlock() {
        for lock in locks { lock.reference.unlock() }
    }
}
