extension FlatCache {
    /// A rule for the entities of a type when an entity that they refer to is removed.
    ///
    ///     extension Post {
    ///         static var deleteRules: [FlatCache.DeleteRule<Post>] {
    ///             [.init(\.author, .cascade), .init(\.editor, .nullify)]
    ///         }
    ///     }
    ///
    /// The rule is applied in the commit that removes the entity, by whatever method, also if the entity itself isn't stored. It
    /// concerns entities that refer to it only by the changes of pending mutations, too. The entities that it removes can have
    /// rules, too. Each entity is removed once, also if entities refer to each other in a circle. In a transaction, the rule is
    /// applied at the removal, so what is stored afterwards remains.
    ///
    /// An entity that was evicted in a cache without a store is forgotten. Entities that only a store has are changed
    /// before the store is next written or read, in a commit of its own. One that the app writes before remains as it
    /// is written. If `removeAll` or `replaceAll` removes a type of which entities are only in the store, those in
    /// memory that refer to them are changed then, too. To find the entities, a queue of the store reads all of their
    /// type, and of the types that refer to those, and so on. A chain of *n* entities of one type takes it O(*n*²). The
    /// page 'Stores in detail' of `FlatCacheStore` has the details.
    ///
    /// A pending mutation that removes an entity applies the rule to entities that are in memory when it begins.
    ///
    /// ``FlatCache/removeAll()`` applies no rules, because it removes all entities. An `update` that changes the identifier
    /// moves the entity, and applies none either.
    ///
    /// An entity in an answer whose request began before the removal follows the rule, too: it isn't stored, or loses
    /// the identifier. A rule finds entities by an index of the property, which is built when the rule is first
    /// applied. A backlink and an annotation `// cache: index` use the same index.
    ///
    /// The build plugin generates ``Cachable/deleteRules`` from annotations with `delete:`.
    ///
    /// The related type can belong to another module. A type with `cascade` or `nullify` in an annotation can't declare
    /// the rules itself.
    public struct DeleteRule<Owner: Cachable>: Sendable {
        /// What becomes of an entity when an entity that it refers to is removed.
        public enum Action: Hashable, Sendable {
            /// It is removed, too.
            case cascade
            /// It loses the identifier: an optional property becomes `nil`, and a collection has one element less.
            ///
            /// A collection of optional identifiers loses elements that are `nil`, too, as when its relationship is set.
            /// A required identifier, and a property that can't be set, remain as they are.
            case nullify
        }

        let declared: DeclaredRule

        /// Creates a rule.
        ///
        /// - Parameters:
        ///   - relationship: The relationship of the entity to the one that is removed.
        ///   - action: What becomes of the entity.
        ///   - index: An index of the property with the identifiers, which other queries use, too. Without it, the rule has
        ///     an index of its own. It is built when the rule is first applied.
        public init<Kind: PropertyKind>(
            _ relationship: any KeyPath<Owner.Relationships, Relationship<Owner, Kind>> & Sendable,
            _ action: Action,
            index: Index<Owner>? = nil
        ) where Owner: RelationshipOwner {
            let rule = OwnersRule<Kind.Related, Owner>(
                Owner.relationships[keyPath: relationship],
                action,
                index: index ?? Index(of: relationship)
            )
            declared = DeclaredRule(relatedType: Kind.Related.self, rule: rule)
        }
    }
}

/// A delete rule for the entities that refer to one of a type.
class DeleteRuleOfRelated<Related: Cachable>: RemovalRule, @unchecked Sendable {
    /// Applies the rule in the transaction of the calling thread.
    ///
    /// It runs user code, so no lock may be held.
    ///
    /// - Parameters:
    ///   - ids: The identifiers of entities that the transaction has removed.
    ///   - cache: The cache.
    func apply(_ ids: [Related.ID], in cache: FlatCache) {}

    /// Whether the rule is for entities of users, and not for names.
    var hasOwners: Bool { false }

    /// Whether only a store may have some of the entities that refer to a removed one.
    func mayHaveStoredOwners(in cache: FlatCache) -> Bool { false }

    /// Applies the rule in the transaction of the calling thread to entities in memory that weren't written since a removal.
    ///
    /// - Parameters:
    ///   - ids: The identifiers of removed entities.
    ///   - revision: The revision before the removal.
    ///   - cache: The cache.
    func apply(_ ids: [Related.ID], toOwnersBefore revision: UInt64, in cache: FlatCache) {}

    /// Notes that the owners that the transaction of the calling thread has stored were stored before the removal of all in it.
    ///
    /// - Parameters:
    ///   - number: The number of the removal.
    ///   - cache: The cache.
    func noteOwners(before number: UInt64, in cache: FlatCache) {}

