extension PendingMutation: LayerOwner {
    @usableFromInline func changes<Value: Cachable>(
        from old: Value?,
        to new: Value?,
        besides others: (any MemberChanges<Value>)?
    ) -> any MemberChanges<Value> {
        ChangedMembers(from: old, to: new).union(others)
    }
}

/// The members in which versions of an entity differ: stored properties, or the identifiers of a list.
struct ChangedMembers<Value: Cachable>: MemberChanges {
    /// The names of the properties or the identifiers, or `nil` if the values differ in other ways, such as cases of an enum.
    private var names: Set<MemberName>?
    /// Versions that differ in them.
    private var versions: [(old: Value?, new: Value?)]
    /// The names of other coded members that differ.
    private var codedNames: Set<String> = []

    init(from old: Value?, to new: Value?) {
        names = Self.names(old, new)
        versions = [(old, new)]
    }

    /// The members, and those of earlier changes.
    fileprivate func union(_ earlier: (any MemberChanges<Value>)?) -> Self {
        (earlier as? Self)?.union(self) ?? self
    }

    private func union(_ other: Self) -> Self {
        guard let names, let added = other.names else { return Self(from: nil, to: nil) }
        if added.isEmpty { return self }
        var union = self
        if !added.isSubset(of: names) {
            union.names = names.union(added)
            union.versions += other.versions
        } else if !(Value.self is any ListedMembers.Type), let coded = other.differingCodedNames {
            // A property can be coded by several members.
            union.codedNames.formUnion(coded)
        }
        return union
    }

    func renamed(_ rename: (Value?) -> Value?) -> any MemberChanges<Value> {
        var renamed = self
        renamed.versions = versions.map { (rename($0.old), rename($0.new)) }
        if Value.self is any ListedMembers.Type {
            renamed.names = renamed.versions.reduce(into: []) {
                $0?.formUnion(Self.names($1.old, $1.new) ?? [])
            }
        }
        return renamed
    }

    func copied(from source: Value?, to target: Value?) -> Value? {
        guard let names else { return nil }
        if let type = Value.self as? any ListedMembers.Type {
            return type.copied(names, from: source, to: target) as? Value
        }
        guard let source, let target, !names.isEmpty else { return target }
        guard let differing = Self.names(source, target) else { return nil }
        if differing.isDisjoint(with: names) { return target }
        if differing.isSubset(of: names) { return source }
        return coded(from: source, to: target)
    }

    private func coded(from source: Value, to target: Value) -> Value? {
        let id = target.id
        guard let source = CodedMembers(of: source)?.members, let target = CodedMembers(of: target) else { return nil }
        guard let names = differingCodedNames else { return nil }
        let copied = Dictionary(uniqueKeysWithValues: names.map { ($0, source[$0] ?? .null) })
        return target.value(with: copied).flatMap { $0.id == id ? $0 : nil }
    }

    /// The names of the coded members that differ, or `nil` if the values can't be coded.
    private var differingCodedNames: Set<String>? {
        var names = codedNames
        for version in versions {
            guard let old = version.old, let new = version.new, let old = CodedMembers(of: old)?.members,
                let new = CodedMembers(of: new)?.members
            else { return nil }
            for name in Set(old.keys).union(new.keys) where !EntityMember.areSame(old[name], new[name]) {
                names.insert(name)
            }
        }
        return names
    }

    /// The names of the stored properties that differ, or `nil` if the values don't have the same properties.
    private static func names(_ first: Value?, _ second: Value?) -> Set<MemberName>? {
        if let type = Value.self as? any ListedMembers.Type { return type.differences(first, second) }
        guard let first, let second else { return nil }
        let mirrors = (Mirror(reflecting: first), Mirror(reflecting: second))
        guard mirrors.0.displayStyle == .struct, mirrors.0.children.count == mirrors.1.children.count else {
            return isSame(first, second) ? [] : nil
        }
        var names: Set<MemberName> = []
        for (child, other) in zip(mirrors.0.children, mirrors.1.children) where !isSame(child.value, other.value) {
            guard let name = child.label, name == other.label else { return nil }
            names.insert(.property(name))
        }
        return names
    }
}

