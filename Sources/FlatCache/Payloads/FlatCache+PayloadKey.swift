extension FlatCache {
    /// An entity type with a table of the keys that its `init(from:)` reads.
    ///
    /// A payload uses the table to keep what a response leaves out, and to accept related entities where identifiers are
    /// expected. The build plugin generates the conformance of each entity type that is `Decodable`. A conformance
    /// written by hand looks like this:
    ///
    ///     extension Post: FlatCache.PayloadDecodable {
    ///         static var payloadKeys: [FlatCache.PayloadKey<Post>] {
    ///             [.init(id: "id", \.id), .init("title", \.title), .init("authorID", \.authorID, Author.self, "author")]
    ///         }
    ///     }
    public protocol PayloadDecodable: PayloadOwner, Cachable, Decodable {
        /// Writes entities of a payload, in code that is specialized for the type.
        static func _write(_ entities: FlatCache._PayloadEntities<Self>)
    }

    /// A type with a table of the keys that its `init(from:)` reads.
    ///
    /// A payload uses the table of a structure in an entity to keep what a response leaves out of the structure. It uses the table
    /// of any type to accept related entities where identifiers are expected. The build plugin generates the conformance of
    /// each `Decodable` structure that an entity has, if it is declared in one or `nonisolated`, and of each other `Decodable`
    /// structure with relationships, such as a patch or a structure around entities. A conformance written by hand looks like this:
    ///
    ///     extension Page: FlatCache.PayloadOwner {
    ///         static var payloadKeys: [FlatCache.PayloadKey<Page>] { [.init("postIDs", to: Post.self, "posts")] }
    ///     }
    public protocol PayloadOwner {
        /// The keys: one for each decoded property of an entity or of a structure in one, or one for each relationship of
        /// another type.
        static var payloadKeys: [FlatCache.PayloadKey<Self>] { get }
    }

    /// Entities of a payload that replace the stored ones.
    public struct _PayloadEntities<Entity: Cachable> {
        @usableFromInline let values: ArraySlice<Entity>
        @usableFromInline let table: Table<Entity>
        @usableFromInline let transaction: Transaction
        @usableFromInline let condition: WriteCondition

        init(
            _ values: ArraySlice<Entity>,
            in transaction: Transaction,
            _ table: Table<Entity>,
            if condition: WriteCondition
        ) {
            self.values = values
            self.table = table
            self.transaction = transaction
            self.condition = condition
        }

        /// Writes the entities in the transaction.
        ///
        /// The part of the transaction is created here even if there are no entities, so that its commit is specialized.
        @inlinable func write() {
            let changes = transaction.table(table)
            for place in values.indices {
                let id = values[place].id
                changes.write(values[place], id, HashedID(id), if: condition)
            }
        }
    }
}

extension FlatCache.PayloadOwner {
    /// The key of a property of this type.
    public typealias _PayloadKey = FlatCache.PayloadKey<Self>
}

extension FlatCache.PayloadDecodable {
    /// Writes entities of a payload, in code that is specialized for the type.
    @inlinable public static func _write(_ entities: FlatCache._PayloadEntities<Self>) { entities.write() }
}

extension FlatCache {
    /// A type that members of the owner shadow in an expression.
    public typealias _Type<Value> = Value

    /// A decoded property, with the key at which `init(from:)` reads it.
    public struct PayloadKey<Entity>: Sendable {
        /// The coding key.
        let name: String
        let property: PayloadProperty<Entity>
        /// The relationship, or `nil` if the property isn't one.
        let relation: PayloadRelation?
        /// Whether the value is the identifier of the entity.
        var isIdentifier = false
        /// Whether the property has no key.
        var isLocal = false

        /// Creates the key of a property.
        ///
        /// Its type need not be known to be `Decodable`, because the conformance can belong to the main actor.
        ///
        /// - Parameters:
        ///   - name: The coding key.
        ///   - property: The property. If it can be set, a payload without the key keeps it.
        public init<Value>(_ name: StaticString, _ property: any KeyPath<Entity, Value> & Sendable) {
            self.init(name, ReadableProperty<Entity, Value>(property), nil)
        }

        /// Creates the key of the identifier.
        ///
        /// - Parameters:
        ///   - name: The coding key.
        ///   - property: The identifier.
        public init<Value>(id name: StaticString, _ property: any KeyPath<Entity, Value> & Sendable) {
            self.init(name, property)
            isIdentifier = true
        }

        /// Creates the entry of a property that is never decoded, such as a state of the app.
        ///
        /// Payloads keep its stored value. A decoded entity has its initial value.
        ///
        /// - Parameter property: The property.
        public init<Value>(local property: any WritableKeyPath<Entity, Value> & Sendable) {
            self.init("", ReadableProperty<Entity, Value>(property), nil)
            isLocal = true
        }

