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

/// The entities of one type in a payload, in its order.
final class CollectedEntities<Entity: Cachable & Decodable>: PayloadPart, @unchecked Sendable {
    private let userInfo: [CodingUserInfoKey: Any]
    private var entries: [Entry] = []

    init(userInfo: [CodingUserInfoKey: Any]) {
        self.userInfo = userInfo
    }

    private enum Entry {
        case whole(Entity)
        case partial(Entity, absent: [String])
        case incomplete(IncompleteEntity<Entity>)

        var id: Entity.ID {
            switch self {
            case .whole(let entity), .partial(let entity, _): entity.id
            case .incomplete(let entity): entity.id
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

    override func store(
        in transaction: Transaction,
        of cache: FlatCache,
        if condition: WriteCondition,
        _ outcome: StoringOutcome
    ) {
        let table = cache.registry.table(of: Entity.self).takeUnretainedValue()
        let writes = transaction.table(table)
        let filling = EntityFilling(keys: EntityKeys.known(of: Entity.self), userInfo: userInfo)
        let cannotKeep = { (property: String) in outcome.noteLoss(of: property, of: Entity.self) }
        for entry in entries {
            let id = entry.id
            switch entry {
            case .whole(let entity): writes.write(entity, id, HashedID(id), if: condition)
            case .partial(let entity, let absent):
                let stored = cache.get(Entity.self, id: id)
                let filled = stored.map { filling.fill(entity, absent: absent, from: $0, cannotKeep: cannotKeep) }
                writes.write(filled ?? entity, id, HashedID(id), if: condition)
            case .incomplete(let entity):
                do {
                    guard let stored = cache.get(Entity.self, id: id) else { throw entity.problem }
                    let filled = try filling.complete(entity, from: stored, cannotKeep: cannotKeep)
                    writes.write(filled, id, HashedID(id), if: condition)
                } catch {
                    outcome.note(PayloadProblem(error, of: Entity.self, at: entity.codingPath))
                }
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
