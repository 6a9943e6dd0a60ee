extension FlatCache {
    /// Returns one property of the entity with an identifier, or `nil` if the entity is not stored.
    ///
    ///     cache.get(Post.self, id: "1", \.title)          // String?
    ///
    /// If the key path leads to a stored property, the rest of the entity is not copied, which takes a fraction of the
    /// time. Other key paths, to computed properties or through references, are evaluated on a copy of the entity.
    /// Meanwhile this cache is the ``current`` one, which accessors read.
    ///
    /// - Parameters:
    ///   - type: The type of the entity; can be omitted if it is inferred.
    ///   - id: The identifier of the entity.
    ///   - property: The property.
    /// - Complexity: O(1) on average.
    @inlinable
    public func get<Value: Cachable, Property>(
        _ type: Value.Type = Value.self,
        id: Value.ID,
        _ property: KeyPath<Value, Property>
    ) -> Property? {
        self.property(property, of: id)
    }

    /// Returns one optional property of the entity with an identifier, or `nil` if the entity is not stored.
    ///
    /// If the key path leads to a stored property, the rest of the entity is not copied. Other key paths are evaluated
    /// on a copy of the entity. Meanwhile this cache is the ``current`` one, which accessors read.
    ///
    /// - Parameters:
    ///   - type: The type of the entity; can be omitted if it is inferred.
    ///   - id: The identifier of the entity.
    ///   - property: The property.
    /// - Complexity: O(1) on average.
    @inlinable
    public func get<Value: Cachable, Property>(
        _ type: Value.Type = Value.self,
        id: Value.ID,
        _ property: KeyPath<Value, Property?>
    ) -> Property? {
        let value: Property?? = self.property(property, of: id)
        return value ?? nil
    }

    @inlinable
    func property<Value: Cachable, Property>(_ property: KeyPath<Value, Property>, of id: Value.ID) -> Property? {
        guard let offset = MemoryLayout<Value>.offset(of: property) else {
            // A computed property may use accessors, which read the current cache.
            return get(Value.self, id: id).map { value in asCurrent { value[keyPath: property] } }
        }
        return readEntity(id) {
            ($0 + offset).assumingMemoryBound(to: Property.self).pointee
        } ofCopy: { (value: Value) in
            value[keyPath: property]
        }
    }

    /// Returns the stored entities with the given identifiers, in the order of the identifiers.
    ///
    /// Missing entities are left out. ``missingIDs(of:among:)`` returns their identifiers. Each entity is read
    /// separately, so another thread can commit between two reads. To read one state, call this in a ``read(_:)`` or
    /// ``transaction(_:)``.
    ///
    /// - Parameters:
    ///   - type: The type of the entities.
    ///   - ids: The identifiers. If an identifier occurs twice, its entity is returned twice.
    /// - Complexity: O(*n*) on average for *n* identifiers.
    @inlinable
    public func get<Value: Cachable>(_ type: Value.Type = Value.self, ids: some Sequence<Value.ID>) -> [Value] {
        ids.compactMap { get(Value.self, id: $0) }
    }

    /// Returns the identifiers whose entities are not stored, in their order.
    ///
    /// - Parameters:
    ///   - type: The type of the entities.
    ///   - ids: The identifiers.
    /// - Complexity: O(*n*) on average for *n* identifiers.
    @inlinable
    public func missingIDs<Value: Cachable>(
        of type: Value.Type,
        among ids: some Sequence<Value.ID>
    ) -> [Value.ID] {
        ids.filter { !contains(Value.self, id: $0) }
    }

    /// Returns whether an entity is stored.
    ///
    /// An observer of a value that is computed from it is notified when the entity is inserted or removed, and not when it is
    /// updated.
    ///
    /// - Parameters:
    ///   - type: The type of the entity.
    ///   - id: The identifier of the entity.
    /// - Complexity: O(1) on average.
    @inlinable
    public func contains<Value: Cachable>(_ type: Value.Type, id: Value.ID) -> Bool {
        if case .some = history.snapshotOfThread { return containsInBody(type, id: id) }
        return readEntity(id) { _ in
            true
        } ofCopy: { (_: Value) in
            true
        } ?? false
    }

    /// Whether an entity is stored, as the running body of a `read` or `transaction` sees it.
    @usableFromInline func containsInBody<Value: Cachable>(_ type: Value.Type, id: Value.ID) -> Bool {
        guard let snapshot = history.snapshotOfThread else { return contains(type, id: id) }
        let table = registry.table(of: Value.self).takeUnretainedValue()
        return snapshot.contains(id, HashedID(id), in: table) || forwardedValue(of: id, in: table) != nil
    }

    /// The number of stored entities of all types.
    ///
    /// Each type is counted separately, so another thread can commit meanwhile. To count one state, use this in a
    /// ``read(_:)`` or ``transaction(_:)``. Observers of a value that is computed from this property aren't notified of
    /// types that are stored for the first time later. Observe ``count(of:)`` instead.
    ///
    /// - Complexity: O(*t*) for *t* types, or O(*n*) for *n* entities in a ``read(_:)`` or ``transaction(_:)``.
    public var count: Int { registry.all.reduce(0) { $0 + $1.accept(EntityCount()) } }

    /// Returns the number of stored entities of a type.
    ///
    /// An observer of a value that is computed from it is notified when an entity is inserted or removed, and not when one is
    /// updated.
    ///
    /// - Parameter type: The type of the entities.
    /// - Complexity: O(1). O(*n*) for *n* entities in a ``transaction(_:)``, and in a ``read(_:)`` after a commit of the type.
    public func count<Value: Cachable>(of type: Value.Type) -> Int {
        registry.table(of: type).takeUnretainedValue().count
    }

    /// Returns all entities of a type, from one state of the cache.
    ///
    /// - Parameters:
    ///   - type: The type of the entities.
    ///   - inOrder: Whether the entities are in the order of their insertion; otherwise they are in no particular order. An
    ///     entity keeps its place when it is overwritten, and gets a new one when it is stored in a commit after its removal.
    /// - Complexity: O(*n*) for *n* entities, or O(*n* log *n*) in order.
    @inlinable public func allValues<Value: Cachable>(of type: Value.Type, inOrder: Bool = false) -> [Value] {
        let table = registry.table(of: type).takeUnretainedValue()
        return inOrder ? table.orderedValues : table.values
    }

    /// Returns the keys of all entities of a type, from one state of the cache, in no particular order.
    ///
    /// - Parameter type: The type of the entities.
    /// - Complexity: O(*n*) for *n* entities.
    @inlinable public func allKeys<Value: Cachable>(of type: Value.Type) -> [FlatCacheKey] {
        registry.table(of: type).takeUnretainedValue().values.map { $0.flatCacheKey }
    }
}
