/// The identifiers of a list in their order, each once, as they are stored under the name of the list.
@frozen @usableFromInline
struct ListContents<Value: Cachable>: Bookkeeping, Equatable {
    /// The name of the list.
    @usableFromInline let id: String
    @usableFromInline var ids: [Value.ID]
    @usableFromInline var members: Set<Value.ID>

    @inlinable init(name: String, ids: some Sequence<Value.ID>) {
        id = name
        self.ids = []
        members = []
        append(ids)
    }

    @inlinable static func == (lhs: Self, rhs: Self) -> Bool { lhs.ids == rhs.ids }

    @inlinable func contains(_ id: Value.ID) -> Bool { members.contains(id) }

    /// Adds identifiers at the end; those that are there keep their places.
    @inlinable mutating func append(_ added: some Sequence<Value.ID>) {
        for id in added where members.insert(id).inserted { ids.append(id) }
    }

    /// Adds identifiers at the beginning, in their order; those that are there keep their places.
    @inlinable mutating func prepend(_ added: some Sequence<Value.ID>) {
        ids.insert(contentsOf: added.filter { members.insert($0).inserted }, at: 0)
    }

    /// Removes an identifier.
    ///
    /// - Returns: Whether it was there.
    @inlinable mutating func remove(_ id: Value.ID) -> Bool {
        guard members.remove(id) != nil else { return false }
        ids.removeAll { $0 == id }
        return true
    }

    /// Moves an identifier before another, or to the end.
    ///
    /// - Returns: Whether both were there.
    @inlinable mutating func move(_ id: Value.ID, before other: Value.ID?) -> Bool {
        guard contains(id), other.map(contains) ?? true else { return false }
        if id == other { return true }
        ids.removeAll { $0 == id }
        ids.insert(id, at: ids.firstIndex { $0 == other } ?? ids.endIndex)
        return true
    }
}
