/// A type of the standard library whose values contain others, which can be entities.
protocol PayloadContainer: Decodable {
    /// Creates a reader of the type, as a `PayloadReader<Self>`.
    static func makeReader(in reading: PayloadReading) -> AnyObject
}

extension Optional: PayloadContainer where Wrapped: Decodable {
    static func makeReader(in reading: PayloadReading) -> AnyObject {
        let wrapped = reading.reader(of: Wrapped.self)
        return wrapped.isLeaf ? LeafReader<Self>() : OptionalReader(wrapped)
    }
}

extension Array: PayloadContainer where Element: Decodable {
    static func makeReader(in reading: PayloadReading) -> AnyObject {
        let element = reading.reader(of: Element.self)
        return element.isLeaf ? LeafReader<Self>() : ArrayReader(element)
    }
}

extension Set: PayloadContainer where Element: Decodable {
    static func makeReader(in reading: PayloadReading) -> AnyObject {
        ElementsReader.make(of: Element.self, in: reading) { Set($0) }
    }
}

extension ContiguousArray: PayloadContainer where Element: Decodable {
    static func makeReader(in reading: PayloadReading) -> AnyObject {
        ElementsReader.make(of: Element.self, in: reading) { ContiguousArray($0) }
    }
}

extension Dictionary: PayloadContainer where Key: Decodable, Value: Decodable {
    static func makeReader(in reading: PayloadReading) -> AnyObject {
        let value = reading.reader(of: Value.self)
        return value.isLeaf ? LeafReader<Self>() : DictionaryReader<Key, Value>(value)
    }
}

private final class OptionalReader<Wrapped: Decodable>: PayloadReader<Wrapped?> {
    private let wrapped: PayloadReader<Wrapped>

    init(_ wrapped: PayloadReader<Wrapped>) {
        self.wrapped = wrapped
    }

    override var canBePartial: Bool { wrapped.canBePartial }

    override func read(from decoder: PayloadDecoder) throws -> Wrapped? {
        try decoder.singleValueContainer().decodeNil() ? nil : wrapped.read(from: decoder)
    }

    override func readElement(of elements: UnkeyedPayloadContainer) throws -> Wrapped?? {
        try elements.decodeNil() ? .some(nil) : wrapped.readElement(of: elements).map { .some($0) }
    }

    override func readValue(from decoder: PayloadDecoder) throws -> Wrapped?? {
        try decoder.singleValueContainer().decodeNil() ? .some(nil) : wrapped.readValue(from: decoder).map { .some($0) }
    }

    override func readRoot(from decoder: PayloadDecoder) throws -> PayloadRoot<Wrapped?> {
        try decoder.singleValueContainer().decodeNil() ? PlainRoot(nil) : OptionalRoot(wrapped.readRoot(from: decoder))
    }
}

private final class ArrayReader<Element: Decodable>: PayloadReader<[Element]> {
    private let element: PayloadReader<Element>

    init(_ element: PayloadReader<Element>) {
        self.element = element
    }

    override var canBePartial: Bool { false }

    override func read(from decoder: PayloadDecoder) throws -> [Element] {
        let elements = try decoder.elements()
        var values: [Element] = []
        try elements.forEach(of: Element.self) {
            if let value = try element.readElement(of: elements) { values.append(value) }
        }
        return values
    }

    override func readRoot(from decoder: PayloadDecoder) throws -> PayloadRoot<[Element]> {
        try element.readRootArray(from: decoder) ?? super.readRoot(from: decoder)
    }
}

/// The reader of a collection that is made of an array.
private final class ElementsReader<Element: Decodable, Elements: Decodable>: PayloadReader<Elements> {
    private let array: ArrayReader<Element>
    private let convert: ([Element]) -> Elements

    private init(_ element: PayloadReader<Element>, _ convert: @escaping ([Element]) -> Elements) {
        array = ArrayReader(element)
        self.convert = convert
    }

    /// Creates the reader of a type.
    static func make(
        of type: Element.Type,
        in reading: PayloadReading,
        _ convert: @escaping ([Element]) -> Elements
    ) -> AnyObject {
        let element = reading.reader(of: type)
        return element.isLeaf ? LeafReader<Elements>() : ElementsReader(element, convert)
    }

    override var canBePartial: Bool { false }

    override func read(from decoder: PayloadDecoder) throws -> Elements { convert(try array.read(from: decoder)) }
}

private final class DictionaryReader<Key: Decodable & Hashable, Value: Decodable>: PayloadReader<[Key: Value]> {
    private let value: PayloadReader<Value>

    init(_ value: PayloadReader<Value>) {
        self.value = value
    }

    override var canBePartial: Bool { false }

    override func read(from decoder: PayloadDecoder) throws -> [Key: Value] {
        try decoder.members(of: Value.self, keyedBy: Key.self) { [value] in try value.readValue(from: $0) }
    }

    override func readRoot(from decoder: PayloadDecoder) throws -> PayloadRoot<[Key: Value]> {
        try value.readRootDictionary(keyedBy: Key.self, from: decoder) ?? super.readRoot(from: decoder)
    }
}

extension PayloadDecoder {
    /// Reads the values of a dictionary, and leaves out those for which a closure throws or returns `nil`.
    ///
    /// The user's decoder decodes the dictionary, because it treats the keys of dictionaries specially.
    func members<Key: Decodable & Hashable, Result>(
        of type: any Any.Type,
        keyedBy keyType: Key.Type,
        _ read: @escaping (PayloadDecoder) throws -> Result?
    ) throws -> [Key: Result] {
        let value = try value()
        let (proxies, results) = try PayloadProxy.decode {
            try value.decodeLeaf([Key: PayloadProxy].self)
        } _: { [reading] decoder in
            let decoder = PayloadDecoder(.decoder(decoder), reading)
            do { return try read(decoder) } catch {
                reading.noteLoss(error, of: type, at: decoder.codingPath)
                return Result?.none
            }
        }
        return proxies.compactMapValues { results[$0.place] }
    }
}
