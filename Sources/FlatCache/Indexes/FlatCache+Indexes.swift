internal import Synchronization

extension FlatCache {
    /// Builds an index now, so that later queries use it.
    ///
    ///     cache.buildIndex(.init(\Post.slug))
    ///     cache.buildIndex(.init(\Post.createdAt), isOrdered: true)
    ///
    /// An index in ``Cachable/indexes`` is built when it is first needed. This method builds it earlier, or builds one for
    /// a type that doesn't declare it. Other threads can read and write meanwhile. If the index exists, nothing is done.
    ///
    /// - Parameters:
    ///   - index: The index.
    ///   - isOrdered: Whether to build what answers ranges and the first entities of an order, and not what finds entities
    ///     by their keys. The other part is built when a query needs it for the first time. If the values of the property
    ///     have no order, there is nothing to build.
    /// - Complexity: O(*n* log *n*) for *n* entities of the type.
    public func buildIndex<Value: Cachable>(_ index: Index<Value>, isOrdered: Bool = false) {
        let table = registry.table(of: Value.self).takeUnretainedValue()
        guard let maker = isOrdered ? index.inOrder : index.byKey else { return }
        _ = builtIndex(maker, in: table)
    }

    /// Returns the entities of a type that have equal values of a property although its index is unique.
    ///
    /// `nil` is no value here.
    ///
    /// - Parameter type: The type of the entities, which declares unique indexes in ``Cachable/indexes``.
    /// - Returns: The groups of entities with equal values, for each index in its order, each group in the order of
    ///   insertion. It is empty if there are no duplicates.
    /// - Complexity: O(*n* log *n*) for *n* entities of the type.
    public func duplicates<Value: Cachable>(of type: Value.Type) -> [[Value]] {
        let indexes = type.indexes.filter { $0.isUnique }
        if indexes.isEmpty { return [] }
        let entities = allValues(of: type, inOrder: true)
        return asCurrent { indexes.flatMap { $0.duplicates(entities) } }
    }

    /// The entities with a key of an index, as a body sees them, or `nil` if no index can find them.
    ///
    /// A declared index is built if it is needed for the first time.
    func indexedEntities<Value: Cachable>(
        with key: IndexedKey<Value>,
        in snapshot: Snapshot,
        of table: Table<Value>,
        _ read: IndexReader<Value>
    ) -> [StoredEntity<Value>]? {
        snapshot.readsBelowLayers(of: table)
            ? nil : index(for: key, of: table)?.entities(with: key.key, in: snapshot, read)
    }

    /// The entities with any of some keys of an index, for an observer, or `nil` if no index can find them, or if the keys
    /// are too many to be asked for each change.
    func indexMembers<Value: Cachable>(
        with keys: [IndexedKey<Value>],
        of table: Table<Value>
    ) -> ObservedMembers<Value>? {
        if keys.count > 16 { return nil }
        let parts = keys.compactMap { key in index(for: key, of: table)?.members(with: key.key) }
        if parts.count < keys.count { return nil }
        return parts.count == 1 ? parts[0] : JoinedMembers(parts)
    }

    /// The entities with an identifier in a relationship, as a body sees them, or `nil` if no index can find them.
    func indexedEntities<Value: Cachable>(
        with id: some Hashable & Sendable,
        of relationship: AnyKeyPath,
        in snapshot: Snapshot,
        of table: Table<Value>
    ) -> [StoredEntity<Value>]? {
        guard let index = table.propertyIndexes?.list.first(where: { !$0.isOrdered && $0.property == relationship })
        else {
            return nil
        }
        return indexedEntities(
            with: IndexedKey(index.property, id),
            in: snapshot,
            of: table,
            Query(Value.self).code.read
        )
    }

    /// The index for a key, or `nil` if there is none.
    private func index<Value: Cachable>(for key: IndexedKey<Value>, of table: Table<Value>) -> PropertyIndex<Value>? {
        table.index(of: key.property, isOrdered: false)
            ?? Value.indexes.first { $0.property == key.property }.map { builtIndex($0.byKey, in: table) }
    }

    /// The index of a property that has the entities in the order of their keys, or `nil` if there is none.
    ///
    /// It is built if it is needed for the first time.
    func orderedIndex<Value: Cachable>(
        of property: any AnyKeyPath & Sendable,
        of table: Table<Value>
    ) -> PropertyIndex<Value>? {
        if let known = table.index(of: property, isOrdered: true) { return known }
        let byKey = table.index(of: property, isOrdered: false)
        let maker = byKey.map { $0.inOrder } ?? Value.indexes.first { $0.property == property }?.inOrder
        return maker.map { builtIndex($0, in: table) }
    }

    /// The index of a table, which is built if there is none.
    private func builtIndex<Value: Cachable>(_ maker: IndexMaker<Value>, in table: Table<Value>) -> PropertyIndex<Value>
    {
        while true {
            let before = table.propertyIndexes
            if let known = before?.index(of: maker.property, isOrdered: maker.isOrdered) { return known }
            let made = maker.make(self)
            let after = PropertyIndexes((before?.list ?? []) + [made], of: table, maker.code)
            // From now on each commit keeps the index current, and the entities of the snapshot are added.
            let snapshot: Snapshot? = table.withAllShards {
                guard table.indexes === before else { return nil }
                table.indexes = after
                table.mayHaveIndexes.store(true, ordering: .relaxed)
                return history.object.openSnapshot()
            }
            guard let snapshot else { continue }
            ReadContext.runOutside(of: history.object) { build(made, of: table, from: snapshot, maker.code) }
            return made
        }
    }

    /// Adds the entities of a snapshot to an index, as they are stored now.
    private func build<Value: Cachable>(
        _ index: PropertyIndex<Value>,
        of table: Table<Value>,
        from snapshot: Snapshot,
        _ code: IndexingCode<Value>
    ) {
        // Entities are added in order, so that each is put behind the others.
        let ids = code.ids(table, snapshot)
        history.object.close(snapshot)
        for begin in stride(from: 0, to: ids.count, by: smallCommit) {
            code.build(Array(ids[begin..<min(begin + smallCommit, ids.count)]), table, index, self)
        }
        index.completeRevision.store(history.lastRevision, ordering: .releasing)
    }
}

extension Table {
    fileprivate var propertyIndexes: PropertyIndexes<Value>? {
        maintainedIndexes.map { unsafeDowncast($0, to: PropertyIndexes<Value>.self) }
    }

    /// The index of a property that is kept current, or `nil` if there is none.
    fileprivate func index(of property: any AnyKeyPath & Sendable, isOrdered: Bool) -> PropertyIndex<Value>? {
        propertyIndexes?.index(of: property, isOrdered: isOrdered)
    }
}

extension PropertyIndexes {
    fileprivate func index(of property: any AnyKeyPath & Sendable, isOrdered: Bool) -> PropertyIndex<Value>? {
        list.first { $0.isOrdered == isOrdered && $0.property == property }
    }
}
