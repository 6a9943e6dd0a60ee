/// The reader of one document, whose resources it collects as entities.
final class DocumentReader {
    let reading: PayloadReading
    let root: KeyedDecodingContainer<AnyCodingKey>
    /// The identifications in the primary data.
    private(set) var identifiers: [JSONAPI.Identifier] = []
    private(set) var unknownTypes: [String] = []
    private var readers: [ResourceReader] = []
    /// The readers by the names of types in the document, `nil` for types that no reader has.
    private var readersByType: [String: ResourceReader?] = [:]
    private let unknownFields = ResourceFields()
    private var graph = LinkageGraph()
    private let hasIncluded: Bool
    /// The server's identifiers of the resources with local ones.
    private lazy var serverIdentifiers = findServerIdentifiers()

    init(_ root: KeyedDecodingContainer<AnyCodingKey>, _ reading: PayloadReading) {
        self.root = root
        self.reading = reading
        hasIncluded = root.contains(.included)
    }

    /// Adds an entity type.
    func add<Entity: Cachable & Decodable>(_ type: Entity.Type) { _ = reader(of: type) }

    /// The reader of an entity type, which is added if it isn't there.
    func reader<Entity>(of type: Entity.Type) -> EntityResourceReader<Entity> {
        for case let reader as EntityResourceReader<Entity> in readers { return reader }
        let reader = EntityResourceReader<Entity>(in: reading)
        readers.append(reader)
        return reader
    }

    /// Reads a resource of the primary data.
    ///
    /// - Returns: The identifier, or `nil` if the resource isn't of the expected type.
    func readPrimary<Entity>(
        _ object: PayloadDecoder,
        at index: Int?,
        as expected: EntityResourceReader<Entity>
    ) throws -> Entity.ID? {
        let resource = try resource(object, includedAt: nil)
        identifiers.append(resource.identifier)
        if !resource.isFirst { note(.duplicate(resource.identifier), at: .data, index) }
        // An identification alone is a link to an entity, not an entity without values.
        if !resource.isObject { return resource.reader === expected ? expected.identifier(resource.members) : nil }
        if resource.reader === expected { return try expected.read(resource.members) }
        try resource.reader?.collect(resource.members)
        return nil
    }

    /// Reads the included resources, after the primary data.
    func readIncluded() throws {
        guard hasIncluded, try !root.decodeNil(forKey: .included) else { return }
        if !root.contains(.data) { note(.includedWithoutData, at: .included) }
        let elements = UnkeyedPayloadContainer(try root.nestedUnkeyedContainer(forKey: .included), reading)
        try elements.forEach(of: JSONAPI.Identifier.self) {
            let index = elements.currentIndex
            let resource = try elements.decodeObject { try self.resource($0, includedAt: index) }
            if !resource.isFirst { note(.duplicate(resource.identifier), at: .included, index) }
            try resource.reader?.collect(resource.members)
        }
    }

    /// Records the included resources to which nothing leads.
    func checkLinkage() {
        for resource in graph.unlinked { note(.unlinked(resource.identifier), at: .included, resource.index) }
    }

    func note(_ violation: JSONAPI.Violation, at key: AnyCodingKey, _ index: Int? = nil) {
        let path = root.codingPath + [key] + (index.map { [AnyCodingKey(index: $0)] } ?? [])
        reading.note(PayloadProblem(violation, of: JSONAPI.Identifier.self, at: path))
    }
}

/// The resources of a document.
extension DocumentReader {
    /// A resource before its entity is read.
    fileprivate struct Resource {
        let identifier: JSONAPI.Identifier
        let reader: ResourceReader?
        /// Whether this is more than an identification.
        let isObject: Bool
        /// Whether the document has no earlier object of the resource.
        let isFirst: Bool
        let members: ResourceMembers
    }

    private func resource(_ object: PayloadDecoder, includedAt index: Int?) throws -> Resource {
        let object = try object.base()
        let identifier = JSONAPI.Identifier(
            type: try object.decode(String.self, forKey: .type),
            id: try object.decodeIfPresent(String.self, forKey: .id),
            lid: try object.decodeIfPresent(String.self, forKey: .lid)
        )
        if identifier.id == nil, identifier.lid == nil { throw JSONAPI.Violation.unidentified(type: identifier.type) }
        let reader = reader(named: identifier.type)
        let fields = reader?.fields ?? unknownFields
        let relationships = try relationships(of: object, fields)
        let isObject =
            index != nil || relationships.container != nil || object.contains(.attributes) || object.contains(.links)
        let linked = hasIncluded ? relationships.linkages : []
        let isFirst = graph.add(identifier, includedAt: index, isObject: isObject, linked: linked)
        return Resource(
            identifier: identifier,
            reader: reader,
            isObject: isObject,
            isFirst: isFirst,
            members: try ResourceMembers(object, relationships, id: identifier.id, fields, reading)
        )
    }

