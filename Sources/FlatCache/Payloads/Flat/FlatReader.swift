/// The reader of a response that has the entities of each type under the name of the type.
final class FlatReader {
    private let decoder: PayloadDecoder
    private var types: [PayloadName] = []

    init(_ decoder: PayloadDecoder) {
        self.decoder = decoder
    }

    /// Reads and collects the entities of a type.
    ///
    /// Types are read in the order of the calls, because the members of a dictionary have none.
    func read<Entity: Cachable & Decodable>(_ type: Entity.Type) throws {
        let name = PayloadName(of: type)
        let reader = EntityReader.reader(of: type, in: decoder.reading)
        types.append(name)
        // A keyed container has one of two names that a key strategy makes equal, and proxies have both.
        _ = try decoder.members(of: [Entity].self, keyedBy: String.self) { decoder -> Void? in
            guard let key = decoder.codingPath.last, name.matches(key.stringValue) else { return nil }
            if try decoder.value().decodeNil() { return nil }
            try Self.collect(reader, from: decoder)
            return nil
        }
    }

    /// The names that no type has, in alphabetical order.
    func unknownNames() throws -> [String] {
        let names = try decoder.members(of: Any.self, keyedBy: String.self) { _ in () }.keys
        return names.filter { name in !types.contains { $0.matches(name) } }.sorted()
    }

    private static func collect<Entity>(_ reader: EntityReader<Entity>, from decoder: PayloadDecoder) throws {
        if let elements = try? decoder.elements() {
            return try elements.forEach(of: Entity.self) { _ = try reader.readElement(of: elements) }
        }
        _ = try decoder.members(of: Entity.self, keyedBy: String.self) { member -> Void? in
            _ = try reader.collect(identified(member, for: reader))
            return nil
        }
    }

    /// A decoder of an entity that has its key as its identifier, unless it has an identifier.
    private static func identified<Entity>(
        _ member: PayloadDecoder,
        for reader: EntityReader<Entity>
    ) throws -> PayloadDecoder {
        let object = try member.base()
        let name = reader.identifierKey
        guard !object.contains(name), let key = member.codingPath.last else { return member }
        let members = ResourceMembers(object, id: key.stringValue, at: name.stringValue, member.reading)
        return PayloadDecoder(.object(KeyedDecodingContainer(members)), member.reading)
    }
}