    /// Builds the index that finds the owners.
    func buildIndex(in cache: FlatCache) {}

    /// Visits what the rule changes if entities are removed.
    ///
    /// - Parameters:
    ///   - ids: The identifiers of the entities.
    ///   - snapshot: The state in which the owners are found.
    ///   - cache: The cache.
    ///   - visitor: The visitor.
    func visit(_ ids: [Related.ID], in snapshot: Snapshot, of cache: FlatCache, _ visitor: inout some OwnerVisitor) {}
}

extension RemovalRule {
    /// The rule, of which all are delete rules.
    func deleteRule<Related: Cachable>(of type: Related.Type) -> DeleteRuleOfRelated<Related> {
        unsafeDowncast(self, to: DeleteRuleOfRelated<Related>.self)
    }
}

/// An operation on the entities that delete rules change.
protocol OwnerVisitor {
    /// Visits an entity that a rule changes, or removes by returning `nil`.
    mutating func visit<Owner: Cachable>(_ owner: Owner, _ change: @escaping @Sendable (Owner) -> Owner?)
}

extension FlatCache {
    /// Adds a rule for names of entities, such as lists, unless there is one.
    ///
    /// - Parameters:
    ///   - type: The type of the entities.
    ///   - index: An index of the names by the identifiers of entities.
    ///   - refers: Returns whether a name refers to one of several entities.
    ///   - drop: Returns a name without the identifiers of removed entities, or `nil` if it is removed.
    func addDeleteRule<Related: Cachable, Name: InternalEntity>(
        of type: Related.Type,
        _ index: Index<Name>,
        refers: @escaping @Sendable (Name, KeySet<Related.ID>) -> Bool,
        drop: @escaping @Sendable (Name, KeySet<Related.ID>) -> Name?
    ) {
        let rule = OwnersRule<Related, Name>(index, refers: refers, drop)
        let table = registry.table(of: Related.self).takeUnretainedValue()
        table.add(rule) { $0 is OwnersRule<Related, Name> }
    }
}

extension FlatCache {
    /// Applies the delete rules for entities that the transaction of the calling thread has removed.
    ///
    /// - Parameters:
    ///   - changes: The changes of the type in the transaction.
    ///   - ids: Returns the identifiers of the removed entities, if there are rules.
    func applyDeleteRules<Value: Cachable>(
        in changes: TableTransaction<Value>,
        to ids: () -> [Value.ID]
    ) {
        let rules = changes.rules
        if rules.isEmpty { return }
        let ids = ids()
        if ids.isEmpty { return }
        changes.transaction.apply { [self] in
            for rule in rules { rule.deleteRule(of: Value.self).apply(ids, in: self) }
        }
        noteRemovals(of: Value.self, ids, rules)
    }
}

extension FlatCache {
    /// Visits what delete rules change if an entity is removed, as the calling thread sees it.
    ///
    /// - Parameters:
    ///   - type: The type of the entity.
    ///   - id: Its identifier.
    ///   - visitor: The visitor.
    func visitOwners<Value: Cachable>(_ type: Value.Type, of id: Value.ID, _ visitor: inout some OwnerVisitor) {
        let table = registry.table(of: type).takeUnretainedValue()
        let rules = table.shards[0].whileLocked { table.removalRules }
        for rule in rules {
            rule.deleteRule(of: type).buildIndex(in: self)
            table.withSnapshot { rule.deleteRule(of: type).visit([id], in: $0, of: self, &visitor) }
        }
    }
}

extension FlatCache.Index where Value: RelationshipOwner {
    /// Creates an index by each identifier of a relationship.
    fileprivate init<Kind: FlatCache.PropertyKind>(
        of relationship: any KeyPath<Value.Relationships, FlatCache.Relationship<Value, Kind>> & Sendable
    ) {
        let identifiers = Value.relationships[keyPath: relationship].identifiers
        let keys = Keys<Kind.Related.ID> {
            Kind._ids(identifiers($0))
        } areEqual: {
            identifiers($0) == identifiers($1)
        }
        self.init(relationship, keys, isUnique: false)
    }
}

extension FlatCache.DeleteRule: CustomStringConvertible, CustomReflectable {
    /// A line with the owner and the related type: `FlatCache.DeleteRule<Blog.Post>: Blog.Author`.
    public var description: String {
        let related = String(reflecting: declared.relatedType)
        return Summary.line(Summary.name("FlatCache.DeleteRule", of: Owner.self), nil, [related])
    }

    /// No members, so that `dump` prints the line alone.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
