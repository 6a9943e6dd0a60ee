/// The hash of an identifier, computed once for an operation; its parts choose shard, bucket and tag.
@frozen @usableFromInline
struct HashedID: Equatable {
    @usableFromInline let bits: UInt32

    @inlinable
    init<ID: Hashable>(_ id: ID) {
        // The comparison is decided when the call is specialized.
        if ID.self == String.self {
            bits = UInt32(truncatingIfNeeded: StringHash.hash(unsafeBitCast(id, to: String.self)))
        } else {
            bits = UInt32(truncatingIfNeeded: id.hashValue)
        }
    }

    /// The shard: the topmost bits, which the bucket uses only in tables of billions.
    @inlinable
    var shard: Int { Int(truncatingIfNeeded: bits >> UInt32(UInt32.bitWidth - shardBits)) }

    /// The tag that stands for the identifier in an index; never 0, which marks an empty bucket.
    @inlinable
    var tag: UInt8 { UInt8(truncatingIfNeeded: bits >> UInt32(UInt32.bitWidth - shardBits - 7)) | 0x80 }

    /// What chooses the bucket, in the form in which a slot remembers it.
    @inlinable
    var bucket: UInt32 { bits }
}

/// The number of bits of a hash that choose the shard.
@usableFromInline let shardBits = 4

/// The number of shards of a table: more than the cores of most devices, few enough to lock all of them.
@usableFromInline let shardCount = 1 << shardBits

/// The types of identifiers whose `==` and `hash(into:)` are those of the toolchain, so that they may run under a lock.
///
/// All other identifiers are compared when no lock is held, because their code may use a cache.
enum BuiltInIDs {
    /// Whether a type is one of them; asked once for each table.
    static func contains(_ type: Any.Type) -> Bool {
        let types: [Any.Type] = [
            String.self, Substring.self, Character.self, Bool.self, Double.self, Float.self, ObjectIdentifier.self,
            Int.self, Int8.self, Int16.self, Int32.self, Int64.self,
            UInt.self, UInt8.self, UInt16.self, UInt32.self, UInt64.self,
        ]
        if types.contains(where: { $0 == type }) { return true }
        // The library doesn't import Foundation; nobody else can have a type in these modules.
        let name = String(reflecting: type)
        return name == "Foundation.UUID" || name == "FoundationEssentials.UUID"
    }
}
