/// The entities of one type in a payload, without their static type.
///
/// It is changed while the payload is decoded, and then only read.
class PayloadPart: @unchecked Sendable {
    /// The number of entities and patches.
    var count: Int { 0 }

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

    /// Keeps the stored entities in memory on which the part depends.
    func hold(in cache: FlatCache, if condition: WriteCondition) -> (any ErasedHeldEntities)? { nil }

    /// The identifiers of the entities, in the order of the payload, each once.
    func ids<Entity: Cachable>(of type: Entity.Type) -> [Entity.ID]? { nil }
}

/// The entities and patches of one type in a payload, in its order.
final class CollectedEntities<Entity: Cachable>: PayloadPart, @unchecked Sendable {
    /// The merging of decoded entities with stored ones, or `nil` if there are only patches.
    var filling: EntityFilling<Entity>?
    /// The decoded entities, in an array of their own, because copies of one element are cheaper than those of an enum.
    private var values: [Entity] = []
    private var entries: [Entry] = []

    /// Writes entities, in code that is specialized for the type, or `nil` if there is none.
    private let write: ((FlatCache._PayloadEntities<Entity>) -> Void)?

    override init() {
        write = nil
    }

    /// Creates whole entities.
    init(_ values: [Entity], _ write: @escaping (FlatCache._PayloadEntities<Entity>) -> Void) {
        self.write = write
        self.values = values
        entries = values.indices.map { .decoded($0, .none, codingPath: nil) }
    }

    private enum Entry {
        /// The place of a decoded entity, what the payload leaves out, and its path unless it can always be stored.
        case decoded(Int, Absence, codingPath: [any CodingKey]?)
        case incomplete(IncompleteEntity<Entity>)
        case patch(any EntityPatch<Entity>, codingPath: [any CodingKey])
    }

    /// Adds an entity.
    ///
    /// - Parameters:
    ///   - entity: The entity.
    ///   - absence: What the payload leaves out.
    ///   - codingPath: The path of the entity, or `nil` if all absent properties can be set.
    func append(_ entity: Entity, _ absence: Absence, at codingPath: [any CodingKey]?) {
        entries.append(.decoded(values.count, absence, codingPath: codingPath))
        values.append(entity)
    }

    func append(_ entity: IncompleteEntity<Entity>) { entries.append(.incomplete(entity)) }

    func append(_ patch: any EntityPatch<Entity>, at codingPath: [any CodingKey]) {
        entries.append(.patch(patch, codingPath: codingPath))
    }

    override var count: Int { entries.count }

    override func removeLast() {
        if case .decoded = entries.removeLast() { values.removeLast() }
    }

    override func store(
        in transaction: Transaction,
        of cache: FlatCache,
        _ terms: IncomingTerms,
        _ outcome: StoringOutcome
    ) {
        let table = cache.registry.table(of: Entity.self).takeUnretainedValue()
        let merge = Entity.merge
        let complements = complements
        // Consecutive entities that replace the stored ones are written together, by specialized code where there is any.
        var run = 0..<0
        func writeRun() {
            let entities = FlatCache._PayloadEntities(values[run], in: transaction, table, if: terms.condition)
            if let write = write ?? filling?.keys?.write { write(entities) } else { entities.write() }
        }
        writeRun()
        let changes = transaction.table(table)
        let olderRevisions = outcome.olderRevisions
        for index in entries.indices {
            if merge.isReplace, !changes.receivesOtherwise, olderRevisions.isEmpty, let place = placeOfWhole(at: index)
            {
                run = (run.isEmpty ? place : run.lowerBound)..<(place + 1)
                continue
            }
            writeRun()
            run = 0..<0
            let (entity, codingPath) = incoming(at: index, complements, outcome)
            let note = codingPath.map { outcome.noting(Entity.self, at: $0) }
            let id = entity.id
            let hash = HashedID(id)
            let terms = olderRevisions.isEmpty ? terms : terms.disregarding(olderRevisions, for: id, hash, in: table)
            entity.write(in: changes, id, hash, terms, merging: merge, note)
        }
        writeRun()
    }

    override func add(to answer: inout FetchAnswer) {
        let complements = complements
        for index in entries.indices { answer.insert(incoming(at: index, complements, nil).entity) }
    }

    override func hold(in cache: FlatCache, if condition: WriteCondition) -> (any ErasedHeldEntities)? {
        cache.hold(Entity.self, if: condition) {
            let mergesAll = !Entity.merge.isReplace
            let depending = mergesAll ? Array(entries.indices) : entries.indices.filter { placeOfWhole(at: $0) == nil }
            return depending.map { id(of: entries[$0]) }
        }
    }

    override func ids<Wanted: Cachable>(of type: Wanted.Type) -> [Wanted.ID]? {
        guard type == Entity.self else { return nil }
        var known: Set<Entity.ID> = []
        return entries.map(id).filter { known.insert($0).inserted } as? [Wanted.ID]
    }

    private func id(of entry: Entry) -> Entity.ID {
        switch entry {
        case .decoded(let place, _, _): values[place].id
        case .incomplete(let entity): entity.id
        case .patch(let patch, _): patch.id
        }
    }

    /// The place of an entity of which the payload leaves out nothing, or `nil` if the entry is another one.
    private func placeOfWhole(at index: Int) -> Int? {
        guard case .decoded(let place, let absence, _) = entries[index], absence.isEmpty, filling?.hasLocals != true
        else {
            return nil
        }
        return place
    }

