extension PendingMutation: LayerOwner {
    @usableFromInline func changes<Value: Cachable>(from old: Value?, to new: Value?) -> any MemberChanges<Value> {
        let changes = (Value.self as? any ListOfMembers.Type)?.changes(from: old, to: new)
        return changes as? any MemberChanges<Value> ?? ChangedMembers(from: old, to: new)
    }

    @usableFromInline func copiesMembers<Value: Cachable>(of value: Value) -> Bool {
        Value.self is any InternalEntity.Type || CodedMembers(of: value) != nil
    }
}

/// The stored properties in which versions of an entity differ.
struct ChangedMembers<Value: Cachable>: MemberChanges {
    /// The names of the properties, or `nil` if the values differ in other ways, such as cases of an enum.
    private var names: Set<String>?
    /// Versions that differ in them.
    private var versions: [(old: Value?, new: Value?)]
    /// The names of other coded members that differ.
    private var codedNames: Set<String> = []

    init(from old: Value?, to new: Value?) {
        names = Self.names(old, new)
        versions = [(old, new)]
    }

    var isEmpty: Bool { names?.isEmpty == true }

    func union(_ earlier: (any MemberChanges<Value>)?) -> any MemberChanges<Value> {
        (earlier as? Self)?.union(self) ?? self
    }

    private func union(_ other: Self) -> Self {
        guard let names, let added = other.names else { return Self(from: nil, to: nil) }
        if added.isEmpty { return self }
        var union = self
        if !added.isSubset(of: names) {
            union.names = names.union(added)
            union.versions += other.versions
        } else if let coded = other.differingCodedNames {
            // A property can be coded by several members.
            union.codedNames.formUnion(coded)
        }
        return union
    }

    func renamed(_ rename: (Value?) -> Value?) -> any MemberChanges<Value> {
        var renamed = self
        renamed.versions = versions.map { (rename($0.old), rename($0.new)) }
        return renamed
    }

    func copied(from source: Value?, to target: Value?) -> Value? {
        guard let names else { return nil }
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
    private static func names(_ first: Value?, _ second: Value?) -> Set<String>? {
        guard let first, let second else { return nil }
        let mirrors = (Mirror(reflecting: first), Mirror(reflecting: second))
        guard mirrors.0.displayStyle == .struct, mirrors.0.children.count == mirrors.1.children.count else {
            return isSame(first, second) ? [] : nil
        }
        var names: Set<String> = []
        for (child, other) in zip(mirrors.0.children, mirrors.1.children) where !isSame(child.value, other.value) {
            guard let name = child.label, name == other.label else { return nil }
            names.insert(name)
        }
        return names
    }
}
