extension CachedList {
    /// Stores entities and replaces the identifiers of the list by theirs, in one commit.
    ///
    /// - Parameter values: The entities in the new order of the list. If two have the same identifier, the first
    ///   determines the place and the second is stored.
    /// - Complexity: O(*n*) on average for *n* entities.
    public func replace(with values: some Sequence<Value>) {
        store(Array(values)) { $0.replace(with: $1) }
    }

    /// Replaces the identifiers of the list.
    ///
    /// - Parameter ids: The identifiers in the new order of the list. Their entities need not be stored.
    /// - Complexity: O(*n*) on average for *n* identifiers.
    public func replace(withIDs ids: some Sequence<Value.ID>) {
        change { $0.replace(with: ids) }
    }

    /// Stores an entity, and adds it to the end of the list, in one commit.
    ///
    /// - Parameter value: The entity. If it is already listed, it is stored and keeps its place.
    /// - Complexity: O(log *m*) on average for a list of *m*.
    public func append(_ value: Value) {
        append(contentsOf: CollectionOfOne(value))
    }

    /// Stores entities, such as an older page, and adds them to the end of the list, in one commit.
    ///
    /// - Parameter values: The entities in order. Entities that are already listed are stored and keep their places.
    /// - Complexity: O(*n* + log *m*) on average for *n* entities and a list of *m*.
    public func append(contentsOf values: some Sequence<Value>) {
        store(Array(values)) { $0.append($1) }
    }

    /// Adds identifiers to the end of the list.
    ///
    /// - Parameter ids: The identifiers in order. Identifiers that are already listed keep their places. The entities
    ///   need not be stored.
    /// - Complexity: O(*n* + log *m*) on average for *n* identifiers and a list of *m*.
    public func append(ids: some Sequence<Value.ID>) {
        change { $0.append(ids) }
    }

    /// Stores an entity, and adds it to the beginning of the list, in one commit.
    ///
    /// - Parameter value: The entity. If it is already listed, it is stored and keeps its place.
    /// - Complexity: O(log *m*) on average for a list of *m*.
    public func prepend(_ value: Value) {
        prepend(contentsOf: CollectionOfOne(value))
    }

    /// Stores entities, such as a newer page, and adds them to the beginning of the list, in one commit.
    ///
    /// - Parameter values: The entities in order. Entities that are already listed are stored and keep their places.
    /// - Complexity: O(*n* + log *m*) on average for *n* entities and a list of *m*.
    public func prepend(contentsOf values: some Sequence<Value>) {
        store(Array(values)) { $0.prepend($1) }
    }

    /// Adds identifiers to the beginning of the list.
    ///
    /// - Parameter ids: The identifiers in order. Identifiers that are already listed keep their places. The entities
    ///   need not be stored.
    /// - Complexity: O(*n* + log *m*) on average for *n* identifiers and a list of *m*.
    public func prepend(ids: some Sequence<Value.ID>) {
        change { $0.prepend(ids) }
    }

    /// Stores an entity, and inserts it into the list before another one, in one commit.
    ///
    /// - Parameters:
    ///   - value: The entity. If it is already listed, it is stored and keeps its place.
    ///   - other: The identifier before which the entity is inserted, or `nil` for the end of the list.
    /// - Returns: Whether `other` is listed or `nil`. If not, nothing is stored.
    /// - Complexity: O(*m*) for a list of *m*, which is searched but not copied.
    @discardableResult
    public func insert(_ value: Value, before other: Value.ID?) -> Bool {
        insert(contentsOf: CollectionOfOne(value), before: other)
    }

