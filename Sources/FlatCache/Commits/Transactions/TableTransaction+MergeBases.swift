extension TableTransaction {
    /// The bases of the type, or `nil` if there never were any.
    var mergeBases: TableTransaction<MergeBase<Value>>? { table.tableOfMergeBases.map { transaction.table($0) } }

    /// Lets entities that come in be merged with the confirmed one without the change of a mutation.
    func setMergeBase(_ value: Value?, _ id: Value.ID, in cache: FlatCache) {
        if !table.mayHaveMergeBases {
            table.noteMergeBases(in: cache.registry.table(of: MergeBase<Value>.self).takeUnretainedValue())
        }
        mergeBases?.write(MergeBase(id: id, value: value), id, HashedID(id))
    }

    /// Lets entities that come in be merged with the stored one again.
    func removeMergeBase(_ id: Value.ID) { mergeBases?.remove(id, HashedID(id)) }
}
