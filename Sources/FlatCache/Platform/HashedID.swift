/// The hash of an identifier, computed once per operation, whose parts choose the shard, bucket and tag.
@frozen @usableFromInline
struct HashedID: Equatable {
    @usableFromInline let bits: UInt32

    @inlinable
    init<ID: Hashable>(_ id: ID) {
        // The comparison is evaluated when the call is specialized.
        if ID.self == String.self {
            bits = UInt32(truncatingIfNeeded: StringHash.hash(unsafeBitCast(id, to: String.self)))
        } else {
            bits = UInt32(truncatingIfNeeded: id.hashValue)
        }
    }

    /// The number of the shard, from the highest bits, which buckets use only in tables of billions.
    @inlinable
    var shard: Int { Int(truncatingIfNeeded: bits >> UInt32(UInt32.bitWidth - shardBits)) }

    /// The tag of the identifier in an index, which is never 0, because 0 marks an empty bucket.
    var tag: UInt8 { UInt8(truncatingIfNeeded: bits >> UInt32(UInt32.bitWidth - shardBits - 7)) | 0x80 }

    /// The bits that choose the bucket, which a slot stores.
    @inlinable
    var bucket: UInt32 { bits }
}

/// The number of bits of a hash that choose the shard.
@usableFromInline let shardBits = 4

/// The number of shards of a table, which is more than the cores of most devices and small enough to lock all of them.
@usableFromInline let shardCount = 1 << shardBits

/// The types of identifiers with the `==` and `hash(into:)` of the toolchain, which may run under a lock.
///
/// All other identifiers are compared when no lock is held, because their code may use a cache.
enum BuiltInIDs {
    /// Whether a type is built in, computed once for each table.
    static func contains(_ type: Any.Type) -> Bool {
        let types: [Any.Type] = [
            String.self, Substring.self, Character.self, Bool.self, Double.self, Float.self, ObjectIdentifier.self,
            Int.self, Int8.self, Int16.self, Int32.self, Int64.self,
            UInt.self, UInt8.self, UInt16.self, UInt32.self, UInt64.self,
        ]
        if types.contains(where: { $0 == type }) { return true }
        if let type = type as? any ComposedID.Type { return type.parts.allSatisfy(contains) }
        // The library doesn't import Foundation. Other code can't declare a type in these modules.
        let name = String(reflecting: type)
        return name == "Foundation.UUID" || name == "FoundationEssentials.UUID"
    }
}

/// Whether the `==` and `hash(into:)` of a type are those of the toolchain, so that they may run under a lock.
@usableFromInline func hasBuiltInComparison(_ type: Any.Type) -> Bool { BuiltInIDs.contains(type) }

/// A type whose `==` and `hash(into:)` run no other code than those of its parts.
protocol ComposedID {
    /// The types of the parts.
    static var parts: [Any.Type] { get }
}

extension Optional: ComposedID {
    static var parts: [Any.Type] { [Wrapped.self] }
}
