internal import Synchronization

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
    /// A commit changes an index together with the entities, so a reader never sees them differ. It costs time only if
    /// the property of an entity changes, and for entities that are inserted or removed. The values are compared and
    /// hashed while no lock is held. A computed property, or an `==` or `hash(into:)`, must not write entities of the type.
    ///
    /// Two indexes are equal if they are of the same property.
    public struct Index<Value: Cachable>: Sendable {
        /// The property.
        let property: any PartialKeyPath<Value> & Sendable
        /// Whether each value is expected in at most one entity.
        let isUnique: Bool
        /// Returns the entities with equal keys, of those that are given, if the index is unique.
        let duplicates: @Sendable ([Value]) -> [[Value]]
        /// Makes the index of a cache.
        let make: @Sendable (FlatCache) -> PropertyIndex<Value>

        @usableFromInline init<Key>(
            _ property: any PartialKeyPath<Value> & Sendable,
            _ keys: Keys<Key>,
            isUnique: Bool
        ) {
            self.property = property
            self.isUnique = isUnique
            duplicates = { isUnique ? keys.duplicates(among: $0) : [] }
            make = { KeyedIndex(property, keys, in: $0) }
        }

        /// Creates an index by the value of a property.
        ///
        /// - Parameters:
        ///   - property: The property. `nil` is a value like others.
        ///   - isUnique: Whether each value is expected in at most one entity. Nothing is refused, and
        ///     ``FlatCache/duplicates(of:)`` finds the others.
        @inlinable
        public init<Key: Hashable & Sendable>(
            _ property: any KeyPath<Value, Key> & Sendable,
            isUnique: Bool = false
        ) {
            let values = EntityProperty(property)
            let keys = Keys {
                [values.value(of: $0)]
            } areEqual: {
                values.value(of: $0) == values.value(of: $1)
            }
            self.init(property, keys, isUnique: isUnique)
        }

        /// Creates an index by each element of a property.
        ///
        /// - Parameter property: The property, such as an array of identifiers.
        @inlinable
        public init<Elements: Sequence & Sendable>(each property: any KeyPath<Value, Elements> & Sendable)
        where Elements.Element: Hashable & Sendable {
            let values = EntityProperty(property)
            let keys = Keys {
                Array(values.value(of: $0))
            } areEqual: {
                values.value(of: $0).elementsEqual(values.value(of: $1))
            }
            self.init(property, keys, isUnique: false)
        }

        /// Creates an index by each element of an optional property.
        ///
        /// - Parameter property: The property. An entity without a value isn't in the index.
        @inlinable
        public init<Elements: Sequence & Sendable>(each property: any KeyPath<Value, Elements?> & Sendable)
        where Elements.Element: Hashable & Sendable {
            let values = EntityProperty(property)
            let keys = Keys {
                values.value(of: $0).map { Array($0) } ?? []
            } areEqual: {
                guard let first = values.value(of: $0), let second = values.value(of: $1) else { return false }
                return first.elementsEqual(second)
            }
            self.init(property, keys, isUnique: false)
        }

        /// The keys of entities in the index, as closures, which are specialized for the types where the index is declared.
        @frozen @usableFromInline
        struct Keys<Key: Hashable & Sendable>: Sendable {
            /// Returns the keys of an entity, of which some may be equal.
            @usableFromInline let all: @Sendable (Value) -> [Key]
            /// Returns whether two entities have equal keys. It may be `false` although they have.
            @usableFromInline let areEqual: @Sendable (Value, Value) -> Bool

            @inlinable init(
                all: @escaping @Sendable (Value) -> [Key],
                areEqual: @escaping @Sendable (Value, Value) -> Bool
            ) {
                self.all = all
                self.areEqual = areEqual
            }

            /// The entities with equal keys other than `nil`, in the order of the first of each group.
            func duplicates(among entities: [Value]) -> [[Value]] {
                var groups: [[Value]] = []
                var places: [Key: Int] = [:]
                for entity in entities {
                    for key in all(entity) {
                        if case Optional<Any>.none = key as Any { continue }
                        if let place = places[key] {
                            groups[place].append(entity)
                        } else {
                            places[key] = groups.count
                            groups.append([entity])
                        }
                    }
                }
                return groups.filter { $0.count > 1 }
            }
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

/// A key of an index.
@usableFromInline
struct IndexedKey<Value: Cachable>: Sendable {
    /// The property of the index.
    let property: any PartialKeyPath<Value> & Sendable
    let key: any Hashable & Sendable

    @usableFromInline init(_ property: any PartialKeyPath<Value> & Sendable, _ key: any Hashable & Sendable) {
        self.property = property
        self.key = key
    }
}
