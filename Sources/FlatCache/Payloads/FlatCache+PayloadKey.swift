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
    ///
    /// ## The generated table
    ///
    /// The keys are the raw values of the `CodingKeys`, or the names of the properties. If the `CodingKeys` aren't an
    /// enum with string literals, or the type declares `payloadKeys` itself, no table is generated. Where the main
    /// actor is the default isolation, an extension that makes an entity decodable must be nonisolated:
    /// `nonisolated extension Post: Codable {}`. `swift package flatcache explain` prints the keys, with a note for each
    /// property that can't be kept.
    ///
    /// A relationship has further keys: the accessor's name, and the key without `ID`, also as `convertFromSnakeCase`
    /// makes them: `mainUrlAuthorId` of `main_url_author_id`. If the key is in snake case, so is the accessor's name. A
    /// key of another property isn't one of them. If a response has both the key of the property and another one, the
    /// first counts, and both entities are stored.
    ///
    /// ## What a payload keeps
    ///
    /// - **Constants, and properties with private setters**, are kept. A private property is kept if the type is also
    ///   `Encodable`. Otherwise its default replaces it. If its type is private, too, the type is learnt from the first
    ///   complete entity of the process.
    /// - **A custom `init(from:)`**: a property counts as absent if the initializer asks for the key of its name and
    ///   the response doesn't have it. The initializer must read a value of the property's type there. It may change
    ///   the value, as in `price = try … * 100`, only of a variable that other files can set. Otherwise the problem is
    ///   ``PayloadProblem/Reason/cannotRestore(property:)``. What it computes from other keys is computed again from
    ///   the response and the stored values. If a required property is left out, too, an error that the initializer
    ///   would catch makes the entity a problem.
    /// - **State of the app**, a variable that isn't among the `CodingKeys`, is kept if `init(from:)` is synthesized.
    /// - **A property wrapper** is decoded as its own type. The plugin knows the type of ``Omittable``, of a wrapper
    ///   with generic arguments, as in `@Lossy<Int>`, and of one that the target declares without generic parameters.
    ///   The type of another one is learnt from the first complete entity of the process.
    /// - **A computed identifier** is known if the body is the name of one property, with or without `self`, `return` and
    ///   `get`: `var id: Int { number }`. Otherwise an entity without a required property can't be merged.
    /// - **An enumeration**, as an entity or in one, must be `Codable`. A case keeps the members that the stored case
    ///   has under the same keys, which are learnt from the first complete entity of each case. If the stored property
    ///   has another case, a case without a required member is a problem, and the property is kept.
    /// - **A structure** in the entity keeps its members, too: ``FlatCache/FlatCache/PayloadOwner``. A collection of
    ///   values that aren't entities is one value, and is replaced.
    ///
    /// Types of targets without the plugin must be `Codable`, and their keys are learnt from the first complete entity
    /// of the process.
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
    ///
    /// A structure that is generic or has an `init(from:)` of its own has no generated table. Without a table, a
    /// structure in an entity must be `Codable`. The types of its required members are learnt from the first complete
    /// one of the process, and before that, one without a required member is a problem. If it is only `Decodable`, it
    /// replaces the stored one, with the problem ``PayloadProblem/Reason/cannotKeep(property:)`` for each lost member.
    ///
    /// The table of a type that isn't in an entity has only its relationships.
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
