/// The reader of the primary data of a document: a resource, an optional one, or an array.
class PrimaryReader<Primary: Decodable> {
    /// Reads the primary data.
    func read(_ document: DocumentReader) throws -> PayloadRoot<Primary> { PayloadRoot() }
}

/// The creation of readers of primary data.
enum PrimaryReaders {
    /// The reader of a type, whose entities the document's reader then knows.
    ///
    /// - Throws: An error if the type isn't an entity, an optional one, or an array of entities.
    static func make<Primary: Decodable>(
        of type: Primary.Type,
        for document: DocumentReader
    ) throws -> PrimaryReader<Primary> {
        let reader: AnyObject? =
            if let entity = type as? any (Cachable & Decodable).Type {
                makeResourceReader(of: entity, document)
            } else {
                (type as? any PrimaryContainer.Type)?.makePrimaryReader(for: document)
            }
        guard let reader else {
            throw DecodingError.typeMismatch(
                type,
                DecodingError.Context(
                    codingPath: document.root.codingPath + [AnyCodingKey.data],
                    debugDescription: "The primary data of a document is an entity, an optional entity, or an array."
                )
            )
        }
        // Each reader was made for the type.
        return unsafeDowncast(reader, to: PrimaryReader<Primary>.self)
    }

    private static func makeResourceReader<Entity: Cachable & Decodable>(
        of type: Entity.Type,
        _ document: DocumentReader
    ) -> AnyObject { OneReader(document.reader(of: type)) }
}

/// A type around an entity type.
private protocol PrimaryContainer {
    /// Creates a reader of the type, as a `PrimaryReader<Self>`, or returns `nil` if it doesn't contain entities.
    static func makePrimaryReader(for document: DocumentReader) -> AnyObject?
}

extension Array: PrimaryContainer where Element: Decodable {
    fileprivate static func makePrimaryReader(for document: DocumentReader) -> AnyObject? {
        func make<Entity: Cachable & Decodable>(_ type: Entity.Type) -> AnyObject {
            ManyReader(document.reader(of: type))
        }
        return (Element.self as? any (Cachable & Decodable).Type).map { make($0) }
    }
}

extension Optional: PrimaryContainer where Wrapped: Decodable {
    fileprivate static func makePrimaryReader(for document: DocumentReader) -> AnyObject? {
        func make<Entity: Cachable & Decodable>(_ type: Entity.Type) -> AnyObject {
            OptionalReader(OneReader(document.reader(of: type)))
        }
        return (Wrapped.self as? any (Cachable & Decodable).Type).map { make($0) }
    }
}

private final class OneReader<Entity: Cachable & Decodable>: PrimaryReader<Entity> {
    private let resources: EntityResourceReader<Entity>

    init(_ resources: EntityResourceReader<Entity>) {
        self.resources = resources
    }

    override func read(_ document: DocumentReader) throws -> PayloadRoot<Entity> {
        try identifier(in: document).map { EntityRoot($0) } ?? PayloadRoot()
    }

    func identifier(in document: DocumentReader) throws -> Entity.ID? {
        let object = try document.root.nestedContainer(keyedBy: AnyCodingKey.self, forKey: .data)
        let decoder = PayloadDecoder(.object(object), document.reading)
        if let id = try document.readPrimary(decoder, at: nil, as: resources) { return id }
        let type = document.identifiers.last?.type ?? ""
        if !resources.name.matches(type) {
            try document.note(.unexpectedType(type, expected: resources.name.text), at: .data)
        }
        return nil
    }
}

private final class OptionalReader<Entity: Cachable & Decodable>: PrimaryReader<Entity?> {
    private let one: OneReader<Entity>

    init(_ one: OneReader<Entity>) {
        self.one = one
    }

    override func read(_ document: DocumentReader) throws -> PayloadRoot<Entity?> {
        if try document.root.decodeNil(forKey: .data) { return PlainRoot(nil) }
        return try one.identifier(in: document).map { OptionalRoot(EntityRoot($0)) } ?? PayloadRoot()
    }
}

private final class ManyReader<Entity: Cachable & Decodable>: PrimaryReader<[Entity]> {
    private let resources: EntityResourceReader<Entity>

    init(_ resources: EntityResourceReader<Entity>) {
        self.resources = resources
    }

    override func read(_ document: DocumentReader) throws -> PayloadRoot<[Entity]> {
        let data = try document.root.nestedUnkeyedContainer(forKey: .data)
        let elements = UnkeyedPayloadContainer(data, document.reading)
        var ids: [Entity.ID] = []
        try elements.forEach(of: Entity.self) {
            let index = elements.currentIndex
            let id = try elements.decodeObject { [resources] in
                try document.readPrimary($0, at: index, as: resources)
            }
            if let id { ids.append(id) }
        }
        return ArrayRoot(ids)
    }
}
