import SeededRandom

@testable import FlatCacheStore

/// A random value that encodes itself by all methods of all containers.
indirect enum RandomTree: Encodable {
    case null
    case bool(Bool)
    case int(Int)
    case byte(UInt8)
    case double(Double)
    case string(String)
    /// A value that is encoded by single value containers inside each other.
    case wrapped(RandomTree)
    case letters([(Letter, RandomTree)])
    case names([(String, RandomTree)])
    case list([RandomTree])

    init(_ random: inout SeededGenerator, depth: Int = 5) {
        switch random.below(depth > 0 ? 12 : 7) {
        case 0: self = .null
        case 1: self = .bool(random.below(2) == 0)
        case 2: self = .int(Int(truncatingIfNeeded: random.next() >> UInt64(random.below(64))))
        case 3: self = .byte(UInt8(random.below(256)))
        case 4: self = .double(Double(random.below(1_000_000)) / 8)
        case 5, 6: self = .string(random.text())
        case 7: self = .wrapped(RandomTree(&random, depth: depth - 1))
        case 8, 9:
            let keys: [Letter] = [.a, .b, .c, .d]
            self = .letters(
                Self.members(&random, count: random.below(6)) { random in
                    (random.pick(from: keys), RandomTree(&random, depth: depth - 1))
                }
            )
        case 10:
            self = .names(
                Self.members(&random, count: random.below(random.pick(from: [4, 30]))) { random in
                    ("key \(random.below(40))", RandomTree(&random, depth: depth - 3))
                }
            )
        default: self = .list((0..<random.below(5)).map { _ in RandomTree(&random, depth: depth - 1) })
        }
    }

    /// Makes members.
    ///
    /// A name occurs again only if its values are scalars: of others, JSONEncoder stops the process or joins the values.
    private static func members<Name: Hashable>(
        _ random: inout SeededGenerator,
        count: Int,
        _ member: (inout SeededGenerator) -> (Name, RandomTree)
    ) -> [(Name, RandomTree)] {
        var areScalars: [Name: Bool] = [:]
        return (0..<count).compactMap { _ in
            let member = member(&random)
            guard let isScalar = areScalars[member.0] else {
                areScalars[member.0] = member.1.isScalar
                return member
            }
            return isScalar && member.1.isScalar ? member : nil
        }
    }

    private var isScalar: Bool {
        switch self {
        case .letters, .names, .list, .wrapped: false
        default: true
        }
    }

    func encode(to encoder: any Encoder) throws {
        switch self {
        case .letters(let members):
            var container = encoder.container(keyedBy: Letter.self)
            try Self.encode(members, into: &container)
        case .names(let members):
            var container = encoder.container(keyedBy: NameKey.self)
            try Self.encode(members.map { (NameKey($0.0), $0.1) }, into: &container)
        case .list(let values):
            var container = encoder.unkeyedContainer()
            try Self.encode(values, into: &container)
        default:
            var container = encoder.singleValueContainer()
            try encode(into: &container)
        }
    }

    private func encode(into container: inout any SingleValueEncodingContainer) throws {
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .int(let value): try container.encode(value)
        case .byte(let value): try container.encode(value)
        case .double(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .wrapped(let value): try container.encode(value)
        case .letters, .names, .list: break
        }
    }

    /// Encodes members.
    ///
    /// Those with containers get nested ones or super encoders, which are written only after all others.
    private static func encode<Key: CodingKey>(
        _ members: [(Key, RandomTree)],
        into container: inout KeyedEncodingContainer<Key>
    ) throws {
        var later: [() throws -> Void] = []
        for (key, value) in members {
            switch value {
            case .letters(let members) where members.count > 2:
                var nested = container.nestedContainer(keyedBy: Letter.self, forKey: key)
                later.append { try encode(members, into: &nested) }
            case .list(let values) where values.count > 2:
                var nested = container.nestedUnkeyedContainer(forKey: key)
                later.append { try encode(values, into: &nested) }
            case .wrapped(let value):
                let encoder = container.superEncoder(forKey: key)
                later.append { try value.encode(to: encoder) }
            case .int(let number): try container.encode(number, forKey: key)
            case .string(let text): try container.encode(text, forKey: key)
            case .null: try container.encodeIfPresent(Int?.none, forKey: key)
            default: try container.encodeIfPresent(value, forKey: key)
            }
        }
        for body in later { try body() }
    }

    /// Encodes elements, without super encoders, whose values JSONEncoder puts in another place.
    private static func encode(_ values: [RandomTree], into container: inout any UnkeyedEncodingContainer) throws {
        var later: [() throws -> Void] = []
        for value in values {
            switch value {
            case .names(let members):
                var nested = container.nestedContainer(keyedBy: NameKey.self)
                later.append { try encode(members.map { (NameKey($0.0), $0.1) }, into: &nested) }
            case .list(let values) where values.count > 2:
                var nested = container.nestedUnkeyedContainer()
                later.append { try encode(values, into: &nested) }
            case .null: try container.encodeNil()
            default: try container.encode(value)
            }
        }
        for body in later.reversed() { try body() }
    }
}
