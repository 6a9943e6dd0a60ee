extension PendingMutation: LayerOwner {
    @usableFromInline func copyChanges<Value: Cachable>(
        from old: Value,
        to new: Value,
        of source: Value,
        to target: Value
    ) -> Value { ChangedMembers(from: old, to: new).copied(from: source, to: target) }
}

/// The members in which two versions of an entity differ.
struct ChangedMembers<Value: Cachable> {
    private let old: Value
    private let new: Value
    /// The names of the members, or `nil` if the values differ in other ways, such as cases of an enum.
    private let names: Set<String>?

    init(from old: Value, to new: Value) {
        self.old = old
        self.new = new
        names = Self.names(old, new)
    }

    /// Copies the members from one entity to another.
    ///
    /// - Returns: The other entity with the members. If they can't be copied one by one, because the type isn't `Codable`, it is the
    ///   other entity if that has the members already, and else the first one as a whole.
    func copied(from source: Value, to target: Value) -> Value {
        guard let names else { return source }
        if names.isEmpty { return target }
        guard let differing = Self.names(source, target) else { return source }
        if differing.isDisjoint(with: names) { return target }
        if differing.isSubset(of: names) { return source }
        return coded(from: source, to: target) ?? source
    }

    private func coded(from source: Value, to target: Value) -> Value? {
        let coded = (CodedMembers(of: old), CodedMembers(of: new), CodedMembers(of: source), CodedMembers(of: target))
        guard let old = coded.0?.members, let new = coded.1?.members, let source = coded.2?.members,
            let target = coded.3
        else { return nil }
        var copied: [String: EntityMember] = [:]
        for name in Set(old.keys).union(new.keys) where !EntityMember.areSame(old[name], new[name]) {
            copied[name] = source[name] ?? .null
        }
        return target.value(with: copied).flatMap { $0.id == self.new.id ? $0 : nil }
    }

    /// The names of the stored properties that differ, or `nil` if the values don't have the same properties.
    private static func names(_ first: Value, _ second: Value) -> Set<String>? {
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
