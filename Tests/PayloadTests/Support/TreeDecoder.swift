import FlatCache

/// A value of any kind, and the input of ``TreeDecoder``.
indirect enum Tree: Equatable, Sendable {
    case null
    case bool(Bool)
    case number(Double)
    case text(String)
    case array([Tree])
    case object([String: Tree])
}

extension Tree: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral {
    init(stringLiteral text: String) { self = .text(text) }
    init(integerLiteral number: Int) { self = .number(Double(number)) }
    init(booleanLiteral bool: Bool) { self = .bool(bool) }
}

extension Tree: ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral, ExpressibleByNilLiteral {
    init(arrayLiteral elements: Tree...) { self = .array(elements) }
    init(dictionaryLiteral members: (String, Tree)...) { self = .object(Dictionary(members) { $1 }) }
    init(nilLiteral: ()) { self = .null }
}

/// The decoder below decodes it itself, as others do with values that only their format has.
extension Tree: PayloadLeaf {
    init(from decoder: any Decoder) throws {
        throw DecodingError.typeMismatch(
            Tree.self,
            .init(codingPath: decoder.codingPath, debugDescription: "\(type(of: decoder)) doesn't have such values")
        )
    }
}

/// A decoder that isn't Foundation's, and behaves differently where the protocols leave it open.
struct TreeDecoder: Decoder {
    let tree: Tree
    var codingPath: [any CodingKey] = []
    var userInfo: [CodingUserInfoKey: Any] = [:]
    /// Whether an array advances to the next element before it decodes, so that it also does when that fails.
    var advancesOnFailure = false

    static func decode<Value: Decodable>(
        _ type: Value.Type,
        _ tree: Tree,
        userInfo: [CodingUserInfoKey: Any] = [:],
        advancesOnFailure: Bool = false
    ) throws -> Value {
        try Value(from: TreeDecoder(tree: tree, userInfo: userInfo, advancesOnFailure: advancesOnFailure))
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard case .object(let members) = tree else { throw mismatch([String: Any].self) }
        return KeyedDecodingContainer(Members(members: members, decoder: self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard case .array(let elements) = tree else { throw mismatch([Any].self) }
        return Elements(elements: elements, decoder: self)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { Single(decoder: self) }

    func mismatch(_ type: any Any.Type) -> DecodingError {
        .typeMismatch(type, .init(codingPath: codingPath, debugDescription: "\(tree) is no \(type)"))
    }

    func nested(_ tree: Tree, _ key: any CodingKey) -> TreeDecoder {
        TreeDecoder(
            tree: tree,
            codingPath: codingPath + [key],
            userInfo: userInfo,
            advancesOnFailure: advancesOnFailure
        )
    }

    struct Single: SingleValueDecodingContainer {
        let decoder: TreeDecoder

        var codingPath: [any CodingKey] { decoder.codingPath }

        func decodeNil() -> Bool { decoder.tree == .null }

        func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
            if let tree = decoder.tree as? Value { return tree }
            let scalar: Any? =
                switch (decoder.tree, type) {
                case (.bool(let bool), _): bool
                case (.text(let text), _): text
                case (.number(let number), let type as any BinaryInteger.Type): type.init(exactly: number)
                case (.number(let number), is Float.Type): Float(number)
                case (.number(let number), _): number
                default: nil
                }
            if let scalar, let value = scalar as? Value { return value }
            let isScalar = type is Bool.Type || type is String.Type || type is any Numeric.Type
            if !isScalar { return try Value(from: decoder) }
            throw decoder.mismatch(type)
        }
    }

    struct Members<Key: CodingKey>: KeyedDecodingContainerProtocol {
        let members: [String: Tree]
        let decoder: TreeDecoder

        var codingPath: [any CodingKey] { decoder.codingPath }
        var allKeys: [Key] { members.keys.sorted().compactMap { Key(stringValue: $0) } }

        func contains(_ key: Key) -> Bool { members[key.stringValue] != nil }

        func member(_ key: some CodingKey) throws -> TreeDecoder {
            guard let tree = members[key.stringValue] else {
                throw DecodingError.keyNotFound(key, .init(codingPath: codingPath, debugDescription: "absent"))
            }
            return decoder.nested(tree, key)
        }

        func decodeNil(forKey key: Key) throws -> Bool { try member(key).tree == .null }

        func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
            try member(key).singleValueContainer().decode(type)
        }

        func nestedContainer<Nested: CodingKey>(
            keyedBy type: Nested.Type,
            forKey key: Key
        ) throws -> KeyedDecodingContainer<Nested> { try member(key).container(keyedBy: type) }

        func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
            try member(key).unkeyedContainer()
        }

        func superDecoder() throws -> any Decoder { try member(Super.super) }
        func superDecoder(forKey key: Key) throws -> any Decoder { try member(key) }
    }

    enum Super: CodingKey { case `super` }

    struct Elements: UnkeyedDecodingContainer {
        let elements: [Tree]
        let decoder: TreeDecoder
        var currentIndex = 0

        var codingPath: [any CodingKey] { decoder.codingPath }
        var count: Int? { nil }
        var isAtEnd: Bool { currentIndex == elements.count }

        mutating func decodeNil() throws -> Bool {
            if isAtEnd || elements[currentIndex] != .null { return false }
            currentIndex += 1
            return true
        }

        mutating func next<Result>(_ read: (TreeDecoder) throws -> Result) throws -> Result {
            guard !isAtEnd else {
                throw DecodingError.valueNotFound(
                    Result.self,
                    .init(codingPath: codingPath, debugDescription: "at the end")
                )
            }
            let element = decoder.nested(elements[currentIndex], Index(intValue: currentIndex))
            if decoder.advancesOnFailure { currentIndex += 1 }
            let result = try read(element)
            if !decoder.advancesOnFailure { currentIndex += 1 }
            return result
        }

        mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
            try next { try $0.singleValueContainer().decode(type) }
        }

        mutating func nestedContainer<Nested: CodingKey>(
            keyedBy type: Nested.Type
        ) throws -> KeyedDecodingContainer<Nested> { try next { try $0.container(keyedBy: type) } }

        mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
            try next { try $0.unkeyedContainer() }
        }

        mutating func superDecoder() throws -> any Decoder { try next { $0 } }
    }

    struct Index: CodingKey {
        var stringValue: String { "Index \(intValue ?? 0)" }
        let intValue: Int?

        init(intValue: Int) { self.intValue = intValue }
        init?(stringValue: String) { nil }
    }
}
