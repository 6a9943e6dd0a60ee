/// The order of the keys of an index, as closures, which are specialized for the types where the index is declared.
@frozen @usableFromInline
struct KeyOrder<Value: Cachable, Key: Sendable>: Sendable {
    @usableFromInline typealias Entry = OrderEntry<Value, Key>
    @usableFromInline typealias Member = OrderMember<Value.ID, Key>

    /// Returns the key of an entity.
    @usableFromInline let key: @Sendable (Value) -> Key
    /// Compares keys.
    ///
    /// The result is negative if the first one comes before the second one, and 0 if they are equal.
    @usableFromInline let compare: @Sendable (Key, Key) -> Int
    /// Returns whether two entities in memory have equal keys, or is `nil` if that may run user code.
    @usableFromInline let areStoredEqual: KeyComparison?
    /// Returns the places of the entities whose keys are in the bounds of a range, or of all that have a key if the
    /// bounds are `nil`; or `nil` for bounds of another type.
    @usableFromInline let places: @Sendable (Entry, (any Sendable)?) -> Range<Int>?

    @inlinable init(
        areStoredEqual: KeyComparison?,
        key: @escaping @Sendable (Value) -> Key,
        compare: @escaping @Sendable (Key, Key) -> Int,
        places: @escaping @Sendable (Entry, (any Sendable)?) -> Range<Int>?
    ) {
        self.areStoredEqual = areStoredEqual
        self.key = key
        self.compare = compare
        self.places = places
    }

    /// The order of the values of a property.
    @inlinable init(of property: EntityProperty<Value, Key>) where Key: Hashable & Comparable {
        self.init(areStoredEqual: property.comparison) {
            property.value(of: $0)
        } compare: {
            $0.order(comparedTo: $1)
        } places: { entry, bounds in
            guard let bounds else { return 0..<entry.members.count }
            return (bounds as? QueryBounds<Key>).map { bounds in
                entry.places(
                    isBefore: { bounds.isBelow($0) },
                    isNotAfter: { !bounds.isAbove($0) }
                )
            }
        }
    }

    /// The order of the values of an optional property, of which `nil` is the first.
    @inlinable init<Wrapped: Hashable & Comparable>(of property: EntityProperty<Value, Key>) where Key == Wrapped? {
        self.init(areStoredEqual: property.comparison) {
            property.value(of: $0)
        } compare: { first, second in
            guard let first else { return second == nil ? 0 : -1 }
            guard let second else { return 1 }
            return first.order(comparedTo: second)
        } places: { entry, bounds in
            guard let bounds else {
                return entry.places(isBefore: { $0 == nil }, isNotAfter: { _ in true })
            }
            return (bounds as? QueryBounds<Wrapped>).map { bounds in
                entry.places(
                    isBefore: { $0.map { bounds.isBelow($0) } ?? true },
                    isNotAfter: { $0.map { !bounds.isAbove($0) } ?? true }
                )
            }
        }
    }
}

extension QueryBounds {
    /// Whether a value is less than all in the range.
    @inlinable func isBelow(_ value: Bound) -> Bool { lower.map { value.order(comparedTo: $0) < 0 } ?? false }

    /// Whether a value is greater than all in the range.
    @inlinable func isAbove(_ value: Bound) -> Bool {
        guard let upper else { return false }
        let order = value.order(comparedTo: upper)
        return includesUpper ? order > 0 : order >= 0
    }
}

extension KeyOrder {
    /// The members that a change of an entity removes and inserts, as far as they differ.
    @inlinable func members(of change: IndexedChange<Value>) -> (removed: Member?, inserted: Member?) {
        let old = change.old.map(key)
        let new = change.new.map(key)
        if let old, let new, compare(old, new) == 0 { return (nil, nil) }
        let ordinal = change.ordinal ?? 0
        return (
            old.map { Member(key: $0, id: change.id, ordinal: ordinal) },
            new.map { Member(key: $0, id: change.id, ordinal: ordinal) }
        )
    }

    /// Whether a member comes before another one, which has no ordinal if it is newer than all others.
    @inlinable func precedes(_ member: Member, _ other: Member, in table: Table<Value>) -> Bool {
        let order = compare(member.key, other.key)
        if order != 0 { return order < 0 }
        return other.ordinal == 0 || ordinal(of: member, in: table) < other.ordinal
    }

    /// The place of a member in the order of insertion.
    ///
    /// If it is another one than before because a commit has changed the entity meanwhile, that commit has also changed the
    /// entry, and the changes are made again.
    @inlinable func ordinal(of member: Member, in table: Table<Value>) -> UInt64 {
        member.ordinal == 0 ? table.ordinal(of: member.id) : member.ordinal
    }

    /// The place of a member, or the one where it belongs.
    @inlinable func place(of member: Member, in entry: Entry, _ table: Table<Value>) -> (place: Int, isFound: Bool) {
        let place = entry.members.partition { precedes($0, member, in: table) }
        let found = self.place(of: member, from: place, before: entry.members.count, table) { entry.members[$0] }
        return (found ?? place, found != nil)
    }