    /// Stores entities, such as a page that fills a gap, and inserts them into the list before another one, in one
    /// commit.
    ///
    /// - Parameters:
    ///   - values: The entities in order. Entities that are already listed are stored and keep their places.
    ///   - other: The identifier before which they are inserted, or `nil` for the end of the list.
    /// - Returns: Whether `other` is listed or `nil`. If not, nothing is stored.
    /// - Complexity: O(*n* + *m*) on average for *n* entities and a list of *m*, which is searched but not copied.
    @discardableResult
    public func insert(contentsOf values: some Sequence<Value>, before other: Value.ID?) -> Bool {
        guard let cache else { return false }
        let values = Array(values)
        let ids = values.map { $0.id }
        return cache.commitTogether {
            let isListed = changeInTransaction(of: cache) { $0.insert(ids, before: other) }
            if isListed { cache.set(contentsOf: values) }
            return isListed
        }
    }

    /// Inserts identifiers into the list before another one.
    ///
    /// - Parameters:
    ///   - ids: The identifiers in order. Identifiers that are already listed keep their places. The entities need not
    ///     be stored.
    ///   - other: The identifier before which they are inserted, or `nil` for the end of the list.
    /// - Returns: Whether `other` is listed or `nil`. If not, nothing is changed.
    /// - Complexity: O(*n* + *m*) on average for *n* identifiers and a list of *m*, which is searched but not copied.
    @discardableResult
    public func insert(ids: some Sequence<Value.ID>, before other: Value.ID?) -> Bool {
        change { $0.insert(ids, before: other) } ?? false
    }

    /// Moves an identifier to the place before another one.
    ///
    /// The place is given by an identifier, not by a position, because another thread may change the list at any time.
    ///
    /// - Parameters:
    ///   - id: The identifier to move.
    ///   - other: The identifier before which it is moved, or `nil` for the end of the list.
    /// - Returns: Whether `id` is listed, and `other` is listed or `nil`. If not, nothing is changed.
    /// - Complexity: O(*m*) for a list of *m*, which is searched but not copied.
    @discardableResult
    public func move(_ id: Value.ID, before other: Value.ID?) -> Bool {
        change { $0.move(id, before: other) } ?? false
    }

    /// Removes an identifier from the list and keeps its entity in the cache.
    ///
    /// - Parameter id: The identifier.
    /// - Returns: Whether the identifier was listed.
    /// - Complexity: O(*m*) for a list of *m*, which is searched but not copied.
    @discardableResult
    public func remove(_ id: Value.ID) -> Bool {
        removeIDs(CollectionOfOne(id)) == 1
    }

    /// Removes an entity from the list and keeps it in the cache.
    ///
    /// - Parameter value: The entity.
    /// - Returns: Whether its identifier was listed.
    /// - Complexity: O(*m*) for a list of *m*, which is searched but not copied.
    @_disfavoredOverload  // An entity that is its own identifier is removed as that.
    @discardableResult
    public func remove(_ value: Value) -> Bool {
        remove(value.id)
    }

    /// Removes identifiers from the list and keeps their entities in the cache.
    ///
    /// - Parameter ids: The identifiers.
    /// - Returns: The number of removed identifiers.
    /// - Complexity: O(*n* + *m*) on average for *n* identifiers and a list of *m*.
    @discardableResult
    public func remove(ids: some Sequence<Value.ID>) -> Int {
        removeIDs(ids)
    }

    /// Removes identifiers, which no page lists that was asked for before, also if they aren't listed yet.
    func removeIDs(_ ids: some Sequence<Value.ID>) -> Int {
        let ids = Array(ids)
        let count = change { contents in
            noteRemovals(ids)
            return contents.remove(contentsOf: ids)
        }
        return count ?? 0
    }

    /// Removes all identifiers from the list and keeps the entities in the cache.
    ///
    /// The cache forgets whether the list drops removed entities.
    public func removeAll() {
        removeContents()
    }

