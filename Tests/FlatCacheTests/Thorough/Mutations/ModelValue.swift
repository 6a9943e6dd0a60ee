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
        let (first, second) = (first ?? [], second ?? [])
        return Set(first).symmetricDifference(second).union(first.moved(in: second))
    }

    static func copied(_ names: Set<String>?, from source: [String]?, to target: [String]?) -> [String]? {
        (target ?? []).with(names ?? [], of: source ?? [])
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

extension Array where Element: Hashable {
    /// The elements that have moved in another list, as few as explain its order, or all of those if different ones do.
    func moved(in other: [Element]) -> Set<Element> {
        let (old, new) = (filter(other.contains), other.filter(contains))
        let length = old.lengthInOrder(of: new)
        return Set(old.filter { id in old.filter { $0 != id }.lengthInOrder(of: new) == length })
    }

    /// The length of the longest list that both lists have in its order.
    private func lengthInOrder(of other: [Element]) -> Int {
        var lengths = [Int](repeating: 0, count: other.count + 1)
        for element in self {
            var before = 0
            for place in other.indices {
                let length = element == other[place] ? before + 1 : Swift.max(lengths[place], lengths[place + 1])
                before = lengths[place + 1]
                lengths[place + 1] = length
            }
        }
        return lengths[other.count]
    }

    /// The list without those of some elements that another one doesn't have, and with the others of them, behind what they are behind
    /// there.
    func with(_ elements: Set<Element>, of source: [Element]) -> [Element] {
        let moved = elements.intersection(moved(in: source))
        var list = filter { !moved.contains($0) && (!elements.contains($0) || source.contains($0)) }
        for (place, element) in source.enumerated() where elements.contains(element) && !list.contains(element) {
            let previous = source[..<place].last { list.contains($0) }
            list.insert(element, at: previous.flatMap(list.firstIndex).map { $0 + 1 } ?? 0)
        }
        return list
    }
}
