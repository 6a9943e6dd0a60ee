extension CachedList {
    /// Stores entities and lists exactly these, in one commit.
    ///
    /// - Parameter values: The entities in the order that the list shall have. Of two with one identifier, the first gives
    ///   the place and the second is stored.
    /// - Complexity: O(*n*) on average for *n* entities.
    @inlinable
    public func replace(with values: some Sequence<Value>) {
        store(Array(values)) { $0 = ListContents(name: $0.id, ids: $1) }
    }

    /// Lists exactly these identifiers, whose entities need not be stored.
    ///
    /// - Parameter ids: The identifiers in the order that the list shall have.
    /// - Complexity: O(*n*) on average for *n* identifiers.
    @inlinable
    public func replace(withIDs ids: some Sequence<Value.ID>) {
        change { $0 = ListContents(name: $0.id, ids: ids) }
    }

    /// Stores an entity, and adds it to the end of the list, in one commit.
    ///
    /// - Parameter value: The entity. When it is listed already, it is stored and keeps its place.
    /// - Complexity: O(log *m*) on average for a list of *m*.
    @inlinable
    public func append(_ value: Value) {
        append(contentsOf: CollectionOfOne(value))
    }

    /// Stores entities, and adds them to the end of the list, in one commit: an older page.
    ///
    /// - Parameter values: The entities in their order. Those that are listed already are stored and keep their places.
    /// - Complexity: O(*n* + log *m*) on average for *n* entities and a list of *m*.
    @inlinable
    public func append(contentsOf values: some Sequence<Value>) {
        store(Array(values)) { $0.append($1) }
    }

    /// Adds identifiers, whose entities need not be stored, to the end of the list.
    ///
    /// - Parameter ids: The identifiers in their order. Those that are listed already keep their places.
    /// - Complexity: O(*n* + log *m*) on average for *n* identifiers and a list of *m*.
    @inlinable
    public func append(ids: some Sequence<Value.ID>) {
        change { $0.append(ids) }
    }

    /// Stores an entity, and adds it to the beginning of the list, in one commit.
    ///
    /// - Parameter value: The entity. When it is listed already, it is stored and keeps its place.
    /// - Complexity: O(log *m*) on average for a list of *m*.
    @inlinable
    public func prepend(_ value: Value) {
        prepend(contentsOf: CollectionOfOne(value))
    }

    /// Stores entities, and adds them to the beginning of the list, in one commit: a newer page.
    ///
    /// - Parameter values: The entities in their order. Those that are listed already are stored and keep their places.
    /// - Complexity: O(*n* + log *m*) on average for *n* entities and a list of *m*.
    @inlinable
    public func prepend(contentsOf values: some Sequence<Value>) {
        store(Array(values)) { $0.prepend($1) }
    }

    /// Adds identifiers, whose entities need not be stored, to the beginning of the list.
    ///
    /// - Parameter ids: The identifiers in their order. Those that are listed already keep their places.
    /// - Complexity: O(*n* + log *m*) on average for *n* identifiers and a list of *m*.
    @inlinable
    public func prepend(ids: some Sequence<Value.ID>) {
        change { $0.prepend(ids) }
    }

    /// Stores an entity, and adds it to the list before another one, in one commit.
    ///
    /// - Parameters:
    ///   - value: The entity. When it is listed already, it is stored and keeps its place.
    ///   - other: The identifier before which it goes; `nil` adds it to the end.
    /// - Returns: Whether the other one is listed; nothing is stored otherwise.
    /// - Complexity: O(*m*) for a list of *m*, which is searched but not copied.
    @discardableResult
    @inlinable
    public func insert(_ value: Value, before other: Value.ID?) -> Bool {
        insert(contentsOf: CollectionOfOne(value), before: other)
    }

    /// Stores entities, and adds them to the list before another one, in one commit: a page that fills a gap.
    ///
    /// - Parameters:
    ///   - values: The entities in their order. Those that are listed already are stored and keep their places.
    ///   - other: The identifier before which they go; `nil` adds them to the end.
    /// - Returns: Whether the other one is listed; nothing is stored otherwise.
    /// - Complexity: O(*n* + *m*) on average for *n* entities and a list of *m*, which is searched but not copied.
    @discardableResult
    @inlinable
    public func insert(contentsOf values: some Sequence<Value>, before other: Value.ID?) -> Bool {
        guard let cache else { return false }
        let values = Array(values)
        let ids = values.map(\.id)
        return cache.commitTogether {
            let isListed = changeInTransaction(of: cache) { $0.insert(ids, before: other) }
            if isListed { cache.set(contentsOf: values) }
            return isListed
        }
    }

    /// Adds identifiers, whose entities need not be stored, to the list before another one.
    ///
    /// - Parameters:
    ///   - ids: The identifiers in their order. Those that are listed already keep their places.
    ///   - other: The identifier before which they go; `nil` adds them to the end.
    /// - Returns: Whether the other one is listed; nothing is changed otherwise.
    /// - Complexity: O(*n* + *m*) on average for *n* identifiers and a list of *m*, which is searched but not copied.
    @discardableResult
    @inlinable
    public func insert(ids: some Sequence<Value.ID>, before other: Value.ID?) -> Bool {
        change { $0.insert(ids, before: other) } ?? false
    }

    /// Moves an identifier to the place before another one.
    ///
    /// Places are named by identifiers, not by numbers, because another thread may change the list at any time.
    ///
    /// - Parameters:
    ///   - id: The identifier to move.
    ///   - other: The identifier before which it goes; `nil` moves it to the end.
    /// - Returns: Whether both are listed; nothing is changed otherwise.
    /// - Complexity: O(*m*) for a list of *m*, which is searched but not copied.
    @discardableResult
    @inlinable
    public func move(_ id: Value.ID, before other: Value.ID?) -> Bool {
        change { $0.move(id, before: other) } ?? false
    }

    /// Removes an identifier from the list; its entity stays in the cache.
    ///
    /// - Parameter id: The identifier.
    /// - Returns: Whether it was listed.
    /// - Complexity: O(*m*) for a list of *m*, which is searched but not copied.
    @discardableResult
    @inlinable
    public func remove(_ id: Value.ID) -> Bool {
        change { $0.remove(id) } ?? false
    }

    /// Removes the identifier of an entity from the list; the entity stays in the cache.
    ///
    /// - Parameter value: The entity.
    /// - Returns: Whether its identifier was listed.
    /// - Complexity: O(*m*) for a list of *m*, which is searched but not copied.
    @_disfavoredOverload  // An entity that is its own identifier is removed as that.
    @discardableResult
    @inlinable
    public func remove(_ value: Value) -> Bool {
        remove(value.id)
    }

    /// Removes identifiers from the list; their entities stay in the cache.
    ///
    /// - Parameter ids: The identifiers.
    /// - Returns: The number of those that were listed.
    /// - Complexity: O(*n* + *m*) on average for *n* identifiers and a list of *m*.
    @discardableResult
    @inlinable
    public func remove(ids: some Sequence<Value.ID>) -> Int {
        change { $0.remove(contentsOf: ids) } ?? 0
    }

    /// Removes all identifiers from the list; the entities stay in the cache.
    public func removeAll() {
        handle.remove()
    }

    /// Changes the order at once, atomically: no change of another thread is lost in between.
    ///
    ///     let count = list.update { ids in
    ///         ids.sort(by: isNewer)
    ///         return ids.count
    ///     }
    ///
    /// - Parameter body: Changes the identifiers, which need no stored entities; of equal ones only the first is kept. It may
    ///   run more than once, as in ``FlatCache/update(_:id:_:)->Result?``.
    /// - Returns: What the body returns, or `nil` when the cache is gone; the body is not called then.
    /// - Throws: What the body throws; nothing is changed then.
    /// - Complexity: The body, and O(*m*) on average for a list of *m*.
    @discardableResult
    @inlinable
    public func update<Result, Failure: Error>(
        _ body: (inout [Value.ID]) throws(Failure) -> Result
    ) throws(Failure) -> Result? {
        try change { contents throws(Failure) in
            var ids = Array(contents.order)
            let result = try body(&ids)
            contents = ListContents(name: contents.id, ids: ids)
            return result
        }
    }

    /// Changes the order at once, atomically, with a closure that returns nothing.
    ///
    ///     list.update { $0.sort(by: isNewer) }
    ///
    /// - Parameter body: Changes the identifiers, which need no stored entities; of equal ones only the first is kept. It may
    ///   run more than once, as in ``FlatCache/update(_:id:_:)->Result?``.
    /// - Returns: Whether the cache is there; the body is not called otherwise.
    /// - Throws: What the body throws; nothing is changed then.
    /// - Complexity: The body, and O(*m*) on average for a list of *m*.
    @discardableResult
    @inlinable
    public func update<Failure: Error>(_ body: (inout [Value.ID]) throws(Failure) -> Void) throws(Failure) -> Bool {
        let result: Void? = try update(body)
        return result != nil
    }

    /// Stores entities, and changes the list by their identifiers, in one commit.
    @inlinable
    func store(_ values: [Value], _ body: (inout ListContents<Value>, [Value.ID]) -> Void) {
        guard let cache else { return }
        let ids = values.map(\.id)
        // A list that is there is changed in place; one that isn't is made by a transaction.
        if case .some = handle.update(storing: values, { body(&$0, ids) }) { return }
        cache.commitTogether {
            cache.set(contentsOf: values)
            changeInTransaction(of: cache) { body(&$0, ids) }
        }
    }

    /// Changes the list, which is made if there is none.
    @discardableResult
    @inlinable
    func change<Result, Failure: Error>(
        _ body: (inout ListContents<Value>) throws(Failure) -> Result
    ) throws(Failure) -> Result? {
        guard let cache else { return nil }
        return try cache.commitTogether { () throws(Failure) in try changeInTransaction(of: cache, body) }
    }

    @inlinable
    func changeInTransaction<Result, Failure: Error>(
        of cache: FlatCache,
        _ body: (inout ListContents<Value>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let stored = handle.current ?? ListContents(name: handle.id, ids: [])
        var contents = stored
        let result = try body(&contents)
        // Of two versions of a list only what they do not share is compared.
        if contents != stored { cache.set(contents) }
        return result
    }
}
