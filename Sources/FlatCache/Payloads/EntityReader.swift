/// The reader of entities of one type, which collects them.
final class EntityReader<Entity: Cachable & Decodable>: PayloadReader<Entity> {
    private unowned let reading: PayloadReading
    private let entities: CollectedEntities<Entity>
    private var keys: EntityKeys<Entity>? {
        didSet { entities.filling = EntityFilling(keys: keys, userInfo: reading.userInfo) }
    }
    /// What the last entity that wasn't whole leaves out.
    private var expected = Absence.none
    /// The relationships, created with the first entity, because entities can refer to each other in cycles.
    private lazy var relations = PayloadRelation.readers(of: keys?.list ?? [], in: reading)

    init(in reading: PayloadReading) {
        self.reading = reading
        keys = EntityKeys.known(of: Entity.self)
        entities = reading.entities(of: Entity.self)
        entities.filling = EntityFilling(keys: keys, userInfo: reading.userInfo)
        CodingKeyOwners.add(Entity.self)
    }

    /// The reader of a type in a payload.
    static func reader(of type: Entity.Type, in reading: PayloadReading) -> EntityReader {
        // The reader of an entity type is an `EntityReader`.
        unsafeDowncast(reading.reader(of: type), to: EntityReader.self)
    }

    /// Reads and collects an entity.
    ///
    /// - Throws: An error of the decoder or of user code, if the entity can't be read.
    func collect(_ object: PayloadDecoder) throws -> EntityOutcome<Entity> {
        let frame = EntityFrame(
            Entity.self,
            relations,
            isMerged: true,
            recordsRequests: keys?.canLearn != false,
            expected: expected
        )
        let decoder = object.of(frame)
        let mark = reading.mark
        reading.entityDepth += 1
        defer { reading.entityDepth -= 1 }
        do {
            let entity = try reading.descend(at: decoder.codingPath) { try Entity(from: decoder) }
            if let requests = frame.requests {
                keys = EntityKeys.learn(requests, from: entity, userInfo: reading.userInfo, after: keys)
            }
            let absence = frame.absence
            if !absence.isEmpty { expected = absence }
            let canFail = !absence.members.isEmpty || keys?.hasConstant(in: absence.keys) == true
            entities.append(entity, absence, at: canFail ? decoder.codingPath : nil)
            reading.noteEntity(in: entities)
            return .value(entity)
        } catch {
            return .incomplete(try capture(decoder, frame, since: mark, error), error)
        }
    }

    /// Collects an entity whose `init(from:)` has thrown an error, if it only leaves out properties.
    ///
    /// - Throws: An error, if the entity can't be read. Its nested entities are collected.
    private func capture(
        _ decoder: PayloadDecoder,
        _ frame: EntityFrame,
        since mark: PayloadReading.Mark,
        _ error: any Error
    ) throws -> IncompleteEntity<Entity> {
        do {
            guard let keys, !reading.isRepetition, frame.isAbsence(error) else { throw error }
            reading.forgetFailedAttempt()
            let incomplete = try IncompleteEntity(
                capturing: keys,
                { EntityReader.reader(of: Entity.self, in: $0).relations },
                from: decoder,
                after: frame,
                error
            )
            entities.append(incomplete)
            reading.noteEntity(in: entities)
            return incomplete
        } catch {
            frame.collectUnvisited(in: decoder, since: mark, others: keys?.values ?? [])
            throw error
        }
    }

    /// The identifier in an object of an entity that can't be read, or `nil` if it can't be read either.
    func identifier(in object: PayloadDecoder) -> Entity.ID? {
        guard let type = Entity.ID.self as? any Decodable.Type, let object = try? object.base() else { return nil }
        return (try? object.decode(type, forKey: identifierKey)) as? Entity.ID
    }

    /// The key of the identifier.
    var identifierKey: AnyCodingKey { AnyCodingKey(keys?.identifier?.name ?? "id") }

    override var canBePartial: Bool { false }

    override func read(from decoder: PayloadDecoder) throws -> Entity {
        let mark = reading.mark
        switch try collect(decoder) {
        case .value(let entity): return entity
        case .incomplete(let incomplete, let error):
            reading.noteIncompleteness(error, at: incomplete.codingPath, since: mark)
            throw error
        }
    }

    override func collectEscaped(
        _ object: PayloadDecoder,
        scratch: PayloadReading
    ) -> (EntityFrame?, isCollected: Bool) {
        var isCollected = reading.isRepetition
        if !isCollected {
            // If the entity isn't a value, its `init(from:)` throws the error again, which user code may catch.
            let mark = reading.mark
            let outcome = try? collect(object)
            isCollected = outcome != nil
            if case .incomplete(let incomplete, let error) = outcome {
                reading.noteIncompleteness(error, at: incomplete.codingPath, since: mark)
            }
        }
        let reader = EntityReader.reader(of: Entity.self, in: scratch)
        return (EntityFrame(Entity.self, reader.relations), isCollected)
    }

    override func readElement(of elements: UnkeyedPayloadContainer) throws -> Entity? {
        value(try elements.decodeObject { try self.collect($0) })
    }

    override func readValue(from decoder: PayloadDecoder) throws -> Entity? { value(try collect(decoder)) }

    /// The entity, or `nil` if it is incomplete, which is a problem for an entity around it.
    private func value(_ outcome: EntityOutcome<Entity>) -> Entity? {
        switch outcome {
        case .value(let entity): return entity
        case .incomplete(let incomplete, let error):
            if reading.isInsideEntity {
                reading.note(PayloadProblem(error, of: Entity.self, at: incomplete.codingPath))
            }
            return nil
        }
    }

    override func readRoot(from decoder: PayloadDecoder) throws -> PayloadRoot<Entity> {
        EntityRoot(try collect(decoder).id)
    }

    override func readRootArray(from decoder: PayloadDecoder) throws -> PayloadRoot<[Entity]>? {
        let elements = try decoder.elements()
        var ids: [Entity.ID] = []
        try elements.forEach(of: Entity.self) { ids.append(try elements.decodeObject { try self.collect($0) }.id) }
        return ArrayRoot(ids)
    }

    override func readRootDictionary<Key: Decodable & Hashable>(
        keyedBy type: Key.Type,
        from decoder: PayloadDecoder
    ) throws -> PayloadRoot<[Key: Entity]>? {
        DictionaryRoot(try decoder.members(of: Entity.self, keyedBy: type) { try self.collect($0).id })
    }
}

/// The result of reading an entity.
enum EntityOutcome<Entity: Cachable> {
    case value(Entity)
    /// Required properties are absent. The error is the one of `init(from:)`.
    case incomplete(IncompleteEntity<Entity>, any Error)

    var id: Entity.ID {
        switch self {
        case .value(let entity): entity.id
        case .incomplete(let incomplete, _): incomplete.id
        }
    }
}
