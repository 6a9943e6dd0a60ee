/// What a key can have, whose members are compared and copied.
protocol ModelValue: Equatable {
    /// Whether it is an entity, and not a list or a reference.
    static var isEntity: Bool { get }

    /// The names of the members in which two values differ, or `nil` if only one of them exists.
    static func differences(_ first: Self?, _ second: Self?) -> Set<String>?

    /// A value with some members of another one.
    ///
    /// - Parameter names: The names of the members, or `nil` for all of them.
    /// - Returns: The value, or `nil` if the members can't be copied one by one.
    static func copied(_ names: Set<String>?, from source: Self?, to target: Self?) -> Self?
}

/// A value whose members can't be copied one by one.
protocol WholeModelValue: ModelValue {
    var members: [String: AnyHashable] { get }
}

extension WholeModelValue {
    static var isEntity: Bool { true }

    static func differences(_ first: Self?, _ second: Self?) -> Set<String>? {
        guard let first = first?.members, let second = second?.members else { return nil }
        return Set(first.keys.filter { first[$0] != second[$0] })
    }

    static func copied(_ names: Set<String>?, from source: Self?, to target: Self?) -> Self? {
        guard let names else { return nil }
        guard let differing = differences(source, target), !differing.isDisjoint(with: names) else { return target }
        return differing.isSubset(of: names) ? source : nil
    }
}

extension Memo: WholeModelValue {
    var members: [String: AnyHashable] { ["id": id, "text": text, "parentID": parentID] }

    /// The memo with other identifiers in place of some.
    func renamed(_ other: (String) -> String?) -> Memo {
        var memo = self
        memo.parentID = parentID.map { other($0) ?? $0 }
        return memo
    }
}

extension MemoFolder: WholeModelValue {
    var members: [String: AnyHashable] { ["oneID": oneID, "arrayIDs": arrayIDs, "keyedIDs": keyedIDs] }

    /// The folder with other identifiers in place of some.
    func renamed(_ other: (String) -> String?) -> MemoFolder {
        var folder = self
        folder.oneID = other(oneID) ?? oneID
        folder.arrayIDs = arrayIDs.renamed(other)
        folder.keyedIDs = keyedIDs.mapValues { other($0) ?? $0 }
        return folder
    }
}

/// The identifier that a reference has.
extension String: WholeModelValue {
    static var isEntity: Bool { false }

    var members: [String: AnyHashable] { ["target": self] }
}

/// The identifiers of a list, each of which is a member.
extension [String]: ModelValue {
    static var isEntity: Bool { false }

    static func differences(_ first: [String]?, _ second: [String]?) -> Set<String>? {
        Set(first ?? []).symmetricDifference(second ?? [])
    }

    /// The list without those of some identifiers that another one doesn't have, and with the others of them, behind what they are
    /// behind there.
    static func copied(_ names: Set<String>?, from source: [String]?, to target: [String]?) -> [String]? {
        let (names, source) = (names ?? [], source ?? [])
        var list = (target ?? []).filter { !names.contains($0) || source.contains($0) }
        for (place, id) in source.enumerated() where names.contains(id) && !list.contains(id) {
            let previous = source[..<place].last { list.contains($0) }
            list.insert(id, at: previous.flatMap(list.firstIndex).map { $0 + 1 } ?? 0)
        }
        return list
    }

    /// The list with other identifiers in place of some, each once.
    func renamed(_ other: (String) -> String?) -> [String] {
        var known = Set(self)
        return compactMap { id in
            guard let other = other(id) else { return id }
            return known.insert(other).inserted ? other : nil
        }
    }
}
