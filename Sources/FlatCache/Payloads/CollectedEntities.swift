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
    ///   - condition: The condition of each write.
    ///   - outcome: The object that records problems.
    func store(
        in transaction: Transaction,
        of cache: FlatCache,
        if condition: WriteCondition,
        _ outcome: StoringOutcome
    ) {}

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
    }

    /// Adds an entity.
    ///
    /// - Parameters:
    ///   - entity: The entity.
    ///   - absent: The keys that the payload leaves out.
    func append(_ entity: Entity, absent: [String]) {
        entries.append(absent.isEmpty ? .whole(entity) : .partial(entity, absent: absent))
    }

    func append(_ entity: IncompleteEntity<Entity>) { entries.append(.incomplete(entity)) }

    func append(_ patch: any EntityPatch<Entity>, at codingPath: [any CodingKey]) {
        entries.append(.patch(patch, codingPath: codingPath))
    }

    override func store(
        in transaction: Transaction,
        of cache: FlatCache,
        if condition: WriteCondition,
        _ outcome: StoringOutcome
    ) {
        let table = cache.registry.table(of: Entity.self).takeUnretainedValue()
        let writes = transaction.table(table)
        let cannotKeep = { (property: String) in outcome.noteLoss(of: property, of: Entity.self) }
        for entry in entries {
            let id = entry.id
            switch entry {
            case .whole(let entity): writes.write(entity, id, HashedID(id), if: condition)
            case .partial(let entity, let absent):
                let stored = cache.get(Entity.self, id: id)
                let filled = stored.flatMap { filling?.fill(entity, absent: absent, from: $0, cannotKeep: cannotKeep) }
                writes.write(filled ?? entity, id, HashedID(id), if: condition)
            case .incomplete(let entity):
                do {
                    guard let filling, let stored = cache.get(Entity.self, id: id) else { throw entity.problem }
                    let filled = try filling.complete(entity, from: stored, cannotKeep: cannotKeep)
                    writes.write(filled, id, HashedID(id), if: condition)
                } catch {
                    outcome.note(PayloadProblem(error, of: Entity.self, at: entity.codingPath))
                }
            case .patch(let patch, let codingPath):
                do throws(PayloadProblem) {
                    let changed = try patch.changing(cache.get(Entity.self, id: id), id, codingPath)
                    writes.write(changed, id, HashedID(id), if: condition)
                } catch { outcome.note(error) }
            }
        }
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
