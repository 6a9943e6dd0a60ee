import FlatCache

/// The related entity of the models.
struct Maker: Cachable, Codable, Equatable {
    let id: Int
    var name: String?
}

/// An entity whose relationships have property wrappers.
struct Film: Cachable, Codable, Equatable {
    let id: Int
    var title: String
    // relationship: Maker
    @Omittable var directorID: Int?
    // relationship: Maker
    @Omittable var actorIDs: [Int]?
    // relationship: Maker
    @NullAsZero var producerID: Int
    // relationship: Maker
    @Lossy<Int> var writerIDs: [Int]
}

/// An entity whose first response in a test leaves out a required property.
struct Memo: Cachable, Codable, Equatable {
    let id: Int
    var title: String
    @Omittable var note: String?
    @FlatCache.Omittable<String> var place: String?
}

/// The same with property wrappers of this target.
struct Album: Cachable, Codable, Equatable {
    let id: Int
    var title: String
    @NullAsZero var year: Int
    @Lossy<Maker> var guests: [Maker]
    @Defaulted<Int> var plays: Int
}

/// An entity with a wrapper whose type the sources don't show.
struct Sketch: Cachable, Codable, Equatable {
    let id: Int
    var title: String
    @Lossy var words: [String]
}

/// An entity whose identifier is computed from a property of another name.
struct Ticket: Cachable, Codable, Equatable {
    let number: Int
    var title: String
    var note: String?

    var id: Int { number }
}

/// The same with a property that other files can't refer to.
struct SecretTicket: Cachable, Codable, Equatable {
    private let number: Int
    var title: String
    var note: String?

    init(number: Int, title: String) {
        self.number = number
        self.title = title
    }
}

extension SecretTicket {
    var id: Int { get { return self.number } }
}

/// The same with a relationship.
struct Portrait: Cachable, Codable, Equatable {
    // relationship: Maker
    let makerID: Maker.ID
    var title: String
    var note: String?

    var id: Maker.ID { makerID }
}

/// An entity whose identifier is computed from several properties.
struct Seat: Cachable, Codable, Equatable {
    let row: Int
    let place: Int
    var note: String?

    var id: String { "\(row)-\(place)" }
}

/// An entity whose names have acronyms, which key strategies change.
struct Channel: Cachable, Codable, Equatable {
    let id: Int
    // relationship: Maker
    var mainURLAuthorID: Int?
    // relationship: Maker
    var subURLAuthorIDs: [Int]?
    // relationship: Maker, name: topHTMLWriter
    @Omittable var writer: Int?
}

/// A wrapper that isn't generic.
@propertyWrapper
struct NullAsZero: Codable, Equatable {
    var wrappedValue: Int

    init(wrappedValue: Int) { self.wrappedValue = wrappedValue }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        wrappedValue = container.decodeNil() ? 0 : try container.decode(Int.self)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(wrappedValue)
    }
}

/// A wrapper that leaves out elements which can't be decoded.
@propertyWrapper
struct Lossy<Element: Codable & Equatable & Sendable>: Codable, Equatable {
    var wrappedValue: [Element]

    init(wrappedValue: [Element]) { self.wrappedValue = wrappedValue }

    init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        wrappedValue = []
        while !container.isAtEnd {
            if let element = try? container.decode(Element.self) {
                wrappedValue.append(element)
            } else {
                _ = try container.superDecoder()
            }
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(wrappedValue)
    }
}

/// A wrapper whose value an extension of the containers decodes.
@propertyWrapper
struct Defaulted<Value: Codable & Equatable & Sendable & ExpressibleByIntegerLiteral>: Codable, Equatable {
    var wrappedValue: Value

    init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
}

extension KeyedDecodingContainer {
    func decode<Value>(_ type: Defaulted<Value>.Type, forKey key: Key) throws -> Defaulted<Value> {
        Defaulted(wrappedValue: try decodeIfPresent(Value.self, forKey: key) ?? 0)
    }
}

extension KeyedEncodingContainer {
    mutating func encode<Value>(_ value: Defaulted<Value>, forKey key: Key) throws {
        try encode(value.wrappedValue, forKey: key)
    }
}
