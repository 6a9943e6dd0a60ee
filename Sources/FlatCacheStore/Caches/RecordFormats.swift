/// What precedes the members of a stored entity: 20 bytes, numbers in little endian.
///
///     8  the place in the order of insertion
///     8  the time of the last write, in 2⁻²⁰ milliseconds since 1970, or 0 if the entity was marked as stale
///     4  the version of the type
package struct EntityHeader: Equatable {
    package static let size = 20

    package let version: Int
    package let ordinal: UInt64
    package let stamp: UInt64

    init(version: Int, ordinal: UInt64, stamp: UInt64) {
        self.version = version
        self.ordinal = ordinal
        self.stamp = stamp
    }

    /// Reads the header of a record, or returns `nil` if the record is shorter.
    package init?(_ bytes: ArraySlice<UInt8>) {
        let numbers: (ordinal: UInt64, stamp: UInt64, version: UInt32)? = bytes.withUnsafeBytes { bytes in
            bytes.count < Self.size ? nil : (bytes.number(at: 0), bytes.number(at: 8), bytes.number(at: 16))
        }
        guard let numbers else { return nil }
        self.init(version: Int(numbers.version), ordinal: numbers.ordinal, stamp: numbers.stamp)
    }

    /// The time of the last write in milliseconds since 1970, or `nil` if the entity was marked as stale.
    package var milliseconds: UInt64? { stamp == 0 ? nil : stamp >> 20 }

    func write(to bytes: inout [UInt8]) {
        bytes.append(integer: ordinal)
        bytes.append(integer: stamp)
        bytes.append(integer: UInt32(clamping: version))
    }
}

/// A stored list, or a stored reference, which has one identifier.
///
///     1  1 if removed entities are dropped, plus 2 if the list says how many entities aren't evicted, plus 4 if it has gaps,
///        plus 8 if its first page was marked as stale, plus 16 if the app has added identifiers that no page has brought
///     4  the number of these entities, if it says so
///     4  the number of gaps, if it has some, and for each four bytes with the number of identifiers before it
///     4  the number of ranges of identifiers that the app has added, if there are some, and for each range four bytes with the
///        number of identifiers before it and four bytes with its length
///     …  for each identifier four bytes with the length of its key, and the key
struct NameRecord<ID: Codable> {
    let ids: [ID]
    let dropsRemoved: Bool
    let keeps: Int?
    let gaps: [Int]
    let own: [Range<Int>]
    let isStale: Bool

    init(
        ids: [ID],
        dropsRemoved: Bool,
        keeps: Int? = nil,
        gaps: [Int] = [],
        own: [Range<Int>] = [],
        isStale: Bool = false
    ) {
        self.ids = ids
        self.dropsRemoved = dropsRemoved
        self.keeps = keeps
        self.gaps = gaps
        self.own = own
        self.isStale = isStale
    }

    init(_ bytes: ArraySlice<UInt8>) throws {
        guard let flags = bytes.first, flags <= 31 else { throw StoredDataError.truncated }
        var reader = ByteReader(bytes.dropFirst())
        var keeps: Int?
        if flags & 2 != 0 {
            guard let count = reader.integer(UInt32.self) else { throw StoredDataError.truncated }
            keeps = Int(count)
        }
        var gaps: [Int] = []
        if flags & 4 != 0 {
            guard let count = reader.integer(UInt32.self) else { throw StoredDataError.truncated }
            for _ in 0..<count {
                guard let place = reader.integer(UInt32.self) else { throw StoredDataError.truncated }
                gaps.append(Int(place))
            }
        }
        var own: [Range<Int>] = []
        if flags & 16 != 0 {
            guard let count = reader.integer(UInt32.self) else { throw StoredDataError.truncated }
            for _ in 0..<count {
                guard let place = reader.integer(UInt32.self), let length = reader.integer(UInt32.self) else {
                    throw StoredDataError.truncated
                }
                own.append(Int(place)..<Int(place) + Int(length))
            }
        }
        var ids: [ID] = []
        while !reader.rest.isEmpty {
            guard let length = reader.integer(UInt32.self), let key = reader.take(Int(length)) else {
                throw StoredDataError.truncated
            }
            ids.append(try RecordKey.id(as: ID.self, from: key))
        }
        self.init(
            ids: ids,
            dropsRemoved: flags & 1 != 0,
            keeps: keeps,
            gaps: gaps,
            own: own,
            isStale: flags & 8 != 0
        )
    }

