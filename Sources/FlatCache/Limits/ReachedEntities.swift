/// The entities that others lead to over relationships, pinned so that they aren't evicted.
///
/// Only the thread that evicts uses it.
final class ReachedEntities: IDVisitor {
    private let cache: FlatCache
    /// The pinned slots by type.
    private var reached: [ObjectIdentifier: any ErasedReachedSlots] = [:]
    /// The number of slots that were searched for held entities, and of identifiers in lists.
    fileprivate(set) var searched = 0

    init(in cache: FlatCache) {
        self.cache = cache
    }

    fileprivate func slots<Value: Cachable>(of type: Value.Type) -> ReachedSlots<Value> {
        if let known = reached[ObjectIdentifier(type)] { return unsafeDowncast(known, to: ReachedSlots<Value>.self) }
        let made = ReachedSlots(of: cache.registry.table(of: type).takeUnretainedValue())
        reached[ObjectIdentifier(type)] = made
        return made
    }

    func visit<Related: Cachable>(_ type: Related.Type, _ ids: [Related.ID]) {
        if ids.isEmpty { return }
        let slots = slots(of: type)
        for id in ids { slots.add(id) }
    }

    /// Adds entities with keys.
    func add(_ keys: some Sequence<FlatCacheKey>) {
        for key in keys {
            func add<Value: Cachable>(_ type: Value.Type) {
                if let id = key.id(as: type) { visit(type, [id]) }
            }
            add(key.entityType)
        }
    }

    /// Adds what the entities lead to that were added since the last call.
    ///
    /// - Returns: Whether any were added then.
    func follow() -> Bool {
        let news = reached.values.filter { $0.hasNews }
        for slots in news { slots.follow(self) }
        return !news.isEmpty
    }

    /// Unpins all.
    func end() {
        for slots in reached.values { slots.end() }
        reached = [:]
    }
}

extension ReachedEntities {
    /// Adds the entities of a type that handles, observers, running code, lists, references and limited queries need.
    ///
    /// - Parameter keeps: The number of identifiers at the beginning of lists that don't say it, or `nil` for all of all lists.
    func addRoots<Value: Cachable>(of table: Table<Value>, keeping keeps: Int?, isHeld: Bool) {
        if isHeld { addHeld(of: table) }
        if let lists = cache.registry.find(ListContents<Value>.self)?.takeUnretainedValue() {
            for list in lists.values {
                let ids = Array(list.order.prefix(keeps.map { list.keeps ?? $0 } ?? .max))
                searched += ids.count
                visit(Value.self, ids)
            }
        }
        if let references = cache.registry.find(ReferenceContents<Value>.self)?.takeUnretainedValue() {
            visit(Value.self, references.values.map { $0.target })
        }
        for share in cache.queryShares.all { share.visitLimitedAnswer(of: Value.self, self) }
    }

    /// Adds the entities that handles, observers and running code need.
    private func addHeld<Value: Cachable>(of table: Table<Value>) {
        let history = cache.history.object
        let snapshot = history.open()
        defer { history.close(snapshot) }
        let slots = slots(of: Value.self)
        var count = 0
        table.walk(at: snapshot) { slot in
            count += 1
            guard slot.isHeld else { return nil as Slot? }
            slot.pins += 1
            return slot
        } _: {
            slots.addPinned($0)
        }
        searched += count
    }
}

extension FlatCache {
    /// Pins the entities of a type that must remain although nothing has pinned them, until the end of the result.
    ///
    /// Those that handles and observers need themselves are found when they are about to be evicted.
    ///
    /// - Parameters:
    ///   - type: The type.
    ///   - depth: The number of relationships from what is needed to what is protected.
    ///   - keeps: The number of identifiers at the beginning of each list that are needed.
    ///   - distance: Returns the number of relationships from a type to this one, at least one, or `nil` if there are more than
    ///     the depth.
    func protected<Value: Cachable>(
        _ type: Value.Type,
        depth: Int,
        keeping keeps: Int,
        distance: (any Cachable.Type) -> Int?
    ) -> ReachedEntities {
        let reached = ReachedEntities(in: self)
        for table in registry.all where !table.isInternal {
            let distance = table.entityType == type ? 0 : distance(table.entityType)
            if let distance { table.accept(RootAddition(reached: reached, keeps: keeps, isHeld: distance > 0)) }
        }
        // A type can refer to itself.
        if distance(type) != nil, let table = registry.find(type)?.takeUnretainedValue() {
            reached.addRoots(of: table, keeping: keeps, isHeld: true)
        }
        for _ in 0..<max(depth, 0) where !reached.follow() { break }
        return reached
    }
}

/// The addition of the roots of a type.
struct RootAddition: TableVisitor {
    let reached: ReachedEntities
    let keeps: Int?
    let isHeld: Bool

    func visit<Value>(_ table: Table<Value>) { reached.addRoots(of: table, keeping: keeps, isHeld: isHeld) }
}

extension RelatedTypes {
    /// The number of relationships from one type to another one, or `nil` if there are more than a maximum.
    ///
    /// From a type to itself there is at least one.
    static func distance(from type: any Cachable.Type, to other: any Cachable.Type, _ maximum: Int) -> Int? {
        var known: Set<ObjectIdentifier> = []
        var last: [any Cachable.Type] = [type]
        for distance in 1...max(maximum, 1) where maximum > 0 {
            let related = last.flatMap { RelatedTypes(of: $0).related }
            if related.contains(where: { $0 == other }) { return distance }
            last = related.filter { known.insert(ObjectIdentifier($0)).inserted }
            if last.isEmpty { return nil }
        }
        return nil
    }

    private init(of type: any Cachable.Type) {
        self.init()
        if let owner = type as? any RelationshipOwner.Type { addTypes(of: owner) }
    }
}

/// The pinned slots of a type, without their static type.
private protocol ErasedReachedSlots: AnyObject {
    /// Whether slots were added since the last call of ``follow(_:)``.
    var hasNews: Bool { get }

    /// Visits what the entities lead to that were added since the last call.
    func follow(_ visitor: ReachedEntities)

    /// Unpins all slots.
    func end()
}

/// The pinned slots of a type.
private final class ReachedSlots<Value: Cachable>: ErasedReachedSlots {
    private let table: Table<Value>
    private var pinned: Set<Slot> = []
    private var news: [Slot] = []

    init(of table: Table<Value>) {
        self.table = table
    }

    /// Adds the entity with an identifier, if there is one.
    func add(_ id: Value.ID) {
        if let slot = table.pinnedExistingSlot(for: id, HashedID(id)) { addPinned([slot]) }
    }

    /// Adds slots that are pinned already.
    func addPinned(_ slots: [Slot]) {
        for slot in slots {
            if pinned.insert(slot).inserted { news.append(slot) } else { table.unpin(slot) }
        }
    }

    var hasNews: Bool { !news.isEmpty }

    func follow(_ visitor: ReachedEntities) {
        let slots = news
        news = []
        guard let type = Value.self as? any RelationshipOwner.Type else { return }
        follow(slots, as: type, visitor)
    }

    private func follow<Owner: RelationshipOwner>(
        _ slots: [Slot],
        as type: Owner.Type,
        _ visitor: ReachedEntities
    ) {
        let relationships = type.allRelationships
        if relationships.isEmpty { return }
        for slot in slots {
            guard let value = table.withSlot(slot, { slot.copy(of: Value.self) }), let owner = value as? Owner else {
                continue
            }
            for relationship in relationships { relationship.visit(owner, visitor) }
        }
    }

    func end() {
        let slots = pinned
        pinned = []
        for slot in slots { table.unpin(slot) }
    }
}
