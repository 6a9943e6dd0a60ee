/// Access to entities of the library.
///
/// It isn't specialized, because an app would have a copy of the code of the cache for each of these types.
extension InternalEntity {
    /// The entity with an identifier, or `nil` if none is stored.
    @_semantics("optimize.sil.specialize.generic.never")
    static func stored(_ id: ID, in cache: FlatCache) -> Self? { cache.get(Self.self, id: id) }

    /// The stored entities in the order of insertion.
    @_semantics("optimize.sil.specialize.generic.never")
    static func allStored(in cache: FlatCache) -> [Self] { cache.allValues(of: Self.self, inOrder: true) }

    /// Stores the entity.
    @_semantics("optimize.sil.specialize.generic.never")
    func store(in cache: FlatCache) { cache.set(self) }

    /// Removes and returns the entity with an identifier.
    @_semantics("optimize.sil.specialize.generic.never") @discardableResult
    static func remove(_ id: ID, from cache: FlatCache) -> Self? { cache.remove(Self.self, id: id) }

    /// Stores the entity, in a transaction.
    @_semantics("optimize.sil.specialize.generic.never")
    func write(to transaction: Transaction, in cache: FlatCache) {
        Self.changes(in: transaction, cache).write(self, id, HashedID(id))
    }

    /// Removes the entity, in a transaction.
    @_semantics("optimize.sil.specialize.generic.never")
    func remove(from transaction: Transaction, in cache: FlatCache) {
        Self.changes(in: transaction, cache).remove(id, HashedID(id))
    }

    /// The changes of the type in a transaction.
    fileprivate static func changes(in transaction: Transaction, _ cache: FlatCache) -> TableTransaction<Self> {
        transaction.table(cache.registry.table(of: Self.self).takeUnretainedValue())
    }
}

extension IndexContents {
    /// Changes the entry with an identifier when a transaction is committed.
    ///
    /// - Parameters:
    ///   - id: The identifier.
    ///   - transaction: The transaction.
    ///   - cache: The cache.
    ///   - change: Changes the stored entry. It may be called several times.
    @_semantics("optimize.sil.specialize.generic.never")
    static func writeEntry(
        _ id: ID,
        in transaction: Transaction,
        of cache: FlatCache,
        _ change: @escaping (inout Self) -> Void
    ) {
        changes(in: transaction, cache).writeEntry(id, change)
    }

    /// Whether an entry with an identifier may be stored or observed.
    @_semantics("optimize.sil.specialize.generic.never")
    static func mayHaveSlot(_ id: ID, in cache: FlatCache) -> Bool {
        cache.registry.find(Self.self)?.takeUnretainedValue().mayHaveSlot(HashedID(id)) == true
    }
}
