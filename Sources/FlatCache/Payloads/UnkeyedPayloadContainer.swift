/// The elements of an array in a payload.
final class UnkeyedPayloadContainer: UnkeyedDecodingContainer {
    private var base: any UnkeyedDecodingContainer
    private let reading: PayloadReading
    /// The relationship whose identifiers are the elements, or `nil` if they are other values.
    private let relation: RelationReader?

    /// Whether a container that fails to decode an element doesn't advance.
    private let keepsElementOnFailure: Bool
    /// A copy of the base container that is behind it, for elements that were decoded as objects.
    private var trailing: (any UnkeyedDecodingContainer)?
    /// The last decoder of such an element.
    private var objectDecoder: (index: Int, decoder: any Decoder)?

    init(_ base: any UnkeyedDecodingContainer, _ reading: PayloadReading, of relation: RelationReader? = nil) {
        self.base = base
        self.reading = reading
        self.relation = relation
        keepsElementOnFailure = base is LinkageElements || PayloadLeaves.isOfFoundation(type(of: base))
    }

    var codingPath: [any CodingKey] { base.codingPath }

    var count: Int? { base.count }

    var isAtEnd: Bool {
        reading.dropFailedAttempt()
        return base.isAtEnd
    }

    var currentIndex: Int { base.currentIndex }

    func decodeNil() throws -> Bool {
        reading.dropFailedAttempt()
        return try base.decodeNil()
    }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        reading.dropFailedAttempt()
        if let identifier = try relation?.readElement(type, of: self) { return identifier }
        return try decode(with: reading.reader(of: type))
    }

    // The protocol's own methods for these types throw an error.
    func decode(_ type: Int128.Type) throws -> Int128 {
        reading.dropFailedAttempt()
        return try base.decode(type)
    }

    func decode(_ type: UInt128.Type) throws -> UInt128 {
        reading.dropFailedAttempt()
        return try base.decode(type)
    }

    func decodeIfPresent<Value: Decodable>(_ type: Value.Type) throws -> Value? {
        reading.dropFailedAttempt()
        return try base.isAtEnd || base.decodeNil() ? nil : decode(type)
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type
    ) throws -> KeyedDecodingContainer<NestedKey> {
        reading.dropFailedAttempt()
        let nested = try base.nestedContainer(keyedBy: AnyCodingKey.self)
        return KeyedDecodingContainer(KeyedPayloadContainer<NestedKey>(nested, reading, of: nil))
    }

    func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        reading.dropFailedAttempt()
        return UnkeyedPayloadContainer(try base.nestedUnkeyedContainer(), reading)
    }

    func superDecoder() throws -> any Decoder {
        reading.dropFailedAttempt()
        return PayloadDecoder(.decoder(try base.superDecoder()), reading)
    }
}

extension UnkeyedPayloadContainer {
    /// Decodes the next element with a reader.
    func decode<Value>(with reader: PayloadReader<Value>) throws -> Value {
        if reader.isLeaf { return try base.decode(Value.self) }
        return try decode { try reader.read(from: $0) }
    }

    /// Runs a body with a decoder of the next element.
    func decode<Result>(_ body: @escaping (PayloadDecoder) throws -> Result) throws -> Result {
        let (proxy, results) = try PayloadProxy.decode {
            try base.decode(PayloadProxy.self)
        } _: { [reading] decoder in
            try body(PayloadDecoder(.decoder(decoder), reading))
        }
        return results[proxy.place]
    }

    /// The next element as an object, or `nil` if it is another value, which is then still the next element.
    ///
    /// It is also `nil` if the user's decoder may advance when the element is another value. The decoders of Foundation
    /// don't.
    func object() -> PayloadDecoder? {
        guard keepsElementOnFailure else { return nil }
        if trailing == nil { trailing = base }
        let index = base.currentIndex
        guard let object = try? base.nestedContainer(keyedBy: AnyCodingKey.self) else { return nil }
        return PayloadDecoder(.element(self, index: index), reading, in: object)
    }

    /// A decoder of an element that was decoded as an object, if it is the last one.
    ///
    /// - Complexity: O(*n*) for all *n* elements, because the copy of the container skips the elements between.
    func decoder(at index: Int) throws -> any Decoder {
        if let objectDecoder, objectDecoder.index == index { return objectDecoder.decoder }
        while let behind = trailing?.currentIndex, behind < index {
            _ = try trailing?.decode(SkippedElement.self)
        }
        guard trailing?.currentIndex == index, let decoder = try trailing?.superDecoder() else {
            throw DecodingError.object(insteadOf: Any.self, at: codingPath + [AnyCodingKey(index: index)])
        }
        objectDecoder = (index, decoder)
        return decoder
    }

    /// Runs a body with the next element, which should be an object.
    func decodeObject<Result>(_ body: @escaping (PayloadDecoder) throws -> Result) throws -> Result {
        // The container of an object is cheaper than its decoder.
        if let object = object() { return try body(object) }
        return try decode(body)
    }

    /// The next element as a value that can't contain entities, or `nil` if it isn't one.
    ///
    /// If it is `nil`, the element is still the next one.
    func leaf<Value: Decodable>(_ type: Value.Type) -> Value? {
        keepsElementOnFailure ? try? base.decode(type) : nil
    }

    /// Calls a body for each remaining element, and skips the elements for which it throws.
    ///
    /// - Parameters:
    ///   - type: The type of the elements, for problems.
    ///   - body: A closure that decodes the next element.
    func forEach(of type: Any.Type, _ body: () throws -> Void) throws {
        while !base.isAtEnd {
            let index = base.currentIndex
            do { try body() } catch {
                reading.noteLoss(error, of: type, at: base.codingPath + [AnyCodingKey(index: index)])
                try skip(from: index)
            }
        }
    }

    /// Skips the element that could not be decoded, if the base container hasn't done that.
    private func skip(from index: Int) throws {
        guard base.currentIndex == index else { return }
        _ = try base.decode(SkippedElement.self)
        if base.currentIndex != index { return }
        throw DecodingError.dataCorrupted(
            DecodingError.Context(codingPath: base.codingPath, debugDescription: "The decoder can't skip an element.")
        )
    }
}

/// An element of any kind that isn't decoded.
struct SkippedElement: Decodable {
    init(from decoder: any Decoder) {}
}
