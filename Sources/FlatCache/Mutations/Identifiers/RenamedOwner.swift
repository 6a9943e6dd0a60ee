extension RelationshipOwner {
    /// Replaces identifiers in the properties of this type and of the values in them.
    ///
    /// A constant is replaced if the type can be encoded and decoded.
    ///
    /// - Parameter renaming: The replacement.
    /// - Returns: The properties that still have an identifier which should be replaced, each with its type.
    mutating func rename(_ renaming: any IDRenaming) -> [String] {
        if !names(renaming) { return [] }
        for relationship in Self.allRelationships { relationship.rename(&self, renaming) }
        if names(renaming) {
            var types = RelatedTypes()
            types.addTypes(of: Self.self)
            for type in types.related {
                let renaming = RenamingOfType(type: type, renaming: renaming)
                if names(renaming), let rebuilt = RebuiltOwner(of: self, renaming).owner { self = rebuilt }
            }
        }
        return Self.allRelationships.filter { $0.count(in: self, renaming) > 0 }.map { "\($0.property)" }
    }

    /// Whether any relationship has an identifier that is replaced.
    func names(_ renaming: any IDRenaming) -> Bool { count(of: renaming) > 0 }

    /// The number of identifiers that are replaced.
    fileprivate func count(of renaming: any IDRenaming) -> Int {
        Self.allRelationships.reduce(0) { $0 + $1.count(in: self, renaming) }
    }
}

extension FlatCache.AnyRelationship {
    /// Whether an owner has an identifier that is replaced.
    func names(_ renaming: any IDRenaming, in owner: Owner?) -> Bool {
        owner.map { count(in: $0, renaming) > 0 } ?? false
    }

    /// The number of identifiers of an owner that are replaced.
    fileprivate func count(in owner: Owner, _ renaming: any IDRenaming) -> Int {
        let counter = ReplacedIDCounter(renaming)
        visit(owner, counter)
        return counter.count
    }
}

/// The replacement of the identifiers of one type, which finds identifiers among values without knowing their meaning.
private struct RenamingOfType: IDRenaming {
    let type: any Cachable.Type
    let renaming: any IDRenaming

    func other<Related: Cachable>(_ type: Related.Type, _ id: Related.ID) -> Related.ID? {
        type == self.type ? renaming.other(type, id) : nil
    }

    /// The replacement of a value that may be an identifier of the type, or `nil` if it isn't replaced.
    func other(_ value: Any) -> Any? {
        func replaced<Value: Cachable>(_ type: Value.Type) -> Any? {
            (value as? Value.ID).flatMap { renaming.other(type, $0) }
        }
        let type = type
        return replaced(type)
    }
}

/// Counts identifiers that are replaced.
private final class ReplacedIDCounter: IDVisitor {
    private let renaming: any IDRenaming
    private(set) var count = 0

    init(_ renaming: any IDRenaming) {
        self.renaming = renaming
    }

    func visit<Value: Cachable>(_ type: Value.Type, _ ids: [Value.ID]) {
        for id in ids where renaming.other(type, id) != nil { count += 1 }
    }
}

/// An owner with constants that have other identifiers, made by its own `encode(to:)` and `init(from:)`.
///
/// The members are encoded as values of their types. A member is changed if that lets the relationships have fewer of the
/// identifiers that are replaced, so a title with the same text isn't.
private struct RebuiltOwner<Owner: RelationshipOwner> {
    /// The owner, or `nil` if nothing can be changed.
    private(set) var owner: Owner?

    init(of original: Owner, _ renaming: RenamingOfType) {
        guard let coded = CodedMembers(of: original) else { return }
        let count = original.count(of: renaming)
        func isBetter(_ changed: [String: EntityMember]) -> Bool {
            coded.value(with: changed).map { $0.count(of: renaming) < count } == true
        }
        let changed = Self.changed(coded.members, renaming, isBetter)
        owner = coded.value(with: changed).flatMap { $0.count(of: renaming) < count ? $0 : nil }
    }

    /// The members that are changed, with those of nested containers.
    private static func changed(
        _ members: [String: EntityMember],
        _ renaming: RenamingOfType,
        _ isBetter: ([String: EntityMember]) -> Bool
    ) -> [String: EntityMember] {
        var changed: [String: EntityMember] = [:]
        for (name, member) in members {
            guard case .value(let value) = member else { continue }
            if let nested = value as? NestedMembers {
                let inner = Self.changed(nested.members, renaming) { isBetter([name: nested.with($0)]) }
                if !inner.isEmpty { changed[name] = nested.with(inner) }
            } else if let renamed = renamedValue(value, renaming), isBetter([name: .value(renamed)]) {
                changed[name] = .value(renamed)
            }
        }
        return changed
    }
}

extension NestedMembers {
    /// The container with some other members.
    fileprivate func with(_ changed: [String: EntityMember]) -> EntityMember {
        .value(NestedMembers(members: members.merging(changed) { $1 }))
    }
}

extension CodedMembers where Value: Cachable {
    /// The entity with another identifier, or `nil` if no member is the identifier.
    func value(withID id: Value.ID) -> Value? {
        members.lazy.compactMap { name, member in
            guard case .value(let known) = member, known is Value.ID else { return nil }
            return value(with: [name: .value(id)])
        }.first { $0.id == id }
    }
}

/// A value whose identifiers are replaced, or `nil` if it has none that is.
///
/// The value is an identifier, an owner, or a collection of those.
private func renamedValue(_ value: Any, _ renaming: RenamingOfType) -> Any? {
    if let value = value as? any ContainerOfIDs { return value.renamed(renaming) }
    if let owner = value as? any RelationshipOwner { return renamedOwner(owner, renaming) }
    return renaming.other(value)
}

private func renamedOwner<Owner: RelationshipOwner>(_ owner: Owner, _ renaming: RenamingOfType) -> Any? {
    var renamed = owner
    if !owner.names(renaming) { return nil }
    return renamed.rename(renaming).isEmpty ? renamed : nil
}

/// A standard collection of values.
private protocol ContainerOfIDs {
    func renamed(_ renaming: RenamingOfType) -> Any?
}

extension Array: ContainerOfIDs {
    fileprivate func renamed(_ renaming: RenamingOfType) -> Any? {
        let others = map { renamedValue($0, renaming) as? Element }
        if !others.contains(where: { $0 != nil }) { return nil }
        // An identifier that is there already isn't added.
        let areIDs = !(Element.self is any RelationshipOwner.Type)
        var known = areIDs ? Set(compactMap { $0 as? AnyHashable }) : []
        return zip(self, others).compactMap { element, other -> Element? in
            guard let other else { return element }
            guard areIDs, let id = other as? AnyHashable else { return other }
            return known.insert(id).inserted ? other : nil
        }
    }
}

extension Set: ContainerOfIDs {
    fileprivate func renamed(_ renaming: RenamingOfType) -> Any? {
        (Array(self).renamed(renaming) as? [Element]).map { Set($0) }
    }
}

extension Dictionary: ContainerOfIDs {
    fileprivate func renamed(_ renaming: RenamingOfType) -> Any? {
        var isChanged = false
        let renamed = mapValues { value in
            guard let other = renamedValue(value, renaming) as? Value else { return value }
            isChanged = true
            return other
        }
        return isChanged ? renamed : nil
    }
}

extension Optional: ContainerOfIDs {
    fileprivate func renamed(_ renaming: RenamingOfType) -> Any? { flatMap { renamedValue($0, renaming) } }
}