    func write(to bytes: inout [UInt8]) throws {
        var flags: UInt8 = dropsRemoved ? 1 : 0
        if keeps != nil { flags |= 2 }
        if !gaps.isEmpty { flags |= 4 }
        if isStale { flags |= 8 }
        if !own.isEmpty { flags |= 16 }
        bytes.append(flags)
        if let keeps { bytes.append(integer: UInt32(clamping: keeps)) }
        if !gaps.isEmpty {
            bytes.append(integer: UInt32(clamping: gaps.count))
            for place in gaps { bytes.append(integer: UInt32(clamping: place)) }
        }
        if !own.isEmpty {
            bytes.append(integer: UInt32(clamping: own.count))
            for places in own {
                bytes.append(integer: UInt32(clamping: places.lowerBound))
                bytes.append(integer: UInt32(clamping: places.count))
            }
        }
        for id in ids {
            let key = try RecordKey.bytes(of: id)
            bytes.append(integer: UInt32(clamping: key.count))
            bytes += key
        }
    }
}

/// What the records of a type need to be read.
///
///     8  the time at which all entities were last marked as stale, or 0
///     4  the version of the type
///     …  the shapes of the entities
package struct StoredSchema {
    /// The key of the only record of its group.
    static let key: ArraySlice<UInt8> = [0]

    package let version: Int
    package let invalidation: UInt64
    package let shapes: ShapeTable

    init(version: Int, invalidation: UInt64, shapes: ShapeTable) {
        self.version = version
        self.invalidation = invalidation
        self.shapes = shapes
    }

    /// Whether the store need not have this instead of another one.
    ///
    /// Shapes are only added.
    func isSame(as other: StoredSchema?) -> Bool {
        version == other?.version && invalidation == other?.invalidation && shapes.count == other?.shapes.count
    }

    package init(_ bytes: ArraySlice<UInt8>) throws {
        var reader = ByteReader(bytes)
        guard let invalidation = reader.integer(UInt64.self), let version = reader.integer(UInt32.self) else {
            throw StoredDataError.truncated
        }
        var shapes = ShapeTable()
        try shapes.add(reader.rest)
        self.init(version: Int(version), invalidation: invalidation, shapes: shapes)
    }

    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(integer: invalidation)
        bytes.append(integer: UInt32(clamping: version))
        bytes += shapes.bytes()
        return bytes
    }
}

/// The reason why a record can't be read.
enum StoredDataError: Error, Equatable, CustomStringConvertible {
    case truncated
    case newerVersion(Int)
    case otherIdentifier
    case tooLarge(Int)

    var description: String {
        switch self {
        case .truncated: "the record is shorter than its content"
        case .newerVersion(let version): "the record is of version \(version), which this program doesn't know"
        case .tooLarge(let size): "it has \(size) bytes, and 536870912 are allowed"
        case .otherIdentifier: "the entity has another identifier than its record"
        }
    }
}

/// Reads numbers and bytes from the beginning of a slice.
struct ByteReader {
    private(set) var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) {
        rest = bytes
    }

    /// Takes some bytes, or returns `nil` if there are fewer.
    mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
        guard count <= rest.count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    /// Takes a number in little endian, or returns `nil` if there are too few bytes.
    mutating func integer<Number: FixedWidthInteger>(_ type: Number.Type) -> Number? {
        take(MemoryLayout<Number>.size)?.withUnsafeBytes { Number(littleEndian: $0.loadUnaligned(as: Number.self)) }
    }
}

extension [UInt8] {
    /// Appends a number in little endian.
    mutating func append(integer: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: integer.littleEndian) { append(contentsOf: $0) }
    }
}
