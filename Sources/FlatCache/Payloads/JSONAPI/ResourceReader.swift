/// The reader of the resources of one type, without the type of their entities.
class ResourceReader {
    let name: PayloadName
    let fields: ResourceFields

    init(_ name: PayloadName, _ fields: ResourceFields) {
        self.name = name
        self.fields = fields
    }

    /// Collects the entity of a resource.
    ///
    /// - Throws: A problem, if the entity can't be read.
    func collect(_ members: ResourceMembers) throws {}
}

/// The reader of the resources of one entity type.
final class EntityResourceReader<Entity: Cachable & Decodable>: ResourceReader {
    private let reading: PayloadReading
    private let reader: EntityReader<Entity>

    init(in reading: PayloadReading) {
        self.reading = reading
        reader = EntityReader.reader(of: Entity.self, in: reading)
        super.init(
            PayloadName(of: Entity.self),
            EntityKeys.known(of: Entity.self).map { ResourceFields($0) } ?? ResourceFields()
        )
    }

    override func collect(_ members: ResourceMembers) throws { _ = try read(members) }

    /// Collects the entity of a resource, and returns its identifier.
    func read(_ members: ResourceMembers) throws -> Entity.ID {
        do { return try reader.collect(object(members)).id } catch {
            throw PayloadProblem(error, of: Entity.self, at: members.codingPath)
        }
    }

    /// The identifier of a resource that is only identified, or `nil` if it can't be read.
    func identifier(_ members: ResourceMembers) -> Entity.ID? { reader.identifier(in: object(members)) }

    private func object(_ members: ResourceMembers) -> PayloadDecoder {
        PayloadDecoder(.object(KeyedDecodingContainer(members)), reading)
    }
}
