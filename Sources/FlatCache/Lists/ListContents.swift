/// The identifiers of a list in their order, each once, as they are stored under the name of the list.
///
/// A copy that is changed shares nearly everything with the original, so that one more identifier doesn't cost a copy of a
/// long list.
@frozen @usableFromInline
struct ListContents<Value: Cachable>: Bookkeeping, Equatable {
    /// The name of the list.
    @usableFromInline let id: String
    @usableFromInline var order = ListOrder<Value.ID>()
    @usableFromInline var members = ListMembers<Value.ID>()

    @inlinable init(name: String, ids: some Sequence<Value.ID>) {
        id = name
        append(ids)
    }

    @inlinable static func == (lhs: Self, rhs: Self) -> Bool { lhs.order == rhs.order }

    /// The identifiers in their order.
    @inlinable var ids: [Value.ID] { order.array }

    @inlinable func contains(_ id: Value.ID) -> Bool { members.contains(id) }

    /// Adds identifiers at the end; those that are there keep their places.
    @inlinable mutating func append(_ added: some Sequence<Value.ID>) {
        let new = added.filter { members.insert($0) }
        order.insert(new, at: order.count)
    }

    /// Adds identifiers at the beginning, in their order; those that are there keep their places.
    @inlinable mutating func prepend(_ added: some Sequence<Value.ID>) {
        let new = added.filter { members.insert($0) }
        order.insert(new, at: 0)
    }

    /// Removes an identifier.
    ///
    /// - Returns: Whether it was there.
    @inlinable mutating func remove(_ id: Value.ID) -> Bool {
        guard members.remove(id) else { return false }
        if let index = order.index(of: id) { order.remove(at: index) }
        return true
    }

    /// Moves an identifier before another, or to the end.
    ///
    /// - Returns: Whether both were there.
    @inlinable mutating func move(_ id: Value.ID, before other: Value.ID?) -> Bool {
        guard contains(id), other.map(contains) ?? true else { return false }
        guard id != other, let index = order.index(of: id) else { return true }
        order.remove(at: index)
        order.insert([id], at: other.flatMap(order.index) ?? order.count)
        return true
    }
}
