/// The indexes of a table, which commits keep current.
///
/// Another part of the library has the subclass. Its objects are constant: a table gets another one with each new index.
@usableFromInline
class TableIndexes<Value: Cachable>: @unchecked Sendable {
    /// Whether a commit that replaces an entity changes no index.
    ///
    /// It may run user code, so no lock may be held.
    ///
    /// - Parameters:
    ///   - old: The stored entity, or `nil` if none is stored.
    ///   - new: The entity that replaces it.
    @usableFromInline func areKept(from old: Value?, to new: Value) -> Bool { false }
}