    /// Changes the identifiers of the list atomically, without losing changes of other threads.
    ///
    ///     let count = list.update { ids in
    ///         ids.sort(by: isNewer)
    ///         return ids.count
    ///     }
    ///
    /// What is known of the pages of the list remains, unless none of the identifiers does.
    ///
    /// - Parameter body: A closure that changes the identifiers. Their entities need not be stored. If two identifiers
    ///   are equal, only the first is kept. The closure runs without a lock, and runs again if another thread changes
    ///   the list meanwhile.
    /// - Returns: The body's return value, or `nil` if the cache is deallocated. Then the body is not called.
    /// - Throws: The error that the body throws. Then nothing is changed.
    /// - Complexity: The time of the body, and O(*m*) on average for a list of *m*.
    @discardableResult
    public func update<Result, Failure: Error>(
        _ body: (inout [Value.ID]) throws(Failure) -> Result
    ) throws(Failure) -> Result? {
        try change { contents throws(Failure) in
            var ids = Array(contents.order)
            let result = try body(&ids)
            contents.rearrange(as: ids)
            return result
        }
    }

    /// Changes the identifiers of the list atomically, with a closure that returns nothing.
    ///
    ///     list.update { $0.sort(by: isNewer) }
    ///
    /// What is known of the pages of the list remains, unless none of the identifiers does.
    ///
    /// - Parameter body: A closure that changes the identifiers. Their entities need not be stored. If two identifiers
    ///   are equal, only the first is kept. The closure runs without a lock, and runs again if another thread changes
    ///   the list meanwhile.
    /// - Returns: Whether the cache is alive. If it is deallocated, the body is not called.
    /// - Throws: The error that the body throws. Then nothing is changed.
    /// - Complexity: The time of the body, and O(*m*) on average for a list of *m*.
    @discardableResult
    public func update<Failure: Error>(_ body: (inout [Value.ID]) throws(Failure) -> Void) throws(Failure) -> Bool {
        let result: Void? = try update(body)
        return result != nil
    }

    /// Stores entities, and changes the list by their identifiers, in one commit.
    func store(_ values: [Value], _ body: (inout ListContents<Value>, [Value.ID]) -> Void) {
        guard let cache else { return }
        let ids = values.map { $0.id }
        // A stored list is changed in place. If none is stored, a transaction creates it.
        let isStored = handle.update(storing: values) {
            if dropsRemoved { $0.dropRemoved(in: cache) }
            if let keeps { $0.keeps = keeps }
            body(&$0, ids)
        }
        if !isStored {
            cache.commitTogether {
                cache.set(contentsOf: values)
                changeInTransaction(of: cache) { body(&$0, ids) }
            }
        }
        noteProtection(in: cache)
    }

    /// Marks the first entities as read, so that an eviction that is in progress leaves them.
    func noteProtection(in cache: FlatCache) {
        cache.noteProtection(of: Value.self) { keeps in
            let contents = handle.current
            return Array((contents?.order ?? []).prefix(contents?.keeps ?? keeps))
        }
    }

    /// Changes the list, and creates it if none is stored.
    @discardableResult
    func change<Result, Failure: Error>(
        _ body: (inout ListContents<Value>) throws(Failure) -> Result
    ) throws(Failure) -> Result? {
        guard let cache else { return nil }
        defer { noteProtection(in: cache) }
        return try cache.commitTogether { () throws(Failure) in try changeInTransaction(of: cache, body) }
    }

    /// Changes the list in a transaction, and creates it if none is stored.
    ///
    /// - Parameter isAlwaysSet: Whether contents that are equal are set nevertheless, because some members aren't compared.
    func changeInTransaction<Result, Failure: Error>(
        of cache: FlatCache,
        isAlwaysSet: Bool = false,
        _ body: (inout ListContents<Value>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let current = handle.current
        let stored = current ?? ListContents(name: handle.id)
        var contents = stored
        if dropsRemoved { contents.dropRemoved(in: cache) }
        if let keeps { contents.keeps = keeps }
        let result = try body(&contents)
        if contents.removalCount != stored.removalCount { noteRemovals(from: stored, to: contents, in: cache) }
        // Two versions of a list share nodes, which the comparison skips.
        if isAlwaysSet || contents != stored || contents.isStale != stored.isStale {
            cache.set(contents)
        } else if contents.generation != stored.generation {
            noteReplacement(by: contents, isStored: current != nil, in: cache)
        }
        return result
    }
}
