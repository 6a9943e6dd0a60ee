/// The replacement of an identifier in all lists, references and entities of a cache, in a transaction.
struct OwnerRenaming<Related: Cachable> {
    private let renaming: IDReplacement<Related>
    private let cache: FlatCache
    private let snapshot: Snapshot
    private let transaction: Transaction
    private(set) var changed: [FlatCacheKey] = []
    private(set) var unchanged: [IdentifierReplacement.UnchangedRelationship] = []

    init(_ renaming: IDReplacement<Related>, in cache: FlatCache, _ snapshot: Snapshot, _ transaction: Transaction) {
        self.renaming = renaming
        self.cache = cache
        self.snapshot = snapshot
        self.transaction = transaction
    }

    /// Replaces the identifier everywhere.
    mutating func run() {
        if let lists = cache.registry.find(ListContents<Related>.self)?.takeUnretainedValue() { rename(in: lists) }
        if let references = cache.registry.find(ReferenceContents<Related>.self)?.takeUnretainedValue() {
            rename(in: references)
        }
        for table in cache.ownerTables(of: Related.self) {
            let visited = table.accept(OwnerRenamingVisitor(renaming: self))
            self = visited
        }
        transaction.rename([renaming], inOwnersWithLayersOf: cache, snapshot)
    }

    /// Replaces the identifier in all lists, or in all references.
    private mutating func rename<Name: RenamedName>(in table: Table<Name>) where Name.Target == Related {
        let renaming = renaming
        change(in: table, among: nil) {
            $0.names(renaming)
        } _: {
            $0.rename(renaming)
        }
    }

    /// Replaces the identifier in all entities of a type.
    fileprivate mutating func rename<Owner: Cachable, Holder: RelationshipOwner>(
        in table: Table<Owner>,
        as type: Holder.Type
    ) {
        let renaming = renaming
        let names = Holder.namer(of: [renaming])
        let owners = change(in: table, among: indexedOwners(in: table, as: type)) { owner in
            (owner as? Holder).map(names) == true
        } _: { owner in
            guard var holder = owner as? Holder else { return }
            _ = holder.rename(renaming)
            if let renamed = holder as? Owner { owner = renamed }
        }
        for owner in owners {
            let key = owner.before.flatCacheKey
            guard let holder = owner.after as? Holder else { continue }
            let left = Holder.allRelationships.filter { $0.names(renaming, in: holder) }
            if left.count < Holder.allRelationships.filter({ $0.names(renaming, in: owner.before as? Holder) }).count {
                changed.append(key)
            }
            unchanged += left.map { .init(owner: key, property: "\($0.property)") }
        }
    }

    /// Changes confirmed entities.
    ///
    /// - Parameters:
    ///   - table: The table.
    ///   - found: The confirmed entities to look at, or `nil` for all.
    ///   - names: Returns whether an entity has the identifier.
    ///   - rename: Replaces the identifier in an entity.
    /// - Returns: The confirmed entities that had the identifier, and as they are now.
    @discardableResult
    private func change<Value: Cachable>(
        in table: Table<Value>,
        among found: [Value]?,
        where names: (Value) -> Bool,
        _ rename: (inout Value) -> Void
    ) -> [(before: Value, after: Value)] {
        let changes = transaction.table(table)
        var owners: [(before: Value, after: Value)] = []
        for value in found ?? changes.entities(in: snapshot).map({ $0.value }) where names(value) {
            var renamed = value
            rename(&renamed)
            let id = value.id
            renamed = changes.keepingMembers(in: renamed, id, replacing: rename)
            changes.write(renamed, id, HashedID(id))
            owners.append((value, renamed))
        }
        return owners
    }

    /// The entities of a type that have the identifier, if indexes find all of them.
    private func indexedOwners<Owner: Cachable, Holder: RelationshipOwner>(
        in table: Table<Owner>,
        as type: Holder.Type
    ) -> [Owner]? {
        var found: [SlotIdentity: StoredEntity<Owner>] = [:]
        for relationship in Holder.allRelationships where relationship.leads(to: Related.self) {
            guard let path = relationship.path,
                let entities = cache.indexedEntities(with: renaming.old, of: path, in: snapshot, of: table)
            else { return nil }
            for entity in entities { found[entity.slot] = entity }
        }
        return found.values.sorted { $0.ordinal < $1.ordinal }.map { $0.value }
    }
}

