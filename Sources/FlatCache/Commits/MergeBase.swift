/// The confirmed entity without the changes that only this device has made, stored like an entity.
///
/// A mutation that the server has confirmed without an entity leaves one, until the next entity comes in. That is merged with it, so
/// that a stamp which this device has invented doesn't refuse the server. Types without a merge have none.
struct MergeBase<Value: Cachable>: InternalEntity {
    let id: Value.ID
    /// The entity, or `nil` if none was stored.
    let value: Value?
}

/// The merge bases of a type, without the type.
///
/// It is a class because `LazyReference` requires one.
@usableFromInline
class ErasedMergeBases: @unchecked Sendable {  // It has no variables, nor have subclasses.
    fileprivate init() {}
}

private final class MergeBases<Value: Cachable>: ErasedMergeBases, @unchecked Sendable {  // Constant.
    /// The cache owns it as long as this object.
    unowned let table: Table<MergeBase<Value>>

    init(_ table: Table<MergeBase<Value>>) {
        self.table = table
        super.init()
    }
}

extension Table {
    /// Whether an entity may have a base with which others are merged.
    @inlinable var mayHaveMergeBases: Bool {
        if case .none = mergeBases.load() { false } else { true }
    }

    fileprivate var tableOfMergeBases: Table<MergeBase<Value>>? {
        mergeBases.load().map { unsafeDowncast($0, to: MergeBases<Value>.self).table }
    }
}

extension TableTransaction {
    /// The bases of the type, or `nil` if there never were any.
    var mergeBases: TableTransaction<MergeBase<Value>>? { table.tableOfMergeBases.map { transaction.table($0) } }

    /// Lets entities that come in be merged with the confirmed one without the change of a mutation.
    func setMergeBase(_ value: Value?, _ id: Value.ID, in cache: FlatCache) {
        if !table.mayHaveMergeBases {
            let bases = cache.registry.table(of: MergeBase<Value>.self).takeUnretainedValue()
            _ = table.mergeBases.storeIfNil(MergeBases(bases))
        }
        mergeBases?.write(MergeBase(id: id, value: value), id, HashedID(id))
    }

    /// Lets entities that come in be merged with the stored one again.
    @usableFromInline func removeMergeBase(_ id: Value.ID) { mergeBases?.remove(id, HashedID(id)) }
}
