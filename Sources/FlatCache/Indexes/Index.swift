internal import Synchronization

extension FlatCache {
    /// An index, which finds the entities of a type by the value of a property.
    ///
    ///     extension Post {
    ///         static let indexes: [FlatCache.Index<Post>] = [.init(\.authorID), .init(each: \.tagIDs)]
    ///     }
    ///
    /// A query with an equality condition on the property uses the index, and takes time for its answer, not for all
    /// stored entities. If the values of the property have an order, a query with a range of values, or with a limit and the
    /// property as its first sort key, uses it too. The build plugin generates ``Cachable/indexes`` from annotations such as
    /// `// cache: index`.
    ///
    /// If several indexes can answer a query, it takes one for a comparison, or else the one that probably finds the
    /// fewest entities, and evaluates the other conditions for these. If nearly no entity of an order meets the other
    /// conditions, the query stops reading in order after a quarter of the entities, and asks all.
    ///
    /// In a transaction, an index also finds the entities that the transaction has changed: *n* queries and *n* changes
    /// take about O(*n* log *n*).
    ///
    /// A commit changes an index together with the entities, so a reader never sees them differ. It costs time only if
    /// the property of an entity changes, and for entities that are inserted or removed. No lock is held while code of your
    /// types runs. A computed property must depend only on the entity: if it reads the cache, the index has its value from the
    /// last commit of the entity. A computed property, or an `==`, `<` or `hash(into:)`, must not write entities of the type.
    /// If it does, commits end nevertheless, and the index can miss some of these writes.
    ///
    /// Two indexes are equal if they are of the same property.
    public struct Index<Value: Cachable>: Sendable {
        /// The property.
        let property: any AnyKeyPath & Sendable
        /// Whether each value is expected in at most one entity.
        let isUnique: Bool
        /// Returns the entities with equal keys, of those that are given, if the index is unique.
        let duplicates: @Sendable ([Value]) -> [[Value]]
        /// Makes the index that finds entities by their keys.
        let byKey: IndexMaker<Value>
        /// Makes the index that has the entities in the order of their keys, or `nil` if the keys have no order.
        let inOrder: IndexMaker<Value>?

        @inlinable init<Key>(
            _ property: any AnyKeyPath & Sendable,
            _ keys: Keys<Key>,
            inOrder: IndexMaker<Value>? = nil,
            isUnique: Bool
        ) {
            // These closures are specialized for the types.
            let code = IndexCode<Value, IndexEntry<Value, Key>>(
                areStoredEqual: keys.areStoredEqual,
                areEqual: keys.areEqual
            ) {
                keys.write($0, $1, $2, $3, $4)
            } prepare: {
                keys.prepare($0, $1, $2, $3)
            }
            self.init(property, keys, code, IndexingCode(), inOrder: inOrder, isUnique: isUnique)
        }

        @usableFromInline init<Key>(
            _ property: any AnyKeyPath & Sendable,
            _ keys: Keys<Key>,
            _ entryCode: IndexCode<Value, IndexEntry<Value, Key>>,
            _ code: IndexingCode<Value>,
            inOrder: IndexMaker<Value>?,
            isUnique: Bool
        ) {
            self.property = property
            self.isUnique = isUnique
            self.inOrder = inOrder
            duplicates = { isUnique ? keys.duplicates(among: $0) : [] }
            byKey = IndexMaker(property, isOrdered: false, code) {
                KeyedIndex(property, keys, inOrder: inOrder, entryCode, in: $0)
            }
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
            self.init(property, Keys(of: EntityProperty(property)), isUnique: isUnique)
        }

        /// Creates an index by the value of a property that has an order.
        ///
        /// Queries also use it for ranges of values, and for the first entities in the order of the property. The order is
        /// built when a query needs it for the first time.
        ///
        /// - Parameters:
        ///   - property: The property.
        ///   - isUnique: Whether each value is expected in at most one entity. Nothing is refused, and
        ///     ``FlatCache/duplicates(of:)`` finds the others.
        @inlinable
        public init<Key: Hashable & Comparable & Sendable>(
            _ property: any KeyPath<Value, Key> & Sendable,
            isUnique: Bool = false
        ) {
            let values = EntityProperty(property)
            let order = KeyOrder(of: values)
            self.init(property, Keys(of: values), inOrder: IndexMaker(property, order), isUnique: isUnique)
        }

