/// The code of the steps of mutations, as closures, because closures are specialized for the type where they are created.
@_fixed_layout @usableFromInline
final class MutationCode<Value: Cachable>: LayerCode<Value>, @unchecked Sendable {  // Constant.
    @usableFromInline let commitLayer: @Sendable (EntityStep<Value>, PendingMutation, FlatCache) -> Int?
    @usableFromInline let commitEdit:
        @Sendable (EntityStep<Value>, LayerEdit<Value>, PendingMutation, FlatCache) -> Bool
    @usableFromInline let addLayer: @Sendable (EntityStep<Value>, Transaction, PendingMutation, FlatCache) -> Void
    @usableFromInline let removeLayer: @Sendable (EntityStep<Value>, Transaction, PendingMutation, FlatCache) -> Void
    @usableFromInline let confirm: @Sendable (EntityStep<Value>, Transaction, PendingMutation, FlatCache) -> Void
    @usableFromInline let replacements: ReplacementCounts

    @inlinable init(_ replacements: ReplacementCounts) {
        self.replacements = replacements
        commitLayer = { $0.commitLayer(of: $1, in: $2) }
        commitEdit = { $0.commit($1, of: $2, in: $3) }
        addLayer = { $0.addLayer(of: $2, to: $1, in: $3) }
        removeLayer = { $0.removeLayer(of: $2, from: $1, in: $3) }
        confirm = { $0.write(to: $1, of: $2, in: $3) }
        super.init(isOfMutations: true)
    }
}

extension Table {
    /// The code of the steps of mutations of the type.
    @inlinable var mutationCode: MutationCode<Value> {
        let code = layerCode { MutationCode(history.object.replacements) }
        // A commit that has moved layers before the first mutation has made the code of layers alone.
        return code.isOfMutations
            ? unsafeDowncast(code, to: MutationCode<Value>.self) : MutationCode(history.object.replacements)
    }
}

extension FlatCache {
    /// The code of the steps of mutations of a type.
    @inlinable func mutationCode<Value: Cachable>(of type: Value.Type) -> MutationCode<Value> {
        registry.table(of: type).takeUnretainedValue().mutationCode
    }
}