    /// The reader of a type, or `nil` if there is none, which is recorded.
    private func reader(named type: String) -> ResourceReader? {
        if let reader = readersByType[type] { return reader }
        let reader = readers.first { $0.name.matches(type) }
        readersByType[type] = .some(reader)
        if reader == nil { unknownTypes.append(type) }
        return reader
    }

    private func relationships(
        of object: KeyedDecodingContainer<AnyCodingKey>,
        _ fields: ResourceFields
    ) throws -> ResourceMembers.Relationships {
        guard object.contains(.relationships) else { return ResourceMembers.Relationships() }
        let container = try object.nestedContainer(keyedBy: AnyCodingKey.self, forKey: .relationships)
        var relationships = ResourceMembers.Relationships(container: container)
        for key in container.allKeys {
            do {
                let linkage = try linkage(at: key, in: container, fields[key.stringValue])
                relationships.linkages.append((key, linkage))
            } catch {
                let path = container.codingPath + [key]
                reading.note(PayloadProblem(error, of: JSONAPI.Identifier.self, at: path))
            }
        }
        return relationships
    }

    private func linkage(
        at key: AnyCodingKey,
        in relationships: KeyedDecodingContainer<AnyCodingKey>,
        _ field: ResourceField
    ) throws -> Linkage {
        let relationship = try relationships.nestedContainer(keyedBy: AnyCodingKey.self, forKey: key)
        // Attempts that fail take longer than questions, and questions longer than attempts that don't.
        if field.kind == .one, let one = one(in: relationship) { return .one(try target(one, of: field)) }
        if field.kind == .many, let many = try? relationship.nestedUnkeyedContainer(forKey: .data) {
            return try targets(many, of: field)
        }
        field.kind = .other
        guard relationship.contains(.data) else { return .absent }
        if try relationship.decodeNil(forKey: .data) { return .null }
        if let one = one(in: relationship) {
            field.kind = .one
            return .one(try target(one, of: field))
        }
        let many = try relationship.nestedUnkeyedContainer(forKey: .data)
        field.kind = .many
        return try targets(many, of: field)
    }

    private func one(
        in relationship: KeyedDecodingContainer<AnyCodingKey>
    ) -> KeyedDecodingContainer<AnyCodingKey>? {
        try? relationship.nestedContainer(keyedBy: AnyCodingKey.self, forKey: .data)
    }

    private func targets(_ data: any UnkeyedDecodingContainer, of field: ResourceField) throws -> Linkage {
        let elements = UnkeyedPayloadContainer(data, reading)
        var identifiers: [JSONAPI.Identifier] = []
        try elements.forEach(of: JSONAPI.Identifier.self) {
            identifiers.append(try elements.decodeObject { try self.target(try $0.base(), of: field) })
        }
        return .many(identifiers)
    }

    /// The identification in a linkage, with the server's identifier if it has only a local one.
    private func target(
        _ object: KeyedDecodingContainer<AnyCodingKey>,
        of field: ResourceField
    ) throws -> JSONAPI.Identifier {
        // The identifiers of an entity's relationship have no meta information.
        if field.related != nil, let id = try? object.decode(String.self, forKey: .id) {
            return JSONAPI.Identifier(type: try object.decode(String.self, forKey: .type), id: id, lid: nil)
        }
        let identifier = try JSONAPI.Identifier(object)
        guard identifier.id == nil else { return identifier }
        guard let lid = identifier.lid else { throw JSONAPI.Violation.unidentified(type: identifier.type) }
        if let id = serverIdentifiers[[identifier.type, lid]] { return identifier.with(id: id) }
        // The entity's identifier is the local one.
        let reader = readers.first { $0.name.matches(identifier.type) }
        return reader?.fields.identifierName == "lid" ? identifier.with(id: lid) : identifier
    }

    private func findServerIdentifiers() -> [[String]: String] {
        var found: [[String]: String] = [:]
        func add(_ object: KeyedDecodingContainer<AnyCodingKey>, at key: AnyCodingKey) {
            guard let identifier = try? JSONAPI.Identifier(object), let lid = identifier.lid else { return }
            guard let id = identifier.id else { return }
            let other = found.updateValue(id, forKey: [identifier.type, lid])
            if let other, other != id {
                note(.duplicate(JSONAPI.Identifier(type: identifier.type, id: nil, lid: lid)), at: key)
            }
        }
        for key in [AnyCodingKey.data, .included] {
            guard var elements = try? root.nestedUnkeyedContainer(forKey: key) else {
                if let object = try? root.nestedContainer(keyedBy: AnyCodingKey.self, forKey: key) {
                    add(object, at: key)
                }
                continue
            }
            while !elements.isAtEnd {
                let index = elements.currentIndex
                if let object = try? elements.nestedContainer(keyedBy: AnyCodingKey.self) { add(object, at: key) }
                if elements.currentIndex == index { _ = try? elements.decode(SkippedElement.self) }
                if elements.currentIndex == index { break }
            }
        }
        return found
    }
}
