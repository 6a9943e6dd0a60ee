/// The identifiers that only one of several versions of a list has, and those that have moved.
struct ChangedIDs<Value: Cachable>: MemberChanges {
    /// A set whose copies share memory, because each write adds to one.
    private var ids = ListMembers<Value.ID>()

    init(from old: ListContents<Value>?, to new: ListContents<Value>?) {
        let (old, new) = (old ?? ListContents(name: ""), new ?? ListContents(name: ""))
        add(old.members.subtracting(new.members) + new.members.subtracting(old.members) + new.moved(since: old))
    }

    private var all: [Value.ID] { ids.subtracting(ListMembers()) }

    var isEmpty: Bool { all.isEmpty }

    private mutating func add(_ added: [Value.ID]) {
        for id in added { _ = ids.insert(id) }
    }

    func union(_ earlier: (any MemberChanges<ListContents<Value>>)?) -> any MemberChanges<ListContents<Value>> {
        guard var union = earlier as? Self else { return self }
        union.add(all)
        return union
    }

    func renamed(_ rename: (ListContents<Value>?) -> ListContents<Value>?) -> any MemberChanges<ListContents<Value>> {
        var list = ListContents<Value>(name: "")
        list.append(all)
        var renamed = self
        renamed.ids = rename(list)?.members ?? ids
        return renamed
    }

    func copied(from source: ListContents<Value>?, to target: ListContents<Value>?) -> ListContents<Value>? {
        guard var empty = target ?? source else { return nil }
        empty.replace(with: [])
        let source = source ?? empty
        var list = target ?? empty
        let moved = Set(source.moved(since: list))
        let left = all.filter { !source.contains($0) || moved.contains($0) }
        let added = Set(all.filter { source.contains($0) && (!list.contains($0) || moved.contains($0)) })
        if left.contains(where: list.contains) { _ = list.remove(contentsOf: left) }
        if added.isEmpty { return list }
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

/// A list, whose members are the identifiers.
protocol ListOfMembers {
    /// The identifiers in which two versions differ.
    static func changes(from old: Any?, to new: Any?) -> Any

    /// Lets no page that was asked for before list those of some identifiers that the contents don't have and a change removes.
    ///
    /// - Parameter change: Changes contents.
    func noteRemovals(_ keys: [FlatCacheKey], by change: (Any) -> Any?, in cache: FlatCache)
}

extension ListContents: ListOfMembers {
    static func changes(from old: Any?, to new: Any?) -> Any { ChangedIDs(from: old as? Self, to: new as? Self) }

    func noteRemovals(_ keys: [FlatCacheKey], by change: (Any) -> Any?, in cache: FlatCache) {
        let ids = keys.compactMap { $0.id(as: Value.self) }.map { cache.currentID(of: Value.self, $0) }
        var listing = Self(name: id)
        listing.append(ids)
        guard let left = change(listing) as? Self else { return }
        cache.list(id, of: Value.self).noteRemovals(ids.filter { !contains($0) && !left.contains($0) })
    }
}

extension EntityStep {
    /// Lets no page of a list that was asked for before list identifiers again that the confirmed change removes.
    @usableFromInline func noteRemovals(in result: Value?, of cache: FlatCache) {
        guard !named.isEmpty, let list = result as? any ListOfMembers else { return }
        list.noteRemovals(named, by: { contents in try? change(contents as? Value, of: key) }, in: cache)
    }
}