    /// The entity of an entry, and its path unless it can always be stored.
    ///
    /// - Parameters:
    ///   - index: The index of the entry.
    ///   - complements: The entities of the payload that complete each other.
    ///   - outcome: The object that records problems.
    private func incoming(
        at index: Int,
        _ complements: Complements?,
        _ outcome: StoringOutcome?
    ) -> (entity: IncomingEntity<Entity>, codingPath: [any CodingKey]?) {
        if let place = placeOfWhole(at: index) { return (.whole(values[place]), nil) }
        let filling = filling
        let earlier = complements?.earlier[index]
        let cannotKeep = { (name: String) in outcome?.noteLoss(of: name, of: Entity.self) ?? () }
        func complete(_ entity: IncompleteEntity<Entity>, from stored: Entity) throws -> Entity {
            guard let filling else { throw entity.problem }
            return try filling.complete(entity, from: stored, cannotKeep: cannotKeep) { outcome?.noteLoss($0) }
        }
        switch entries[index] {
        case .decoded(let place, let absence, let codingPath):
            let path = codingPath ?? earlier?.codingPath
            // The array is captured, because that is cheaper than a copy of the entity.
            let filled = { [values] (stored: Entity?) throws -> Entity in
                guard let filling else { return values[place] }
                return try Self.problem(of: values[place].id, at: path ?? []) {
                    if let stored {
                        return try filling.fill(values[place], absence, from: stored, cannotKeep: cannotKeep)
                    }
                    guard let earlier else { return values[place] }
                    return try complete(earlier, from: values[place])
                }
            }
            return (.dependent(id: values[place].id, filled), path)
        case .incomplete(let entity):
            let isCompleted = complements?.completed.contains(index) == true
            let completed = { (stored: Entity?) throws -> Entity in
                if let stored {
                    return try Self.problem(of: entity.id, at: entity.codingPath) {
                        try complete(entity, from: stored)
                    }
                }
                if let both = earlier?.adding(entity), let made = try? filling?.make(both) { return made }
                throw isCompleted ? CompletedLater() : entity.problem
            }
            return (.dependent(id: entity.id, completed), entity.codingPath)
        case .patch(let patch, let codingPath):
            let id = patch.id
            return (.changed(id: id) { try patch.changing($0, id, codingPath) }, codingPath)
        }
    }

    /// Calls a body, and throws the problem of a property that it doesn't restore.
    private static func problem(
        of id: Entity.ID,
        at codingPath: [any CodingKey],
        _ body: () throws -> Entity
    ) throws -> Entity {
        do { return try body() } catch let property as UnrestoredProperty {
            let key = Entity.flatCacheKey(id: id)
            throw PayloadProblem(.cannotRestore(property: property.name), of: Entity.self, key, at: codingPath)
        }
    }

    /// The entities of the payload that complete each other, by their places in `entries`.
    private struct Complements {
        /// For an entity, the incomplete ones with its identifier that are before it, as one; for a whole entity, only what the
        /// payload leaves out of it.
        var earlier: [Int: IncompleteEntity<Entity>] = [:]
        /// The incomplete entities that later ones complete.
        var completed: Set<Int> = []
    }

    /// The entities that complete each other, or `nil` if all are whole or partial.
    private var complements: Complements? {
        guard entries.contains(where: { if case .incomplete = $0 { true } else { false } }) else { return nil }
        var complements = Complements()
        var pending: [Entity.ID: (entity: IncompleteEntity<Entity>, places: [Int])] = [:]
        for (index, entry) in entries.enumerated() {
            switch entry {
            case .incomplete(let entity):
                let earlier = pending[entity.id]
                let both = earlier?.entity.adding(entity)
                let places = both == nil ? [] : earlier?.places ?? []
                if both != nil { complements.earlier[index] = earlier?.entity }
                let isMade = both.map { (try? filling?.make($0)) != nil } ?? false
                if isMade { complements.completed.formUnion(places) }
                pending[entity.id] = isMade ? nil : (both ?? entity, places + [index])
            case .decoded(let place, let absence, _):
                guard let earlier = pending.removeValue(forKey: values[place].id),
                    let rest = filling?.rest(of: earlier.entity, for: values[place], absence)
                else { continue }
                if !rest.members.isEmpty || !rest.uncaptured.isEmpty { complements.earlier[index] = rest }
                complements.completed.formUnion(earlier.places)
            case .patch(let patch, _): pending[patch.id] = nil
            }
        }
        return complements
    }
}

extension IncomingTerms {
    /// The terms of an entity of a response that is newer than some commits.
    ///
    /// If one of these commits was the last that has written the entity, it doesn't count as written since the request.
    ///
    /// - Parameter older: The revisions of commits that responses to older requests have made.
    fileprivate func disregarding<Value: Cachable>(
        _ older: Set<UInt64>,
        for id: Value.ID,
        _ hash: HashedID,
        in table: Table<Value>
    ) -> IncomingTerms {
        let written = table.withSlot(for: id, hash) { $0.writtenRevision }
        guard older.contains(written) else { return self }
        var terms = self
        terms.condition = .response(since: CacheRevision(number: written))
        return terms
    }
}

/// The error of an incomplete entity that a later one in the payload completes, which is no problem.
struct CompletedLater: Error {}

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
        var key: FlatCacheKey { Entity.flatCacheKey(id: id) }
        guard var entity = stored ?? makeEntity() else {
            throw PayloadProblem(.nothingStored, of: Self.self, key, at: codingPath)
        }
        apply(to: &entity)
        guard entity.id == id else { throw PayloadProblem(.changesIdentifier, of: Self.self, key, at: codingPath) }
        return entity
    }
}
