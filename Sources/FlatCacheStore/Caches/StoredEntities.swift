/// Records of entities of one type, which code that is specialized for the type reads.
///
/// A store knows the types of its entities at run time only, and code that isn't specialized takes 11,000 instructions more
/// for an entity. So a conformance to ``Storable`` brings ``Storable/_restore(_:in:)``, which is compiled in the module of the type.
/// All that is the same for each type is here.
///
/// One thread at a time uses it.
public final class _StoredEntities {
    private let records: [StoredRecord]
    private let type: any Storable.Type
    private let shapes: ShapeTable
    /// Whether what is stored of an entity is decoded by the single value container; see ``ValueReader/hasOwnForm(_:)``.
    private let isScalar: Bool
    /// The time at which all entities were last marked as stale.
    private let invalidation: UInt64
    /// The current time in milliseconds since 1970.
    @usableFromInline let time: UInt64
    /// Whether a record was read whose entity is marked as stale.
    @usableFromInline private(set) var hasStaleOnes = false
    /// The errors of the entities that couldn't be read.
    private(set) var errors: [StoreError] = []

    init(
        _ records: [StoredRecord],
        of type: any Storable.Type,
        shapes: ShapeTable,
        invalidation: UInt64,
        at time: UInt64
    ) {
        self.records = records
        self.type = type
        self.shapes = shapes
        self.invalidation = invalidation
        self.time = time
        isScalar = type.hasScalarForm
    }

    /// Calls a closure with each entity.
    ///
    /// If the entity can't be read, or the closure throws, the error is one of ``errors``.
    ///
    /// - Parameter body: A closure that decodes the entity.
    @usableFromInline func forEach(_ body: (StoredEntity) throws -> Void) {
        let version = type.storedVersion
        var use = ReaderUse(shapes: shapes)
        // A record isn't a variable, because copies count references.
        for place in records.indices {
            do {
                guard let header = EntityHeader(records[place].value) else { throw StoredDataError.truncated }
                if header.version > version { throw StoredDataError.newerVersion(header.version) }
                var bytes = records[place].value.dropFirst(EntityHeader.size)
                if header.version < version {
                    var members = try StoredMembers(bytes, shapes: shapes)
                    try type.migrate(&members, from: header.version)
                    bytes = members.record[...]
                }
                let isStale = header.stamp <= invalidation
                try use.read(bytes) { reader in
                    try body(
                        StoredEntity(
                            decoder: ValueDecoder(reader: reader, position: 0, depth: 1),
                            isScalar: isScalar,
                            key: records[place].key,
                            ordinal: header.ordinal,
                            stamp: isStale ? 0 : header.stamp
                        )
                    )
                }
                if isStale { hasStaleOnes = true }
            } catch {
                errors.append(.unreadable(type, .entities, key: type.text(of: records[place].key, .entities), error))
            }
        }
    }
}

/// An entity as its record.
@frozen @usableFromInline
struct StoredEntity {
    /// The decoder of what is stored of the entity.
    @usableFromInline let decoder: any Decoder
    /// Whether the decoder's single value container is needed.
    @usableFromInline let isScalar: Bool
    @usableFromInline let key: ArraySlice<UInt8>
    /// Its place in the order of insertion.
    @usableFromInline let ordinal: UInt64
    /// The time of the last write, in 2⁻²⁰ milliseconds since 1970, or 0 if it is marked as stale.
    @usableFromInline let stamp: UInt64

    /// Decodes the entity.
    ///
    /// - Throws: The error of the type, or an error if the entity has another identifier than its record.
    @inlinable func value<Value: Storable>(as type: Value.Type) throws -> Value {
        // What is decoded isn't a variable, which would be copied.
        let value = try Value(storedForm: form(as: Value.StoredForm.self))
        try checkKey(of: value.id)
        return value
    }

    @inlinable func form<Form: Decodable>(as type: Form.Type) throws -> Form {
        isScalar ? try decoder.singleValueContainer().decode(type) : try Form(from: decoder)
    }

    @inlinable func checkKey<ID: Codable>(of id: ID) throws {
        // The comparison is evaluated when the code is specialized.
        if ID.self == String.self, isKey(ofText: unsafeBitCast(id, to: String.self)) { return }
        try checkEncodedKey(of: id)
    }

    @usableFromInline func isKey(ofText text: String) -> Bool { RecordKey.isKey(key, ofASCII: text) }

    @usableFromInline func checkEncodedKey<ID: Codable>(of id: ID) throws {
        guard try RecordKey.bytes(of: id)[...] == key else { throw StoredDataError.otherIdentifier }
    }
}

extension Storable {
    /// Whether what is stored is of a type that a decoder must not create by `init(from:)`.
    fileprivate static var hasScalarForm: Bool { ValueReader.hasOwnForm(StoredForm.self) }

    /// The text of a key, for messages.
    static func text(of key: ArraySlice<UInt8>, _ kind: RecordGroup.Kind) -> String {
        let isOfEntity = kind == .entities || kind == .replacements || kind == .mergeBases
        if isOfEntity, let id = try? RecordKey.id(as: ID.self, from: key) {
            return String(reflecting: id)
        }
        if let name = try? RecordKey.id(as: String.self, from: key) { return String(reflecting: name) }
        return "with the key \(Array(key))"
    }
}
