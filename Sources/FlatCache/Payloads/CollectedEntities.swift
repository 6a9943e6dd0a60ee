/// The entities of one type in a payload, without their static type.
///
/// It is changed while the payload is decoded, and then only read.
class PayloadPart: @unchecked Sendable {
    /// Removes the entity that was added last.
    func removeLast() {}

    /// Stores the entities in a transaction.
    ///
    /// It may be called more than once.
    ///
    /// - Parameters:
    ///   - transaction: The transaction.
    ///   - cache: The cache.
    ///   - terms: The terms of the writes.
    ///   - outcome: The object that records problems.
    func store(in transaction: Transaction, of cache: FlatCache, _ terms: IncomingTerms, _ outcome: StoringOutcome) {}

    /// Adds the entities to the answer of a fetcher.
    func add(to answer: inout FetchAnswer) {}

    /// The identifiers of the entities, in the order of the payload, each once.
    func ids<Entity: Cachable>(of type: Entity.Type) -> [Entity.ID]? { nil }
}

/// The entities and patches of one type in a payload, in its order.
final class CollectedEntities<Entity: Cachable>: PayloadPart, @unchecked Sendable {
    /// The merging of decoded entities with stored ones, or `nil` if there are only patches.
    var filling: EntityFilling<Entity>?
    private var entries: [Entry] = []

    private enum Entry {
        case whole(Entity)
        case partial(Entity, absent: [String])
        case incomplete(IncompleteEntity<Entity>)
        indirect case patch(any EntityPatch<Entity>, codingPath: [any CodingKey])

        var id: Entity.ID {
            switch self {
            case .whole(let entity), .partial(let entity, _): entity.id
            case .incomplete(let entity): entity.id
            case .patch(let patch, _): patch.id
            }
        }

        /// The path of the entity, or `nil` if it can always be stored.
        var codingPath: [any CodingKey]? {
            switch self {
            case .whole, .partial: nil
            case .incomplete(let entity): entity.codingPath
            case .patch(_, let codingPath): codingPath
            }
        }

        /// The entity to store.
        ///
        /// - Parameters:
        ///   - filling: The merging with stored entities.
        ///   - cannotKeep: A closure that is called for each property that keeps its decoded value.
        func incoming(
            _ filling: EntityFilling<Entity>?,
            cannotKeep: @escaping (String) -> Void
        ) -> IncomingEntity<Entity> {
            switch self {
            case .whole(let entity): return .whole(entity)
            case .partial(let entity, let absent):
                return .dependent(id: entity.id) { stored in
                    guard let stored, let filling else { return entity }
                    return filling.fill(entity, absent: absent, from: stored, cannotKeep: cannotKeep)
                }
            case .incomplete(let entity):
                return .dependent(id: entity.id) { stored in
                    guard let stored, let filling else { throw entity.problem }
                    return try filling.complete(entity, from: stored, cannotKeep: cannotKeep)
                }
            case .patch(let patch, let codingPath):
                let id = patch.id
                return .changed(id: id) { try patch.changing($0, id, codingPath) }
            }
        }
    }

    /// Adds an entity.
    ///
    /// - Parameters:
    ///   - entity: The entity.
    ///   - absent: The keys that the payload leaves out.
    func append(_ entity: Entity, absent: [String]) {
        let isWhole = absent.isEmpty && filling?.hasLocals != true
        entries.append(isWhole ? .whole(entity) : .partial(entity, absent: absent))
    }

    func append(_ entity: IncompleteEntity<Entity>) { entries.append(.incomplete(entity)) }

    func append(_ patch: any EntityPatch<Entity>, at codingPath: [any CodingKey]) {
        entries.append(.patch(patch, codingPath: codingPath))
    }

    override func store(
        in transaction: Transaction,
        of cache: FlatCache,
        _ terms: IncomingTerms,
        _ outcome: StoringOutcome
    ) {
        let changes = transaction.table(cache.registry.table(of: Entity.self).takeUnretainedValue())
        let merge = Entity.merge
        for entry in entries {
            let incoming = entry.incoming(filling) { outcome.noteLoss(of: $0, of: Entity.self) }
            let id = incoming.id
            let note = entry.codingPath.map { outcome.noting(Entity.self, at: $0) }
            incoming.write(in: changes, id, HashedID(id), terms, merging: merge, note)
        }
    }

    override func add(to answer: inout FetchAnswer) {
        for entry in entries { answer.insert(entry.incoming(filling) { _ in }) }
    }

    override func removeLast() { entries.removeLast() }

    override func ids<Wanted: Cachable>(of type: Wanted.Type) -> [Wanted.ID]? {
        guard type == Entity.self else { return nil }
        var known: Set<Entity.ID> = []
        return entries.map(\.id).filter { known.insert($0).inserted } as? [Wanted.ID]
    }
}

extension EntityPatch {
    /// The entity that the patch makes of the stored one, or of a new one.
    ///
    /// - Parameters:
    ///   - stored: The stored entity, or `nil`.
    ///   - id: The identifier of the patch.
    ///   - codingPath: The path of the patch, for problems.
    /// - Throws: A problem, if there is no entity or its identifier is changed.
    fileprivate func changing(
        _ stored: Entity?,
        _ id: Entity.ID,
        _ codingPath: [any CodingKey]
    ) throws(PayloadProblem) -> Entity {
        guard var entity = stored ?? makeEntity() else {
            throw PayloadProblem(.nothingStored, of: Self.self, at: codingPath)
        }
        apply(to: &entity)
        guard entity.id == id else { throw PayloadProblem(.changesIdentifier, of: Self.self, at: codingPath) }
        return entity
    }
}
