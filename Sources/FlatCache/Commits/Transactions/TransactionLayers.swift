internal import Synchronization

/// The layers that a transaction adds and removes, and the entities with their layers applied.
@_fixed_layout @usableFromInline
final class TransactionLayers<Value: Cachable> {
    @usableFromInline let code: LayerCode<Value>
    /// The entities whose layers or confirmed entity the transaction changes, by the places of their entries.
    @exclusivity(unchecked) @usableFromInline var entries: [LayeredEntry<Value>?] = []
    /// The objects that a commit has replaced, to be released after unlocking.
    @exclusivity(unchecked) @usableFromInline var released: [AnyObject] = []

    @inlinable init(_ code: LayerCode<Value>) {
        self.code = code
    }

    /// The entry at a place, or `nil` if there is none.
    @inlinable subscript(place: Int) -> LayeredEntry<Value>? { place < entries.count ? entries[place] : nil }

    /// The entry at a place, created if there is none.
    @inlinable func makeEntry(at place: Int) -> LayeredEntry<Value> {
        if let entry = self[place] { return entry }
        while entries.count <= place { entries.append(nil) }
        let made = LayeredEntry<Value>()
        entries[place] = made
        return made
    }
}

/// The change of an entity with layers.
@_fixed_layout @usableFromInline
final class LayeredEntry<Value: Cachable> {
    /// Whether layers are added or removed.
    @exclusivity(unchecked) @usableFromInline var isEdited = false
    @exclusivity(unchecked) @usableFromInline var added: [Layer<Value>] = []
    @exclusivity(unchecked) @usableFromInline var removed = RemovedLayers()
    /// The mutation whose layers wait for those of earlier ones, or `nil` if none does.
    @exclusivity(unchecked) var settled: UInt64?
    /// What delete rules make of the layers.
    @exclusivity(unchecked) @usableFromInline var ruleChanges: [(inout [Layer<Value>]) -> Void] = []
    /// The replacements of identifiers that the entity can name.
    @exclusivity(unchecked) @usableFromInline var renamings: [(Value) -> Value] = []
    /// What is known of the key while the mutation that the transaction confirms is, or `nil` if that hasn't changed it.
    @exclusivity(unchecked) @usableFromInline var confirmed: ConfirmedKey<Value>?
    /// What the commit stores, or `nil` if it isn't determined.
    @exclusivity(unchecked) @usableFromInline var result: LayeredResult<Value>?
    /// The place of the entry with the identifier that replaces this one, or `nil` if none does.
    @exclusivity(unchecked) var next: Int?
    /// The places of the entries whose identifiers are replaced by this one, directly or by several steps.
    @exclusivity(unchecked) @usableFromInline var sources: [Int] = []
    /// The layers that move to the last identifier.
    @exclusivity(unchecked) var moved: [Layer<Value>] = []

    @inlinable init() {}

    /// Whether layers are removed, confirmed or moved.
    var endsLayers: Bool { !removed.isEmpty || settled != nil || next != nil || !sources.isEmpty }

    /// Whether layers are added, and nothing else becomes of them.
    @usableFromInline var isAddedTo: Bool {
        !added.isEmpty && !endsLayers && ruleChanges.isEmpty && renamings.isEmpty
    }

    /// The number of the mutation that is confirmed, if its layers are removed and nothing else becomes of any.
    @usableFromInline var confirmedOnly: UInt64? {
        guard let number = confirmed?.number, removed.isOnly(number), added.isEmpty, ruleChanges.isEmpty,
            renamings.isEmpty, next == nil, sources.isEmpty
        else { return nil }
        return number
    }
}

/// The numbers of removed layers.
@usableFromInline
struct RemovedLayers {
    private var numbers: Set<UInt64> = []

    @usableFromInline init() {}

    @usableFromInline mutating func insert(_ number: UInt64) { numbers.insert(number) }

    var isEmpty: Bool { numbers.isEmpty }

    func isOnly(_ number: UInt64) -> Bool { numbers == [number] }

    @usableFromInline func contains(_ number: UInt64) -> Bool { numbers.contains(number) }
}

/// What a commit stores for an entity with layers.
@_fixed_layout @usableFromInline
final class LayeredResult<Value: Cachable> {
    /// The revision of the slot from whose entity and layers it was made.
    @usableFromInline let revision: UInt64
    /// What the transaction had for the entry.
    @exclusivity(unchecked) @usableFromInline var written: Value?
    @usableFromInline let condition: WriteCondition?
    /// The new confirmed entity and layers, or `nil` if nothing is stored because the condition of the write isn't met.
    @usableFromInline let change: LayeredChange<Value>?

    @inlinable init(
        of revision: UInt64,
        writing written: Value?,
        if condition: WriteCondition?,
        _ change: LayeredChange<Value>?
    ) {
        self.revision = revision
        self.written = written
        self.condition = condition
        self.change = change
    }
}

/// The code of layers, as closures, because closures are specialized for the type where they are created, and most transactions
/// have no layers.
@_fixed_layout @usableFromInline
class LayerCode<Value: Cachable>: LayeringCode, @unchecked Sendable {  // Constant, as are subclasses.
    @usableFromInline let undo: @Sendable (TableTransaction<Value>) -> Void
    @usableFromInline let apply: @Sendable (TableTransaction<Value>) -> Void
    @usableFromInline let areCurrent: @Sendable (TableTransaction<Value>) -> Bool
    @usableFromInline let store:
        @Sendable (TableTransaction<Value>, _ place: Int, inout Commit, ReleasedEntities) -> Bool
    @usableFromInline let replace: @Sendable (FlatCache, Value, Value.ID, HashedID, Table<Value>) -> Void

    /// Whether it is the code of the steps of mutations, too; see `MutationCode`.
    @usableFromInline let isOfMutations: Bool

    @inlinable init(isOfMutations: Bool = false) {
        self.isOfMutations = isOfMutations
        undo = { $0.undoLayers() }
        apply = { $0.applyLayers() }
        areCurrent = { $0.areLayersCurrent }
        store = { $0.storeLayered(at: $1, &$2, $3) }
        replace = { $0.replaceConfirmed($1, $2, $3, in: $4) }
        super.init()
    }
}

extension Table {
    /// The code of layers, which exists from the first mutation on.
    @inlinable var layerCode: LayerCode<Value>? {
        guard let code = layeringCode.load() else { return nil }
        return unsafeDowncast(code, to: LayerCode<Value>.self)
    }

    /// The code of layers.
    ///
    /// - Parameter make: Creates it, if there is none.
    @inlinable func layerCode(or make: () -> LayerCode<Value>) -> LayerCode<Value> {
        layerCode ?? unsafeDowncast(storeIfNil(make()), to: LayerCode<Value>.self)
    }

    @usableFromInline func storeIfNil(_ code: LayeringCode) -> LayeringCode { layeringCode.storeIfNil(code) }
}
