extension FlatCache {
    /// An index, which finds the entities of a type by the value of a property.
    ///
    ///     extension Post {
    ///         static let indexes: [FlatCache.Index<Post>] = [.init(\.authorID), .init(each: \.tagIDs)]
    ///     }
    ///
    /// A query with an equality condition on the property uses the index, and takes time for its answer, not for all
    /// stored entities. The build plugin generates ``Cachable/indexes`` from annotations such as `// cache: index`.
    ///
    /// Two indexes are equal if they are of the same property.
    public struct Index<Value: Cachable>: Sendable {
        /// The property.
        let property: any PartialKeyPath<Value> & Sendable
        /// Whether each value is expected in at most one entity.
        let isUnique: Bool

        /// Creates an index by the value of a property.
        ///
        /// - Parameters:
        ///   - property: The property. `nil` is a value like others.
        ///   - isUnique: Whether each value is expected in at most one entity. Nothing is refused, and
        ///     `duplicates(of:)` finds the others.
        public init<Key: Hashable & Sendable>(
            _ property: any KeyPath<Value, Key> & Sendable,
            isUnique: Bool = false
        ) {
            self.property = property
            self.isUnique = isUnique
        }

        /// Creates an index by each element of a property.
        ///
        /// - Parameter property: The property, such as an array of identifiers.
        public init<Keys: Sequence>(each property: any KeyPath<Value, Keys> & Sendable)
        where Keys.Element: Hashable & Sendable {
            self.property = property
            isUnique = false
        }

        /// Creates an index by each element of an optional property.
        ///
        /// - Parameter property: The property. An entity without a value isn't in the index.
        public init<Keys: Sequence>(each property: any KeyPath<Value, Keys?> & Sendable)
        where Keys.Element: Hashable & Sendable {
            self.property = property
            isUnique = false
        }
    }
}

extension FlatCache.Index: Hashable {
    /// Returns whether two indexes are of the same property.
    public static func == (lhs: FlatCache.Index<Value>, rhs: FlatCache.Index<Value>) -> Bool {
        lhs.property == rhs.property
    }

    /// Feeds the property into a hasher.
    public func hash(into hasher: inout Hasher) { hasher.combine(property) }
}
