/// The hash of an identifier, computed once for an operation; its parts choose shard, bucket and tag.
@frozen @usableFromInline
struct HashedID {
    @usableFromInline let bits: UInt

    @inlinable
    init<ID: Hashable>(_ id: ID) {
        // The comparison is decided when the call is specialized.
        if ID.self == String.self {
            bits = StringHash.hash(unsafeBitCast(id, to: String.self))
        } else {
            bits = UInt(bitPattern: id.hashValue)
        }
    }

    /// The shard: the topmost bits, which the bucket doesn't use.
    @inlinable
    var shard: Int { Int(truncatingIfNeeded: bits >> UInt(UInt.bitWidth - shardBits)) }

    /// The tag that stands for the identifier in an index; never 0, which marks an empty bucket.
    @inlinable
    var tag: UInt8 { UInt8(truncatingIfNeeded: bits >> UInt(UInt.bitWidth - shardBits - 7)) | 0x80 }

    /// The part that chooses the bucket, in the form in which a slot remembers it.
    @inlinable
    var bucket: UInt32 { UInt32(truncatingIfNeeded: bits) }
}

/// The number of bits of a hash that choose the shard.
@usableFromInline let shardBits = 4

/// The number of shards of a table: more than the cores of most devices, few enough to lock all of them.
@usableFromInline let shardCount = 1 << shardBits
