/// The comparison of matches of a query, which runs user code.
struct MatchComparison<Value: Cachable>: Sendable {
    let order: QueryOrder
    let equality: ValueEquality?

    /// Whether the entities of two matches are equal, as far as they can be compared.
    func areEqual(_ first: AnyQueryMatch?, _ second: AnyQueryMatch?) -> Bool {
        guard let first, let second, let equality else { return false }
        return withUnsafePointer(to: first.value(as: Value.self)) { first in
            withUnsafePointer(to: second.value(as: Value.self)) { second in
                equality.areEqual(UnsafeRawPointer(first), UnsafeRawPointer(second))
            }
        }
    }

    /// The change of a match, or `nil` if the entity and its place are the same.
    func netChange(from old: AnyQueryMatch?, to new: AnyQueryMatch?, isSameEntity: Bool) -> MatchChange? {
        if isSameEntity, let old, let new, order.areInterchangeable(old, new) { return nil }
        return MatchChange(from: old, to: new, isSameEntity: isSameEntity)
    }

    /// Joins the removal and the insertion of an entity that was removed and stored again, and so has another slot.
    func joined(_ changes: [MatchChange]) -> [MatchChange] {
        guard changes.contains(where: { $0.new == nil }), changes.contains(where: { $0.old == nil }) else {
            return changes
        }
        var joined: [MatchChange] = []
        var removed = KeyedValues<Value.ID, AnyQueryMatch>()
        for change in changes where change.new == nil {
            if let old = change.old { removed[old.value(as: Value.self).id] = old }
        }
        for change in changes {
            guard let new = change.new else { continue }
            if change.old == nil, let old = removed.removeValue(forKey: new.value(as: Value.self).id) {
                // The match of another slot replaces the old one, even if nothing else is different.
                joined.append(MatchChange(old: old, new: new, isSameEntity: areEqual(old, new)))
            } else {
                joined.append(change)
            }
        }
        return joined + removed.values.compactMap { MatchChange(from: $0, to: nil) }
    }
}
