/// The reader of patches of one type, which collects them.
final class PatchReader<Patch: EntityPatch & Decodable>: PayloadReader<Patch> {
    private unowned let reading: PayloadReading
    private let entities: CollectedEntities<Patch.Entity>
    /// The relationships, created with the first patch, because patches and entities can contain each other.
    private lazy var relations = reading.relations(of: Patch.self)

    init(in reading: PayloadReading) {
        self.reading = reading
        entities = reading.entities(of: Patch.Entity.self)
        CodingKeyOwners.add(Patch.self)
    }

    override var canBePartial: Bool { false }

    override func read(from decoder: PayloadDecoder) throws -> Patch {
        reading.entityDepth += 1
        defer { reading.entityDepth -= 1 }
        let patch = try read(from: decoder, of: frame)
        entities.append(patch, at: decoder.codingPath)
        reading.noteEntity(in: entities)
        return patch
    }

    private var frame: EntityFrame { EntityFrame(Patch.self, relations) }

    override func collectEscaped(
        _ object: PayloadDecoder,
        scratch: PayloadReading
    ) -> (EntityFrame?, isCollected: Bool) {
        // If it throws, `init(from:)` throws the error again, which user code may catch.
        let isCollected = reading.isRepetition || (try? read(from: object)) != nil
        return (frame, isCollected)
    }

    override func readElement(of elements: UnkeyedPayloadContainer) throws -> Patch? {
        // The container of an object is cheaper than its decoder.
        if let object = elements.object() { return try read(from: object) }
        return try elements.decode(with: self)
    }
}
