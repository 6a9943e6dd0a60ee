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
    let table: Table<MergeBase<Value>>

    init(_ table: Table<MergeBase<Value>>) {
        self.table = table
        super.init()
    }
}

extension EntityTable {
    /// Whether an entity may have a base with which others are merged.
    @inlinable var mayHaveMergeBases: Bool { mergeBases.exists }
}

extension Table {
    /// The table of the bases, or `nil` if there never were any.
    var tableOfMergeBases: Table<MergeBase<Value>>? {
        mergeBases.load().map { unsafeDowncast($0, to: MergeBases<Value>.self).table }
    }

    /// Lets entities have bases from now on.
    func noteMergeBases(in bases: Table<MergeBase<Value>>) { _ = mergeBases.storeIfNil(MergeBases(bases)) }
}
