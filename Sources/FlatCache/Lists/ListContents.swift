internal import Synchronization

private let lastListNumber = Atomic<UInt64>(0)

/// A number that no contents, gap or loader of a list has.
func nextListNumber() -> UInt64 { lastListNumber.wrappingAdd(1, ordering: .relaxed).newValue }

/// The identifiers of a list in order, each once, as the cache stores them under the name of the list.
///
/// A changed copy shares nearly all nodes with the original, so adding an identifier doesn't copy a long list.
@frozen @usableFromInline
struct ListContents<Value: Cachable>: InternalEntity, Equatable {
    /// The name of the list.
    @usableFromInline let id: String
    @usableFromInline var order = CachedListIDs<Value.ID>()
    @usableFromInline var members = ListMembers<Value.ID>()
    /// Whether identifiers of removed entities are dropped.
    var dropsRemoved = false
    /// The number of identifiers at the beginning whose entities aren't evicted, or `nil` for that of the limit.
    var keeps: Int?

    /// A number that is given each time all identifiers are replaced, after which cursors aren't those of the list, or 0.
    ///
    /// It isn't compared.
    var generation: UInt64 = 0
    /// The places where entities may be missing, in their order.
    var gaps: [ListGap<Value.ID>] = []
    /// The identifiers that pages have brought, or with which the list was replaced, also those that were removed since.
    ///
    /// The app has added the others. It isn't compared.
    var paged = ListMembers<Value.ID>()
    /// Whether the first page was marked as stale since it was asked for, as a store keeps it.
    ///
    /// It isn't compared, because no reader sees it.
    var isStale = false

    /// A number that differs after each change that may have removed identifiers.
    ///
    /// It isn't compared.
    var removalCount: UInt64 = 0

    init(name: String) { id = name }

    @usableFromInline static func == (lhs: Self, rhs: Self) -> Bool {
        lhs.dropsRemoved == rhs.dropsRemoved && lhs.keeps == rhs.keeps && lhs.order == rhs.order
            && (lhs.gaps.isEmpty && rhs.gaps.isEmpty || lhs.hasSameGaps(as: rhs))
    }

    @usableFromInline func contains(_ id: Value.ID) -> Bool { members.contains(id) }

    /// Replaces all identifiers.
    mutating func replace(with ids: some Sequence<Value.ID>) {
        order = CachedListIDs()
        members = ListMembers()
        generation = nextListNumber()
        gaps = []
        append(ids)
        paged = members
    }

    /// Changes the order, and which identifiers are listed.
    ///
    /// What is known of the pages remains, unless none of the identifiers does.
    mutating func rearrange(as ids: [Value.ID]) {
        let old = self
        replace(with: ids)
        removalCount &+= 1
        guard old.order.isEmpty || old.order.contains(where: contains) else { return }
        generation = old.generation
        paged = old.paged
        noteOwn(ids.filter { !old.contains($0) })
        if !old.gaps.isEmpty { takeGaps(of: old) }
    }

    /// Adds identifiers at the end.
    ///
    /// Identifiers that are already listed keep their places.
    mutating func append(_ added: some Sequence<Value.ID>) {
        insert(added, at: order.count)
    }

    /// Adds identifiers at the beginning, in order.
    ///
    /// Identifiers that are already listed keep their places.
    mutating func prepend(_ added: some Sequence<Value.ID>) {
        insert(added, at: 0)
    }

    /// Inserts identifiers before another one, or at the end, in order.
    ///
    /// Identifiers that are already listed keep their places.
    ///
    /// - Returns: Whether the other one was listed.
    mutating func insert(_ added: some Sequence<Value.ID>, before other: Value.ID?) -> Bool {
        guard let place = other.map(order.firstIndex(of:)) ?? order.count else { return false }
        insert(added, at: place)
        return true
    }

    /// Inserts the identifiers that aren't listed at a place.
    mutating func insert(_ added: some Sequence<Value.ID>, at place: Int) {
        let new = added.filter { members.insert($0) }
        order.insert(new, at: place)
        if removalCount > 0 { noteOwn(new) }
    }

    /// Notes that the app has added identifiers, also if pages had brought them before they were removed.
    mutating func noteOwn(_ ids: [Value.ID]) {
        for id in ids where paged.contains(id) { _ = paged.remove(id) }
    }

    /// Removes identifiers.
    ///
    /// - Returns: The number of removed identifiers.
    mutating func remove(contentsOf removed: some Sequence<Value.ID>) -> Int {
        let removed = removed.filter { members.remove($0) }
        if !removed.isEmpty { removalCount &+= 1 }
        if !gaps.isEmpty { gaps = movedGaps(where: contains) }
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
    mutating func remove(_ id: Value.ID) -> Bool {
        remove(contentsOf: CollectionOfOne(id)) == 1
    }

    /// Moves an identifier before another, or to the end.
    ///
    /// - Returns: Whether both were listed.
    mutating func move(_ id: Value.ID, before other: Value.ID?) -> Bool {
        guard contains(id), other.map(contains) ?? true else { return false }
        guard id != other, let index = order.firstIndex(of: id) else { return true }
        if !gaps.isEmpty { gaps = movedGaps { $0 != id } }
        order.remove(at: index)
        order.insert([id], at: other.flatMap(order.firstIndex(of:)) ?? order.count)
        return true
    }
}

extension ListContents {
    /// The index of the lists that drop removed entities, by each identifier.
    static var index: FlatCache.Index<Self> {
        let keys = FlatCache.Index<Self>.Keys<Value.ID> {
            $0.dropsRemoved ? Array($0.order) : []
        } areEqual: {
            !$0.dropsRemoved && !$1.dropsRemoved
        } difference: { old, new in
            (
                !old.dropsRemoved ? [] : !new.dropsRemoved ? Array(old.order) : old.members.subtracting(new.members),
                !new.dropsRemoved ? [] : !old.dropsRemoved ? Array(new.order) : new.members.subtracting(old.members)
            )
        }
        return FlatCache.Index(\Self.order, keys, isUnique: false)
    }

    /// Drops the identifiers of entities that are removed from now on.
    mutating func dropRemoved(in cache: FlatCache) {
        if dropsRemoved { return }
        dropsRemoved = true
        cache.addDeleteRule(of: Value.self, Self.index) { list, removed in
            list.dropsRemoved && removed.keys.contains(where: list.contains)
        } drop: { list, removed in
            var list = list
            _ = list.remove(contentsOf: removed.keys)
            return list
        }
    }
}