    /// The place of a member among those from a place on that have the same key and the same place in the order of insertion, as
    /// two processes can have given it to two entities; or `nil` if it is none of them.
    @inlinable func place(
        of member: Member,
        from place: Int,
        before end: Int,
        _ table: Table<Value>,
        in members: (Int) -> Member
    ) -> Int? {
        var place = place
        while place < end {
            let other = members(place)
            if other.id == member.id { return place }
            if ordinal(of: other, in: table) != member.ordinal || compare(other.key, member.key) != 0 { return nil }
            place += 1
        }
        return nil
    }

    /// Changes an entry.
    ///
    /// A change that was already made has no effect.
    ///
    /// - Parameters:
    ///   - entry: The entry.
    ///   - removed: The members to remove, each of which has an ordinal.
    ///   - inserted: The members to insert, in their order.
    ///   - table: The table of the entities.
    /// - Complexity: O(*k* log *n*) for *k* changes and *n* members, and at most O(*n* + *k* log *n*).
    @inlinable func change(_ entry: inout Entry, _ removed: [Member], _ inserted: [Member], in table: Table<Value>) {
        if (removed.count + inserted.count) * 32 > entry.members.count + 32 {
            return rebuild(&entry, removed, inserted, in: table)
        }
        for member in removed {
            let (place, isFound) = self.place(of: member, in: entry, table)
            if isFound { entry.members.remove(at: place) }
        }
        for member in inserted {
            let (place, isFound) = self.place(of: member, in: entry, table)
            if !isFound { entry.members.insert([member], at: place) }
        }
    }

    /// Makes many changes, in time for all members.
    @inlinable func rebuild(_ entry: inout Entry, _ removed: [Member], _ inserted: [Member], in table: Table<Value>) {
        let removedPlaces = removed.compactMap { member -> Int? in
            let (place, isFound) = self.place(of: member, in: entry, table)
            return isFound ? place : nil
        }
        var kept: [Member] = []
        kept.reserveCapacity(entry.members.count)
        var next = removedPlaces.sorted()[...]
        for (place, member) in entry.members.enumerated() {
            if place == next.first {
                next = next.drop { $0 == place }
            } else {
                kept.append(member)
            }
        }
        if inserted.isEmpty {
            entry.members = ListTree(kept)
            return
        }
        var all: [Member] = []
        all.reserveCapacity(kept.count + inserted.count)
        var place = 0
        for member in inserted {
            while place < kept.count, precedes(kept[place], member, in: table) {
                all.append(kept[place])
                place += 1
            }
            let found = self.place(of: member, from: place, before: kept.count, table) { kept[$0] }
            if found == nil { all.append(member) }
        }
        all += kept[place...]
        entry.members = ListTree(all)
    }

    @inlinable func prepare(
        _ change: IndexedChange<Value>,
        _ number: Int,
        _ table: Table<Value>,
        _ entries: Table<Entry>
    ) -> EntryWrites? {
        let (removed, inserted) = members(of: change)
        if removed == nil && inserted == nil { return nil }
        let prepared = PreparedEntries(of: entries)
        prepared.change(number) { entry in
            self.change(&entry, removed.map { [$0] } ?? [], inserted.map { [$0] } ?? [], in: table)
        }
        return EntryWrites(prepared)
    }

    @inlinable func write(
        _ changes: [IndexedChange<Value>],
        _ number: Int,
        _ table: Table<Value>,
        _ entries: Table<Entry>,
        _ transaction: Transaction
    ) {
        var removed: [Member] = []
        var inserted: [(member: Member, order: UInt32)] = []
        for change in changes {
            let (old, new) = members(of: change)
            if let old { removed.append(old) }
            if let new { inserted.append((new, change.order)) }
        }
        if removed.isEmpty && inserted.isEmpty { return }
        inserted.sort { first, second in
            let order = compare(first.member.key, second.member.key)
            if order != 0 { return order < 0 }
            // Those without an ordinal are new.
            let ordinals = (first.member.ordinal &- 1, second.member.ordinal &- 1)
            return ordinals.0 == ordinals.1 ? first.order < second.order : ordinals.0 < ordinals.1
        }
        let entries = transaction.table(entries)
        entries.writeEntry(number) { entry in
            change(&entry, removed, inserted.map { $0.member }, in: table)
        }
        entries.merge()
    }

    /// The entities at places of an entry, as a snapshot has them.
    @inlinable func read(
        _ places: Range<Int>,
        of entry: Entry,
        in snapshot: Snapshot,
        _ table: Table<Value>
    ) -> [StoredEntity<Value>] {
        entry.members.elements(in: places).compactMap { snapshot.entity(of: $0.id, in: table) }
    }
}

extension Comparable {
    /// The place of a value in an order with another one: -1, 0 or 1.
    ///
    /// A value that isn't equal to itself, as NaN, is greater than all others, so that the order is consistent.
    @inlinable func order(comparedTo other: Self) -> Int {
        if self < other { return -1 }
        if other < self { return 1 }
        if self == other { return 0 }
        return (self == self ? 0 : 1) - (other == other ? 0 : 1)
    }
}
