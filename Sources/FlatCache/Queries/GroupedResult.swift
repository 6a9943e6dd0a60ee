/// The answer of a live query in sections after a commit, with the difference to the answer before.
///
///     let subscription = posts.grouped(by: \.authorID).observe { result in
///         tableView.apply(result.difference)      // an extension of the app
///     }
public struct GroupedResult<Key: Hashable & Sendable, Value: Cachable>: Sendable {
    /// The sections in order.
    public let sections: QuerySections<Key, Value>

    /// The difference to the last result of the observer, which is empty for the first result.
    public let difference: GroupedDifference<Key, Value>

    /// The revision of the state of the cache that the answer is for.
    ///
    /// Each result of an observer has a higher revision than the result before.
    public let revision: UInt64

    /// Whether this is the first result of the observer.
    public let isInitial: Bool

    let commitOrigins: CommitOrigins
}

/// The difference between two answers in sections, by position.
///
/// Positions of what is removed and the sources of moves count in the old answer, all others in the new one. These are the
/// rules of the batch updates of table and collection views. Entities of a section that is removed or inserted aren't
/// listed: they are removed and inserted with it. So an entity that changes its section is
/// - a move, if the old section remains and the new one was there before,
/// - a removal, if the new section is inserted and the old one remains,
/// - an insertion, if the old section is removed and the new one was there before.
///
/// To apply a difference to an array of arrays, remove the entities at the removals and at the sources of moves. Then
/// remove the sections at the removed sections and at the sources of moved sections, the last one first. Then insert the
/// inserted and the moved sections, the first one first. Then insert the entities at the insertions and the destinations of
/// moves, the first one first. Then replace the entities at the updates.
public struct GroupedDifference<Key: Hashable & Sendable, Value: Cachable>: Sendable {
    /// The positions of sections that have no entities any more, in ascending order, in the old answer.
    public let removedSections: [Int]

    /// The positions of sections that had no entities before, in ascending order, in the new answer.
    public let insertedSections: [Int]

    /// The sections that have another place among the others, in ascending order of their destinations.
    public let movedSections: [SectionMove]

    /// The positions of entities that have left their section, in ascending order, in the old answer.
    public let removals: [GroupedPosition]

    /// The positions of entities that are new in their section, in ascending order, in the new answer.
    public let insertions: [GroupedPosition]

    /// The entities that have another section, or another place among the others of their section, in ascending order of
    /// their destinations.
    public let moves: [Move]

    /// The positions of entities that were changed, in ascending order, in the new answer.
    ///
    /// An entity that was also moved is among the ``moves``, too. Entities that are in a new section, or have left a removed
    /// one, aren't among the updates.
    public let updates: [GroupedPosition]

    /// The old answer.
    public let oldSections: QuerySections<Key, Value>

    /// The new answer.
    public let newSections: QuerySections<Key, Value>

    /// A change of the place of a section.
    public struct SectionMove: Hashable, Sendable {
        /// The position in the old answer.
        public let source: Int

        /// The position in the new answer.
        public let destination: Int
    }

    /// A change of the place of an entity.
    public struct Move: Hashable, Sendable {
        /// The position in the old answer.
        public let source: GroupedPosition

        /// The position in the new answer.
        public let destination: GroupedPosition
    }

    init(_ steps: GroupSteps) {
        removedSections = steps.sections.removals
        insertedSections = steps.sections.insertions
        movedSections = steps.sections.moves.map { SectionMove(source: $0.source, destination: $0.destination) }
        removals = steps.removals
        insertions = steps.insertions
        moves = steps.moves.map { Move(source: $0.source, destination: $0.destination) }
        updates = steps.updates
        oldSections = QuerySections(steps.old)
        newSections = QuerySections(steps.new)
    }

    /// Whether both answers are the same.
    public var isEmpty: Bool {
        removedSections.isEmpty && insertedSections.isEmpty && movedSections.isEmpty
            && removals.isEmpty && insertions.isEmpty && moves.isEmpty && updates.isEmpty
    }
}

/// The position of an entity in an answer in sections.
@frozen
public struct GroupedPosition: Hashable, Sendable {
    /// The position of the section.
    public let section: Int

    /// The position of the entity in the section.
    public let index: Int

    /// Creates a position.
    ///
    /// - Parameters:
    ///   - section: The position of the section.
    ///   - index: The position of the entity in the section.
    @inlinable public init(section: Int, index: Int) {
        self.section = section
        self.index = index
    }

    init(_ section: Int, _ index: Int) {
        self.init(section: section, index: index)
    }
}

extension GroupedPosition: Comparable {
    /// Returns whether a position is in an earlier section, or before another one in the same section.
    @inlinable public static func < (lhs: GroupedPosition, rhs: GroupedPosition) -> Bool {
        (lhs.section, lhs.index) < (rhs.section, rhs.index)
    }
}

extension GroupedResult: CustomStringConvertible, CustomReflectable {
    /// A line with the count and the difference: `GroupedResult<Blog.Post>: 3 sections, 1 insertion, revision 7`.
    public var description: String {
        Summary.line(
            Summary.name("GroupedResult", of: Value.self),
            nil,
            [Summary.count(sections.count, "section"), isInitial ? "initial" : nil] + difference.facts + [
                "revision \(revision)"
            ]
        )
    }

    /// The keys of the sections, and the difference.
    public var customMirror: Mirror { Mirror(self, children: ["keys": sections.keys, "difference": difference]) }
}

extension GroupedDifference: CustomStringConvertible, CustomReflectable {
    /// A line with the numbers of changes: `GroupedDifference<Blog.Post>: 1 inserted section, 2 updates`.
    public var description: String {
        let name = Summary.name("GroupedDifference", of: Value.self)
        return Summary.line(name, nil, isEmpty ? ["no changes"] : facts)
    }

    /// No members, so that `dump` prints the line alone.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension GroupedDifference {
    /// The numbers of changes, as texts.
    fileprivate var facts: [String?] {
        [
            Summary.some(removedSections.count, "removed section"),
            Summary.some(insertedSections.count, "inserted section"),
            Summary.some(movedSections.count, "moved section"), Summary.some(removals.count, "removal"),
            Summary.some(insertions.count, "insertion"), Summary.some(moves.count, "move"),
            Summary.some(updates.count, "update"),
        ]
    }
}
