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

    func contains(_ shard: Int) -> Bool { bits & 1 << UInt(shard) != 0 }
}

/// The locks of several shards, taken together.
///
/// All code that holds more than one lock takes them through a lock set, in one order for the whole cache: by table, then
/// by shard. Therefore no two threads can wait for each other.
@frozen @usableFromInline
struct LockSet {
    private var locks: [(order: Int, reference: LockReference)] = []

    @usableFromInline init() {}

    /// Adds the lock of a shard, which may be in the set already.
    @usableFromInline mutating func insert<Value>(_ shard: Int, of table: Table<Value>) {
        let order = table.ordinal << shardBits | shard
        let index = locks.firstIndex { $0.order >= order } ?? locks.endIndex
        if index < locks.endIndex && locks[index].order == order { return }
        locks.insert((order, table.shards[shard].lockReference), at: index)
    }

    /// Adds the locks of shards of a table.
    @usableFromInline mutating func insert<Value>(_ shards: ShardMask, of table: Table<Value>) {
        for shard in 0..<shardCount where shards.contains(shard) { insert(shard, of: table) }
    }

    /// Adds the locks of all shards of a table.
    mutating func insertAll<Value>(of table: Table<Value>) {
        insert(.all, of: table)
    }

    @usableFromInline func lock() {
        for lock in locks { lock.reference.lock() }
    }

    @usableFromInline func unlock() {
        for lock in locks { lock.reference.unlock() }
    }
}
