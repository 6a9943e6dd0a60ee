/// The matches of an answer in groups by a key.
///
/// Groups are in the order of their first matches. A difference of the answer changes only the groups of changed matches.
/// This isn't thread-safe; the thread with the turn of a live query uses it.
struct QueryGroups {
    private let order: QueryOrder
    private let names: GroupNames
    private(set) var ordered = ListTree<QueryGroup>()
    private var byName: [ObjectIdentifier: QueryGroup] = [:]

    /// Groups the matches of an answer, which are in order.
    ///
    /// - Complexity: O(*n*) on average for *n* matches.
    init(of matches: [AnyQueryMatch] = [], in order: QueryOrder, by names: GroupNames) {
        self.order = order
        self.names = names
        var places: [ObjectIdentifier: Int] = [:]
        var groups: [(name: AnyGroupName, matches: [AnyQueryMatch])] = []
        for match in matches {
            guard let name = names.name(match) else { continue }
            if let place = places[ObjectIdentifier(name)] {
                groups[place].matches.append(match)
            } else {
                places[ObjectIdentifier(name)] = groups.count
                groups.append((name, [match]))
            }
        }
        let all = groups.map { QueryGroup(name: $0.name, matches: ListTree($0.matches)) }
        ordered.insert(all, at: 0)
        for group in all { byName[ObjectIdentifier(group.name)] = group }
    }

    /// Applies the changes of an answer.
    ///
    /// It compares sort keys and keys of groups, which is user code.
    ///
    /// - Returns: The difference of the groups.
    /// - Complexity: O(*k* log *n*) for *k* changes of *n* matches.
    mutating func make(_ changes: [MatchChange]) -> GroupSteps {
        let before = ordered
        var touched = TouchedGroups()
        for change in changes {
            touched.add(change, from: change.old.flatMap(names.name), to: change.new.flatMap(names.name), in: byName)
        }
        // Old matches leave first, because a new one can be at the same place.
        for change in touched.changes {
            guard let group = change.oldGroup, let old = change.old else { continue }
            let matches = touched.groups[group].matches
            if let place = order.place(of: old, in: matches) { touched.groups[group].matches.remove(at: place) }
        }
        for change in touched.changes {
            guard let group = change.newGroup, let new = change.new else { continue }
            let place = touched.groups[group].matches.partition { order.precedes($0, new) }
            touched.groups[group].matches.insert([new], at: place)
        }
        for case let old? in touched.groups.map({ $0.old }) {
            if let place = place(of: old, in: ordered) { ordered.remove(at: place) }
            byName[ObjectIdentifier(old.name)] = nil
        }
        for group in touched.groups {
            guard let new = group.new else {
                names.forget(group.name)
                continue
            }
            ordered.insert([new], at: ordered.partition { order.precedes($0.first, new.first) })
            byName[ObjectIdentifier(new.name)] = new
        }
        return difference(from: before, touched)
    }

    private func difference(from before: ListTree<QueryGroup>, _ touched: TouchedGroups) -> GroupSteps {
        let sections = touched.groups.map { group in
            ChangedPlace(
                old: group.old.flatMap { place(of: $0, in: before) },
                new: group.new.flatMap { place(of: $0, in: ordered) },
                isSameEntity: true
            )
        }
        var steps = GroupSteps(old: before, new: ordered, sections: PositionSteps(sections))
        var members = touched.groups.map { _ in [ChangedPlace]() }
        for change in touched.changes {
            // A section that is removed or inserted has its members with it.
            let (oldGroup, newGroup) = (isKept(change.oldGroup), isKept(change.newGroup))
            func isKept(_ group: Int?) -> Int? {
                group.flatMap { sections[$0].old == nil || sections[$0].new == nil ? nil : $0 }
            }
            let old = oldGroup.flatMap { group in
                position(of: change.old, in: touched.groups[group].old, at: sections[group].old)
            }
            let new = newGroup.flatMap { group in
                position(of: change.new, in: touched.groups[group].new, at: sections[group].new)
            }
            if let new, old != nil, !change.isSameEntity { steps.updates.append(new) }
            if let oldGroup, oldGroup == newGroup, let old, let new {
                members[oldGroup].append(
                    ChangedPlace(old: old.index, new: new.index, isSameEntity: change.isSameEntity)
                )
                continue
            }
            if let oldGroup, let old { members[oldGroup].append(ChangedPlace(old: old.index)) }
            if let newGroup, let new { members[newGroup].append(ChangedPlace(new: new.index)) }
            switch (old, new) {
            case (let old?, let new?): steps.moves.append((old, new))
            case (let old?, nil): steps.removals.append(old)
            case (nil, let new?): steps.insertions.append(new)
            case (nil, nil): break
            }
        }
        for (section, members) in zip(sections, members) {
            guard let old = section.old, let new = section.new else { continue }
            for move in PositionSteps(members).moves {
                steps.moves.append((GroupedPosition(old, move.source), GroupedPosition(new, move.destination)))
            }
        }
        steps.sort()
        return steps
    }

