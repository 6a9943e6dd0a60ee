/// Entities of an answer with equal keys, in the order of the query.
@frozen
public struct QuerySection<Key: Hashable & Sendable, Value: Cachable>: Sendable {
    @usableFromInline let group: QueryGroup

    @inlinable init(_ group: QueryGroup) {
        self.group = group
    }

    /// The key of the entities.
    @inlinable public var key: Key { group.name.key(as: Key.self) }

    /// The entities in the order of the query, of which there is at least one.
    public var values: QueryValues<Value> { QueryValues(group.matches) }
}

extension QuerySection: Identifiable {
    /// The key of the entities.
    @inlinable public var id: Key { key }
}

extension QuerySection: PartialEquality where Value: PartialEquality {}

extension QuerySection: Equatable where Value: Equatable {
    /// Returns whether two sections have the same key, and equal entities in the same order.
    ///
    /// - Complexity: O(*n*) for *n* entities.
    public static func == (lhs: QuerySection, rhs: QuerySection) -> Bool {
        lhs.key == rhs.key && lhs.values == rhs.values
    }
}

extension QuerySection: CustomStringConvertible, CustomReflectable {
    /// A text with the key and the entities.
    public var description: String { "\(key): \(values)" }

    /// The key and the entities.
    public var customMirror: Mirror { Mirror(self, children: ["key": key, "values": values]) }
}

/// The answer of a query in sections, in one state of the cache.
///
///     ForEach(result.sections) { section in
///         Section(section.key) { ForEach(section.values) { post in PostRow(post) } }
///     }
///
/// This is a random-access collection of sections. It is a value, which later commits don't affect. Answers of a live query
/// share most of their memory.
@frozen
public struct QuerySections<Key: Hashable & Sendable, Value: Cachable>: Sendable {
    @usableFromInline let groups: ListTree<QueryGroup>

    init(_ groups: ListTree<QueryGroup>) {
        self.groups = groups
    }

    /// The keys of the sections, in order.
    ///
    /// - Complexity: O(*n*) for *n* sections.
    public var keys: [Key] { groups.map { $0.name.key(as: Key.self) } }
}

extension QuerySections: RandomAccessCollection {
    /// The position of the first section.
    @inlinable public var startIndex: Int { 0 }

    /// The position after the last section.
    @inlinable public var endIndex: Int { groups.count }

    /// Returns the section at a position, which must be one of the ``indices``.
    ///
    /// - Complexity: O(log *n*) for *n* sections.
    @inlinable public subscript(position: Int) -> QuerySection<Key, Value> {
        precondition(position >= 0 && position < groups.count, "The answer has no section at this position.")
        return QuerySection(groups[position])
    }
}

extension QuerySections: PartialEquality where Value: PartialEquality {}

extension QuerySections: Equatable where Value: Equatable {
    /// Returns whether two answers have equal sections in the same order.
    ///
    /// - Complexity: O(*n*) for *n* entities.
    public static func == (lhs: QuerySections, rhs: QuerySections) -> Bool { lhs.elementsEqual(rhs) }
}

extension QuerySections: CustomStringConvertible, CustomReflectable {
    /// A text with the sections, as of an array.
    public var description: String { Array(self).description }

    /// The sections, as of an array.
    public var customMirror: Mirror { Mirror(self, unlabeledChildren: self, displayStyle: .collection) }
}

/// The different values of a property in the answer of a query, in the order of the first entities that have them.
///
/// This is a random-access collection. It is a value, which later commits don't affect.
@frozen
public struct DistinctValues<Property: Hashable & Sendable>: Sendable {
    @usableFromInline let groups: ListTree<QueryGroup>

    init(_ groups: ListTree<QueryGroup>) {
        self.groups = groups
    }
}

extension DistinctValues: RandomAccessCollection {
    /// The position of the first value.
    @inlinable public var startIndex: Int { 0 }

    /// The position after the last value.
    @inlinable public var endIndex: Int { groups.count }

    /// Returns the value at a position, which must be one of the ``indices``.
    ///
    /// - Complexity: O(log *n*) for *n* values.
    @inlinable public subscript(position: Int) -> Property {
        precondition(position >= 0 && position < groups.count, "There is no value at this position.")
        return groups[position].name.key(as: Property.self)
    }
}

extension DistinctValues: Equatable {
    /// Returns whether two answers have equal values in the same order.
    ///
    /// - Complexity: O(*n*) for *n* values.
    public static func == (lhs: DistinctValues, rhs: DistinctValues) -> Bool { lhs.elementsEqual(rhs) }
}

extension DistinctValues: CustomStringConvertible, CustomReflectable {
    /// A text with the values, as of an array.
    public var description: String { Array(self).description }

    /// The values, as of an array.
    public var customMirror: Mirror { Mirror(self, unlabeledChildren: self, displayStyle: .collection) }
}