/// The name of a member of an entity or of a list.
private enum MemberName: Hashable {
    /// The name of a stored property.
    case property(String)
    /// The key of a listed entity.
    case listed(FlatCacheKey)
}

/// Contents whose members are the identifiers that they list.
private protocol ListedMembers {
    /// The identifiers that only one of two lists has, and those that have moved.
    static func differences(_ first: Any?, _ second: Any?) -> Set<MemberName>

    /// A list with those of some identifiers that another one has, at their places, and without the others of them.
    static func copied(_ ids: Set<MemberName>, from source: Any?, to target: Any?) -> Any?

    /// Lets no page that was asked for before list some identifiers, unless the contents have them.
    func noteRemovals(_ keys: [FlatCacheKey], in cache: FlatCache)
}

extension EntityStep {
    /// Lets no page of a list that was asked for before list identifiers again that the confirmed change removes.
    @usableFromInline func noteRemovals(in result: Value?, of cache: FlatCache) {
        if !named.isEmpty { (result as? any ListedMembers)?.noteRemovals(named, in: cache) }
    }
}

extension ListContents: ListedMembers {
    fileprivate static func differences(_ first: Any?, _ second: Any?) -> Set<MemberName> {
        let (first, second) = (first as? Self ?? Self(name: ""), second as? Self ?? Self(name: ""))
        let ids = first.members.subtracting(second.members) + second.members.subtracting(first.members)
        return Set((ids + second.moved(since: first)).map { .listed(FlatCacheKey(Value.self, id: $0)) })
    }

    fileprivate static func copied(_ ids: Set<MemberName>, from source: Any?, to target: Any?) -> Any? {
        guard let any = (target ?? source) as? Self else { return nil }
        var empty = any
        empty.replace(with: [])
        return (target as? Self ?? empty).copying(ids, of: source as? Self ?? empty)
    }

    fileprivate func noteRemovals(_ keys: [FlatCacheKey], in cache: FlatCache) {
        let ids = keys.compactMap { $0.id(as: Value.self) }.map { cache.currentID(of: Value.self, $0) }
        cache.list(id, of: Value.self).noteRemovals(ids.filter { !contains($0) })
    }

    private func copying(_ ids: Set<MemberName>, of source: Self) -> Self {
        var list = self
        let moved = Set(source.moved(since: list))
        let (listed, removed) = ids.reduce(into: ([], [])) { (lists: inout ([Value.ID], [Value.ID]), id) in
            guard case .listed(let key) = id, let id = key.id(as: Value.self) else { return }
            let isListed = source.contains(id)
            if !isListed || moved.contains(id) { lists.1.append(id) }
            if isListed && (!list.contains(id) || moved.contains(id)) { lists.0.append(id) }
        }
        if removed.contains(where: list.contains) { _ = list.remove(contentsOf: removed) }
        if listed.isEmpty { return list }
        let added = Set(listed)
        var previous: Value.ID?
        for id in source.order {
            if added.contains(id) {
                list.insert([id], at: previous.flatMap(list.order.firstIndex).map { $0 + 1 } ?? 0)
                if source.isPaged(id) { list.notePage([id]) }
            }
            if list.contains(id) { previous = id }
        }
        // A gap that follows one of them has followed the one before while that was not listed.
        let gaps = source.gaps.filter { $0.id.map(added.contains) == true }
        list.gaps = list.gaps.map { gap in gaps.first { $0.above.number == gap.above.number } ?? gap }
        return list
    }
}

extension EntityMember {
    /// Whether two members are the same, of which `nil` is one that isn't encoded.
    fileprivate static func areSame(_ first: EntityMember?, _ second: EntityMember?) -> Bool {
        switch (first ?? .null, second ?? .null) {
        case (.null, .null): return true
        case (.value(let first), .value(let second)):
            guard let first = first as? NestedMembers, let second = second as? NestedMembers else {
                return isSame(first, second)
            }
            return Set(first.members.keys).union(second.members.keys).allSatisfy {
                areSame(first.members[$0], second.members[$0])
            }
        default: return false
        }
    }
}