    private func position(of match: AnyQueryMatch?, in group: QueryGroup?, at section: Int?) -> GroupedPosition? {
        guard let match, let group, let section, let place = order.place(of: match, in: group.matches) else {
            return nil
        }
        return GroupedPosition(section, place)
    }

    /// The place of a group among all groups.
    private func place(of group: QueryGroup, in groups: ListTree<QueryGroup>) -> Int? {
        let place = groups.partition { order.precedes($0.first, group.first) }
        if place < groups.count, groups[place].name === group.name { return place }
        return groups.firstIndex { $0.name === group.name }
    }
}

/// The matches with one key, of which there is at least one.
@frozen @usableFromInline
struct QueryGroup: Sendable {
    @usableFromInline let name: AnyGroupName
    @usableFromInline let matches: ListTree<AnyQueryMatch>

    init(name: AnyGroupName, matches: ListTree<AnyQueryMatch>) {
        self.name = name
        self.matches = matches
    }

    var first: AnyQueryMatch { matches[0] }
}

/// The groups that some changes change.
private struct TouchedGroups {
    private(set) var changes: [Change] = []
    var groups: [Group] = []
    private var places: [ObjectIdentifier: Int] = [:]

    /// A change, with the places of its groups among the touched ones.
    struct Change {
        let old: AnyQueryMatch?
        let oldGroup: Int?
        let new: AnyQueryMatch?
        let newGroup: Int?
        let isSameEntity: Bool
    }

    struct Group {
        let name: AnyGroupName
        let old: QueryGroup?
        var matches: ListTree<AnyQueryMatch>

        /// The group after the changes, or `nil` if it is empty.
        var new: QueryGroup? { matches.isEmpty ? nil : QueryGroup(name: name, matches: matches) }
    }

    mutating func add(
        _ change: MatchChange,
        from oldName: AnyGroupName?,
        to newName: AnyGroupName?,
        in groups: [ObjectIdentifier: QueryGroup]
    ) {
        let oldGroup = oldName.map { touch($0, in: groups) }
        let newGroup = newName.map { touch($0, in: groups) }
        changes.append(
            Change(
                old: change.old,
                oldGroup: oldGroup,
                new: change.new,
                newGroup: newGroup,
                isSameEntity: change.isSameEntity
            )
        )
    }

    private mutating func touch(_ name: AnyGroupName, in all: [ObjectIdentifier: QueryGroup]) -> Int {
        if let place = places[ObjectIdentifier(name)] { return place }
        let old = all[ObjectIdentifier(name)]
        groups.append(Group(name: name, old: old, matches: old?.matches ?? ListTree()))
        places[ObjectIdentifier(name)] = groups.count - 1
        return groups.count - 1
    }
}

/// The difference of two answers in groups.
struct GroupSteps {
    let old: ListTree<QueryGroup>
    let new: ListTree<QueryGroup>
    let sections: PositionSteps
    var removals: [GroupedPosition] = []
    var insertions: [GroupedPosition] = []
    var moves: [(source: GroupedPosition, destination: GroupedPosition)] = []
    var updates: [GroupedPosition] = []

    init(old: ListTree<QueryGroup>, new: ListTree<QueryGroup>, sections: PositionSteps = PositionSteps()) {
        self.old = old
        self.new = new
        self.sections = sections
    }

    mutating func sort() {
        removals.sort()
        insertions.sort()
        moves.sort { $0.destination < $1.destination }
        updates.sort()
    }

    var isEmpty: Bool {
        sections.isEmpty && removals.isEmpty && insertions.isEmpty && moves.isEmpty && updates.isEmpty
    }
}
