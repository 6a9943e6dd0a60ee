/// The identifiers of a list in order, each once, as the cache stores them under the name of the list.
///
/// A changed copy shares nearly all nodes with the original, so adding an identifier doesn't copy a long list.
@frozen @usableFromInline
struct ListContents<Value: Cachable>: InternalEntity, Equatable {
    /// The name of the list.
    @usableFromInline let id: String
    @usableFromInline var order = CachedListIDs<Value.ID>()
    @usableFromInline var members = ListMembers<Value.ID>()

    @inlinable init(name: String, ids: some Sequence<Value.ID>) {
        id = name
        append(ids)
    }

    @inlinable static func == (lhs: Self, rhs: Self) -> Bool { lhs.order == rhs.order }

    @inlinable func contains(_ id: Value.ID) -> Bool { members.contains(id) }

    /// Adds identifiers at the end.
    ///
    /// Identifiers that are already listed keep their places.
    @inlinable mutating func append(_ added: some Sequence<Value.ID>) {
        insert(added, at: order.count)
    }

    /// Adds identifiers at the beginning, in order.
    ///
    /// Identifiers that are already listed keep their places.
    @inlinable mutating func prepend(_ added: some Sequence<Value.ID>) {
        insert(added, at: 0)
    }

    /// Inserts identifiers before another one, or at the end, in order.
    ///
    /// Identifiers that are already listed keep their places.
    ///
    /// - Returns: Whether the other one was listed.
    @inlinable mutating func insert(_ added: some Sequence<Value.ID>, before other: Value.ID?) -> Bool {
        guard let place = other.map(order.firstIndex(of:)) ?? order.count else { return false }
        insert(added, at: place)
        return true
    }

    /// Inserts the identifiers that aren't listed at a place.
    @inlinable mutating func insert(_ added: some Sequence<Value.ID>, at place: Int) {
        let new = added.filter { members.insert($0) }
        order.insert(new, at: place)
    }

    /// Removes identifiers.
    ///
    /// - Returns: The number of removed identifiers.
    @inlinable mutating func remove(contentsOf removed: some Sequence<Value.ID>) -> Int {
        let removed = removed.filter { members.remove($0) }
        if removed.count == 1 {
            if let index = order.firstIndex(of: removed[0]) { order.remove(at: index) }
        } else if !removed.isEmpty {
            let rest = order.filter { members.contains($0) }
            order = CachedListIDs()
            order.insert(rest, at: 0)
        }
        return removed.count
    }

    /// Removes an identifier.
    ///
    /// - Returns: Whether it was listed.
    @inlinable mutating func remove(_ id: Value.ID) -> Bool {
        remove(contentsOf: CollectionOfOne(id)) == 1
    }

    /// Moves an identifier before another, or to the end.
    ///
    /// - Returns: Whether both were listed.
    @inlinable mutating func move(_ id: Value.ID, before other: Value.ID?) -> Bool {
        guard contains(id), other.map(contains) ?? true else { return false }
        guard id != other, let index = order.firstIndex(of: id) else { return true }
        order.remove(at: index)
        order.insert([id], at: other.flatMap(order.firstIndex(of:)) ?? order.count)
        return true
    }
}