/// The visit of a table whose entities may have the identifier.
private struct OwnerRenamingVisitor<Related: Cachable>: TableVisitor {
    let renaming: OwnerRenaming<Related>

    func visit<Value>(_ table: Table<Value>) -> OwnerRenaming<Related> {
        guard let type = Value.self as? any RelationshipOwner.Type else { return renaming }
        var renaming = renaming
        renaming.rename(in: table, as: type)
        return renaming
    }
}

extension Transaction {
    /// Replaces identifiers in what is known of the layers of what names them, and applies the layers again.
    ///
    /// A layer that is added meanwhile is applied again afterwards. One that shows an identifier later replaces it itself.
    func rename<Related: Cachable>(
        _ renamings: [IDReplacement<Related>],
        inOwnersWithLayersOf cache: FlatCache,
        _ snapshot: Snapshot
    ) {
        let visitor = LayerRenamingVisitor(renamings: renamings, snapshot: snapshot, transaction: self)
        cache.registry.find(ListContents<Related>.self)?.takeUnretainedValue().accept(visitor)
        cache.registry.find(ReferenceContents<Related>.self)?.takeUnretainedValue().accept(visitor)
        for table in cache.ownerTables(of: Related.self) { table.accept(visitor) }
    }
}

/// The visit of a table whose layers are applied again where they name an identifier that is replaced.
private struct LayerRenamingVisitor<Related: Cachable>: TableVisitor {
    let renamings: [IDReplacement<Related>]
    let snapshot: Snapshot
    let transaction: Transaction

    func visit<Value>(_ table: Table<Value>) {
        if !table.hasLayers { return }
        let changes = transaction.table(table)
        for id in changes.layeredIDs(in: snapshot, where: namer()) {
            let entry = changes.editLayers(of: id)
            let renamed = entry.renamings
            entry.renamings += renamings.map { renaming in { renaming.renamed($0) } }
            if transaction.isNested { transaction.addUndo { entry.renamings = renamed } }
        }
    }

    /// Returns a closure that returns whether an entity has an identifier that is replaced, or `nil` for lists and references.
    ///
    /// The change of a list may remove an identifier that the list has only after the replacement.
    private func namer<Owner: Cachable>(of type: Owner.Type = Owner.self) -> ((Owner) -> Bool)? {
        func namer<Holder: RelationshipOwner>(_ type: Holder.Type) -> (Owner) -> Bool {
            let names = Holder.namer(of: renamings)
            return { owner in (owner as? Holder).map(names) == true }
        }
        return (Owner.self as? any RelationshipOwner.Type).map { namer($0) }
    }
}

extension TableTransaction {
    /// The identifiers of the keys with layers where an entity names something: the one that readers see, or the confirmed one.
    ///
    /// Keys of whose layers more is known, or which the transaction changes, are included. The transaction depends on all entities of
    /// the type, because others can come to name it meanwhile.
    ///
    /// - Parameter names: Returns whether an entity names it, or is `nil` if all are included.
    fileprivate func layeredIDs(in snapshot: Snapshot, where names: ((Value) -> Bool)?) -> [Value.ID] {
        noteReadOfAll(in: snapshot)
        var found: [Value.ID] = []
        table.walk(at: snapshot.revision) { slot -> LayeredKey<Value>? in
            if !slot.isLayered { return nil }
            let isChanged = entries.place(of: slot).map { layering?[$0] != nil } ?? false
            return LayeredKey(
                id: slot.id(of: Value.self),
                shown: slot.copy(of: Value.self),
                change: LayeredChange(of: slot),
                isChanged: isChanged
            )
        } _: { keys in
            for key in keys where key.isNoted || names.map({ key.names($0) }) ?? true { found.append(key.id) }
        }
        return found
    }
}

