/// The reader of values of one type in a payload.
///
/// Subclasses read entities, collections and other values. The class is generic over the value, so that results need no
/// boxes.
class PayloadReader<Value: Decodable> {
    /// Whether the decoder of the user decodes values of the type by itself, because they can't contain entities.
    var isLeaf: Bool { false }

    /// Whether a payload can leave out members of a value that are kept: not of entities, which are merged themselves, and not
    /// of elements, which have no identity.
    var canBePartial: Bool { true }

    /// Whether the keys of the type's values are known, if these can be partial.
    private(set) final lazy var knowsKeys = MemberKeys.known(of: Value.self) != nil

    /// Records the keys that a complete decoding of a value has asked for.
    final func learn(_ requests: [(name: String, type: any Decodable.Type)]) {
        MemberKeys.learn(requests, of: Value.self)
        knowsKeys = true
    }

    /// Reads a value.
    ///
    /// - Throws: An error of the decoder or of user code, if the value can't be made.
    func read(from decoder: PayloadDecoder) throws -> Value {
        try decoder.reading.descend(at: decoder.codingPath) { try Value(from: decoder) }
    }

    /// Reads a value with relationships.
    ///
    /// - Throws: An error of the decoder or of user code. The entities nested in the value are collected.
    final func read(from decoder: PayloadDecoder, of frame: EntityFrame) throws -> Value {
        let decoder = decoder.of(frame)
        let mark = decoder.reading.mark
        do {
            return try decoder.reading.descend(at: decoder.codingPath) { try Value(from: decoder) }
        } catch {
            frame.collectUnvisited(in: decoder, since: mark)
            throw error
        }
    }

    /// Reads the next element of an array.
    ///
    /// - Returns: The element, or `nil` if it is an incomplete entity.
    func readElement(of elements: UnkeyedPayloadContainer) throws -> Value? { try elements.decode(with: self) }

    /// Reads a value of a dictionary, or an optional member.
    ///
    /// - Returns: The value, or `nil` if it is an incomplete entity, or a union around one.
    func readValue(from decoder: PayloadDecoder) throws -> Value? {
        do { return try read(from: decoder) } catch {
            let codingPath = decoder.codingPath
            guard decoder.reading.isIncompleteness(error, at: codingPath) else { throw error }
            decoder.reading.noteLoss(error, of: Value.self, at: codingPath)
            return nil
        }
    }

    /// Collects an entity or patch whose `init(from:)` was called with the decoder of another value.
    ///
    /// - Returns: The frame of the value for the running `init(from:)`, which collects nothing, and whether the value was
    ///   collected.
    func collectEscaped(_ object: PayloadDecoder, scratch: PayloadReading) -> (EntityFrame?, isCollected: Bool) {
        (nil, false)
    }

    /// Reads the root of a payload.
    func readRoot(from decoder: PayloadDecoder) throws -> PayloadRoot<Value> { PlainRoot(try read(from: decoder)) }

    /// Reads an array at the root of a payload, or returns `nil` if the elements aren't entities.
    func readRootArray(from decoder: PayloadDecoder) throws -> PayloadRoot<[Value]>? { nil }

    /// Reads a dictionary at the root of a payload, or returns `nil` if the values aren't entities.
    func readRootDictionary<Key: Decodable & Hashable>(
        keyedBy type: Key.Type,
        from decoder: PayloadDecoder
    ) throws -> PayloadRoot<[Key: Value]>? { nil }
}

/// The reader of values that can't contain entities.
final class LeafReader<Value: Decodable>: PayloadReader<Value> {
    override var isLeaf: Bool { true }
    override var canBePartial: Bool { false }

    override func read(from decoder: PayloadDecoder) throws -> Value {
        try decoder.singleValueContainer().decode(Value.self)
    }
}

/// The reader of values that aren't entities, and whose relationships accept nested entities.
final class LinkingReader<Value: Decodable>: PayloadReader<Value> {
    private unowned let reading: PayloadReading
    /// The relationships, created with the first value, because values and entities can contain each other.
    private lazy var relations = reading.relations(of: Value.self)