        /// Creates an index by the value of an optional property that has an order.
        ///
        /// Queries also use it for ranges of values, and for the first entities in the order of the property. The order is
        /// built when a query needs it for the first time.
        ///
        /// - Parameters:
        ///   - property: The property. `nil` is a value like others.
        ///   - isUnique: Whether each value is expected in at most one entity. Nothing is refused, and
        ///     ``FlatCache/duplicates(of:)`` finds the others.
        @inlinable
        public init<Key: Hashable & Comparable & Sendable>(
            _ property: any KeyPath<Value, Key?> & Sendable,
            isUnique: Bool = false
        ) {
            let values = EntityProperty(property)
            let order = KeyOrder(of: values)
            self.init(property, Keys(of: values), inOrder: IndexMaker(property, order), isUnique: isUnique)
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
            /// Returns whether two entities have equal keys.
            ///
            /// It may be `false` although they have.
            @usableFromInline let areEqual: @Sendable (Value, Value) -> Bool
            /// Returns the keys that only the first of two entities has, and those that only the second has.
            @usableFromInline let difference: @Sendable (Value, Value) -> ([Key], [Key])
            /// Returns whether two entities in memory have equal keys, or is `nil` if that may run user code.
            @usableFromInline let areStoredEqual: KeyComparison?

            @inlinable init(
                areStoredEqual: KeyComparison? = nil,
                all: @escaping @Sendable (Value) -> [Key],
                areEqual: @escaping @Sendable (Value, Value) -> Bool
            ) {
                self.init(areStoredEqual: areStoredEqual, all: all, areEqual: areEqual) {
                    let first = all($0)
                    let second = all($1)
                    // Most entities have one key.
                    return first.count > 1 || second.count > 1
                        ? KeySet(first).difference(to: KeySet(second))
                        : first == second ? ([], []) : (first, second)
                }
            }

            @inlinable init(
                areStoredEqual: KeyComparison? = nil,
                all: @escaping @Sendable (Value) -> [Key],
                areEqual: @escaping @Sendable (Value, Value) -> Bool,
                difference: @escaping @Sendable (Value, Value) -> ([Key], [Key])
            ) {
                self.areStoredEqual = areStoredEqual
                self.all = all
                self.areEqual = areEqual
                self.difference = difference
            }

            /// The values of a property.
            @inlinable init(of property: EntityProperty<Value, Key>) {
                self.init(areStoredEqual: property.comparison) {
                    [property.value(of: $0)]
                } areEqual: {
                    property.value(of: $0) == property.value(of: $1)
                }
            }

            /// The entities with equal keys other than `nil`, in the order of the first of each group.
            func duplicates(among entities: [Value]) -> [[Value]] {
                var groups: [[Value]] = []
                var places = KeyedValues<Key, Int>()
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

extension FlatCache.Index.Keys {
    /// The keys of an entity, each once.
    @inlinable func distinct(_ entity: Value) -> [Key] {
        let keys = all(entity)
        return keys.count > 1 ? KeySet(keys).keys : keys
    }

    /// The keys that only the old entity of a change has, and those that only the new one has.
    @inlinable func keys(of change: IndexedChange<Value>) -> (left: [Key], entered: [Key]) {
        guard let old = change.old, let new = change.new else {
            return (change.old.map(distinct) ?? [], change.new.map(distinct) ?? [])
        }
        return areEqual(old, new) ? ([], []) : difference(old, new)
    }

    @inlinable func prepare(
        _ change: IndexedChange<Value>,
        _ number: Int,
        _ table: Table<Value>,
        _ entries: Table<IndexEntry<Value, Key>>
    ) -> EntryWrites? {
        let (left, entered) = keys(of: change)
        if left.isEmpty && entered.isEmpty { return nil }
        let prepared = PreparedEntries(of: entries)
        // A key that isn't equal to itself, such as NaN, has no entry.
        for key in left where key == key {
            prepared.change(IndexKey(index: number, key: key)) {
                $0.remove(change.id, change.ordinal ?? 0, of: table)
            }
        }
        for key in entered where key == key {
            prepared.change(IndexKey(index: number, key: key)) {
                if let ordinal = change.ordinal {
                    $0.insert(change.id, ordinal, of: table)
                } else {
                    $0.append([change.id])
                }
            }
        }
        return EntryWrites(prepared)
    }

    @inlinable func write(
        _ changes: [IndexedChange<Value>],
        _ number: Int,
        _ table: Table<Value>,
        _ entries: Table<IndexEntry<Value, Key>>,
        _ transaction: Transaction
    ) {
        var changesOfKeys = KeyedValues<Key, IndexEntryChange<Value.ID>>()
        for change in changes {
            let (left, entered) = keys(of: change)
            for key in left {
                changesOfKeys[key, default: .init()].removed.append((change.id, change.ordinal ?? 0))
            }
            // A key that isn't equal to itself, such as NaN, would never be found.
            for key in entered where key == key {
                if let ordinal = change.ordinal {
                    changesOfKeys[key, default: .init()].moved.append((change.id, ordinal))
                } else {
                    changesOfKeys[key, default: .init()].inserted.append((change.id, change.order))
                }
            }
        }
        let entries = transaction.table(entries)
        for entry in changesOfKeys.entries {
            let change = entry.value
            entries.writeEntry(IndexKey(index: number, key: entry.key)) { change.make(in: &$0, of: table) }
        }
        entries.merge()
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
struct IndexedKey<Value: Cachable>: Sendable {
    /// The property of the index.
    let property: any AnyKeyPath & Sendable
    let key: any Hashable & Sendable

    init(_ property: any AnyKeyPath & Sendable, _ key: any Hashable & Sendable) {
        self.property = property
        self.key = key
    }
}

/// A range of the keys of an ordered index.
///
/// It is an object, because conditions are copied for each entity that a query asks.
final class IndexedRange<Value: Cachable>: Sendable {
    /// The property of the index.
    let property: any AnyKeyPath & Sendable
    /// The ``QueryBounds`` of the keys.
    let bounds: any Sendable

    init(_ property: any AnyKeyPath & Sendable, _ bounds: any Sendable) {
        self.property = property
        self.bounds = bounds
    }
}

/// The order of a sort key that an ordered index has.
///
/// It is an object, because sort keys are copied for each comparison.
@usableFromInline
final class IndexedOrder: Sendable {
    /// The property of the index.
    let property: any AnyKeyPath & Sendable
    /// Whether greater keys come first.
    let isDescending: Bool
    /// Whether entities without a key come before all others.
    let isNilFirst: Bool

    init(_ property: any AnyKeyPath & Sendable, isDescending: Bool, isNilFirst: Bool) {
        self.property = property
        self.isDescending = isDescending
        self.isNilFirst = isNilFirst
    }
}

extension FlatCache.Index: CustomStringConvertible, CustomReflectable {
    /// A line with the property: `FlatCache.Index<Blog.Post>: \Post.authorID`.
    public var description: String {
        Summary.line(
            Summary.name("FlatCache.Index", of: Value.self),
            nil,
            [Summary.path(property), isUnique ? "unique" : nil]
        )
    }

    /// No members, so that `dump` prints the line alone.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