/// A key with layers.
private struct LayeredKey<Value: Cachable> {
    let id: Value.ID
    /// The entity that readers see, or `nil` for none.
    let shown: Value?
    let change: LayeredChange<Value>
    /// Whether the transaction changes the key.
    let isChanged: Bool

    func names(_ names: (Value) -> Bool) -> Bool { change.confirmed.map(names) == true || shown.map(names) == true }

    /// Whether more than the entities is known.
    var isNoted: Bool { isChanged || change.layers.contains { $0.notes != nil } }
}

extension IDReplacement {
    /// A list, a reference or an entity with the new identifier in place of the old one.
    fileprivate func renamed<Owner: Cachable>(_ owner: Owner) -> Owner {
        if var list = owner as? ListContents<Value> {
            list.rename(self)
            return list as? Owner ?? owner
        }
        if var reference = owner as? ReferenceContents<Value> {
            reference.rename(self)
            return reference as? Owner ?? owner
        }
        guard var holder = owner as? any RelationshipOwner else { return owner }
        _ = holder.rename(self)
        return holder as? Owner ?? owner
    }
}

extension RelationshipOwner {
    /// Returns a closure that returns whether an owner has an identifier that is replaced.
    ///
    /// It takes less time for many owners than to make the relationships for each.
    fileprivate static func namer<Related: Cachable>(of renamings: [IDReplacement<Related>]) -> (Self) -> Bool {
        let relationships = allRelationships.filter { $0.leads(to: Related.self) }
        return { owner in
            relationships.contains { relationship in renamings.contains { relationship.names($0, in: owner) } }
        }
    }
}

extension FlatCache {
    /// The tables of the types with relationships to a type.
    fileprivate func ownerTables<Related: Cachable>(of type: Related.Type) -> [EntityTable] {
        registry.all.filter { table in
            guard !table.isInternal, let owner = table.entityType as? any RelationshipOwner.Type else { return false }
            return RelatedTypes.of(owner, leadTo: type)
        }
    }
}

extension RelatedTypes {
    /// Whether relationships of a type lead to another type.
    static func of<Owner: RelationshipOwner>(_ type: Owner.Type, leadTo related: any Cachable.Type) -> Bool {
        var types = RelatedTypes()
        types.addTypes(of: type)
        return types.related.contains { $0 == related }
    }
}

extension FlatCache.AnyRelationship {
    /// Whether the relationship leads to a type.
    fileprivate func leads(to related: any Cachable.Type) -> Bool {
        var types = RelatedTypes()
        addTypes(&types)
        return types.related.contains { $0 == related }
    }
}

/// A list or a reference.
protocol RenamedName: InternalEntity {
    associatedtype Target: Cachable

    /// Whether it has an identifier that is replaced.
    func names(_ renaming: IDReplacement<Target>) -> Bool

    /// Replaces an identifier.
    mutating func rename(_ renaming: IDReplacement<Target>)

    /// The list or the reference without an identifier, or `nil` if nothing remains of it.
    func without(_ id: Target.ID) -> Self?
}

extension ListContents: RenamedName {
    func names(_ renaming: IDReplacement<Value>) -> Bool { contains(renaming.old) }

    /// The new identifier has the place of the old one, unless it is listed already.
    mutating func rename(_ renaming: IDReplacement<Value>) {
        guard let place = order.firstIndex(of: renaming.old) else { return }
        if !contains(renaming.new) {
            insert([renaming.new], at: place)
            gaps = gaps.map { gap in
                var gap = gap
                if gap.id == renaming.old { gap.id = renaming.new }
                return gap
            }
            if paged.contains(renaming.old) { _ = paged.insert(renaming.new) }
        }
        _ = remove(renaming.old)
    }

    func without(_ id: Value.ID) -> Self? {
        var contents = self
        _ = contents.remove(id)
        return contents
    }
}

extension ReferenceContents: RenamedName {
    func names(_ renaming: IDReplacement<Value>) -> Bool { target == renaming.old }

    mutating func rename(_ renaming: IDReplacement<Value>) {
        if !names(renaming) { return }
        self = ReferenceContents(id: id, target: renaming.new, dropsRemoved: dropsRemoved)
    }

    func without(_ id: Value.ID) -> Self? { nil }
}