    init(in reading: PayloadReading) {
        self.reading = reading
    }

    override func read(from decoder: PayloadDecoder) throws -> Value {
        guard let frame = decoder.entity else { return try read(from: decoder, of: EntityFrame(Value.self, relations)) }
        frame.add(Value.self, in: reading)
        return try read(from: decoder, of: frame)
    }
}

/// A type whose values decoders decode specially, so that a payload passes them to the decoder unchanged.
///
/// Payloads recognise such types of the standard library and of Foundation. Conform the types that another decoder
/// handles itself, such as a tagged value of CBOR. A value of the type can't contain entities.
public protocol PayloadLeaf: Decodable {}

/// The creation of readers.
enum PayloadReaders {
    static func make<Value: Decodable>(of type: Value.Type, in reading: PayloadReading) -> PayloadReader<Value> {
        let reader: AnyObject
        if let entity = type as? any (Cachable & Decodable).Type {
            reader = makeEntityReader(of: entity, in: reading)
        } else if let patch = type as? any (EntityPatch & Decodable).Type {
            reader = makePatchReader(of: patch, in: reading)
        } else if let collection = type as? any PayloadContainer.Type {
            reader = collection.makeReader(in: reading)
        } else if type is any FlatCache.PayloadOwner.Type {
            reader = LinkingReader<Value>(in: reading)
        } else if PayloadLeaves.contains(type) {
            reader = LeafReader<Value>()
        } else {
            reader = PayloadReader<Value>()
        }
        // Each reader was made for the type.
        return unsafeDowncast(reader, to: PayloadReader<Value>.self)
    }

    private static func makeEntityReader<Entity: Cachable & Decodable>(
        of type: Entity.Type,
        in reading: PayloadReading
    ) -> AnyObject {
        EntityReader<Entity>(in: reading)
    }

    private static func makePatchReader<Patch: EntityPatch & Decodable>(
        of type: Patch.Type,
        in reading: PayloadReading
    ) -> AnyObject {
        PatchReader<Patch>(in: reading)
    }
}

/// The types whose values can't contain entities.
enum PayloadLeaves {
    private static let lock = Lock()
    nonisolated(unsafe) private static var known: [ObjectIdentifier: Bool] = [:]

    /// Whether values of a type, which isn't a collection, can't contain entities.
    static func contains(_ type: any Decodable.Type) -> Bool {
        if let answer = lock.withLock({ known[ObjectIdentifier(type)] }) { return answer }
        let answer = isLeaf(type)
        lock.withLock { known[ObjectIdentifier(type)] = answer }
        return answer
    }

    /// Whether a type is declared in Foundation.
    static func isOfFoundation(_ type: any Any.Type) -> Bool {
        if let answer = lock.withLock({ known[ObjectIdentifier(type)] }) { return answer }
        let answer = _typeName(type, qualified: true).hasPrefix("Foundation")
        lock.withLock { known[ObjectIdentifier(type)] = answer }
        return answer
    }

    private static func isLeaf(_ type: any Decodable.Type) -> Bool {
        if type is any PayloadLeaf.Type { return true }
        if let type = type as? any RawRepresentable.Type { return hasLeafRawValue(type) }
        // A generic type of the standard library can contain entities: `Swift.ContiguousArray<Blog.Post>`.
        let names = _typeName(type, qualified: true).split { !$0.isLetter && !$0.isNumber && $0 != "." && $0 != "_" }
        return names.allSatisfy { name in modules.contains { name.hasPrefix($0) } }
    }

    private static func hasLeafRawValue<Value: RawRepresentable>(_ type: Value.Type) -> Bool {
        guard let rawType = Value.RawValue.self as? any Decodable.Type else { return false }
        return isLeaf(rawType)
    }

    private static let modules = ["Swift.", "Foundation.", "FoundationEssentials.", "FoundationInternationalization."]
}