        /// Creates the key of a property that can't be read outside of its file.
        ///
        /// - Parameters:
        ///   - name: The coding key.
        ///   - type: The type of the property.
        public init<Value>(_ name: StaticString, _ type: Value.Type) {
            let decoded = (type as? any Decodable.Type).map { LearntProperty<Entity>($0) }
            self.init(name, decoded ?? PayloadProperty<Entity>(), nil)
        }

        /// Creates the key of a relationship whose related entities can be nested in a payload.
        ///
        /// - Parameters:
        ///   - name: The coding key.
        ///   - property: The property, which holds an identifier, or a collection of identifiers.
        ///   - related: The type of the related entities.
        ///   - alternatives: The other keys at which an identifier or a related entity can be, in the order of
        ///     precedence.
        public init<Value: Decodable, Related: Cachable & Decodable>(
            _ name: StaticString,
            _ property: any KeyPath<Entity, Value> & Sendable,
            _ related: Related.Type,
            _ alternatives: StaticString...
        ) where Related.ID: Decodable {
            self.init(
                name,
                ReadableProperty<Entity, Value>(property),
                NestedRelation<Related>(name, alternatives, to: Related.self)
            )
        }

        /// Creates the key of a relationship whose related entities can't be decoded.
        ///
        /// - Parameters:
        ///   - name: The coding key.
        ///   - property: The property, which holds an identifier, or a collection of identifiers.
        ///   - related: The type of the related entities.
        ///   - alternatives: The other keys at which an identifier can be, in the order of precedence.
        @_disfavoredOverload
        public init<Value: Decodable, Related: Cachable>(
            _ name: StaticString,
            _ property: any KeyPath<Entity, Value> & Sendable,
            _ related: Related.Type,
            _ alternatives: StaticString...
        ) {
            self.init(
                name,
                ReadableProperty<Entity, Value>(property),
                PayloadRelation(name, alternatives, to: Related.self)
            )
        }

        /// Creates the key of a relationship whose identifiers aren't decoded as values of their own type.
        ///
        /// - Parameters:
        ///   - name: The coding key.
        ///   - property: The property, which holds an identifier, or a collection of identifiers.
        ///   - related: The type of the related entities.
        ///   - alternatives: The other keys at which an identifier can be, in the order of precedence.
        @_disfavoredOverload
        public init<Value, Related: Cachable>(
            _ name: StaticString,
            _ property: any KeyPath<Entity, Value> & Sendable,
            _ related: Related.Type,
            _ alternatives: StaticString...
        ) {
            self.init(name, ReadableProperty<Entity, Value>(property), nil)
        }

        /// Creates the key of a relationship of a type that isn't an entity.
        ///
        /// - Parameters:
        ///   - name: The coding key.
        ///   - related: The type of the related entities, which can be nested in a payload.
        ///   - alternatives: The other keys at which an identifier or a related entity can be, in the order of
        ///     precedence.
        public init<Related: Cachable & Decodable>(
            _ name: StaticString,
            to related: Related.Type,
            _ alternatives: StaticString...
        ) where Related.ID: Decodable {
            self.init(name, PayloadProperty<Entity>(), NestedRelation<Related>(name, alternatives, to: related))
        }

        /// Creates the key of a relationship of a type that isn't an entity, to entities that can't be decoded.
        ///
        /// - Parameters:
        ///   - name: The coding key.
        ///   - related: The type of the related entities.
        ///   - alternatives: The other keys at which an identifier can be, in the order of precedence.
        @_disfavoredOverload
        public init<Related: Cachable>(
            _ name: StaticString,
            to related: Related.Type,
            _ alternatives: StaticString...
        ) {
            self.init(name, PayloadProperty<Entity>(), PayloadRelation(name, alternatives, to: related))
        }

        /// The same key as that of the identifier.
        ///
        /// An entity can compute its identifier from a property of any kind:
        ///
        ///     let userID: User.ID                     // relationship: User
        ///     var id: User.ID { userID }              // .init("userID", \.userID, User.self, "user").asIdentifier
        public var asIdentifier: PayloadKey {
            var key = self
            key.isIdentifier = true
            return key
        }

        /// Creates a key that was learnt from a decoding.
        init(learnt name: String, _ property: PayloadProperty<Entity>, isIdentifier: Bool) {
            self.name = name
            self.isIdentifier = isIdentifier
            self.property = property
            relation = nil
        }

        init(_ name: StaticString, _ property: PayloadProperty<Entity>, _ relation: PayloadRelation?) {
            self.name = "\(name)"
            self.property = property
            self.relation = relation
        }
    }
}

extension FlatCache.PayloadKey: CustomStringConvertible, CustomReflectable {
    /// A line with the coding key: `FlatCache.PayloadKey<Blog.Post>("author_id")`.
    public var description: String {
        Summary.line(Summary.name("FlatCache.PayloadKey", of: Entity.self), String(reflecting: name))
    }

    /// No members, so that `dump` prints the line alone.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
