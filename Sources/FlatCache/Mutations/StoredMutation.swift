/// A mutation that has not ended, as a store keeps it.
///
/// It is an entity of the cache, which the commit that begins the mutation stores, and the commit that ends it removes. A batch
/// of a store has whole commits. So the store has a mutation together with the confirmed state without its changes, or no
/// mutation and the state after its end.
package struct StoredMutation: InternalEntity {
    /// What the mutation was begun with.
    package enum Arguments: Sendable {
        /// The mutation itself.
        case mutation(any StorableMutation)
        /// What a store has of a mutation that was begun by an earlier process.
        case bytes([UInt8])
    }

    /// The idempotency key.
    package let id: String
    /// The name of the type.
    package let name: String
    package let order: MutationOrder
    package let arguments: Arguments

    package init(id: String, name: String, order: MutationOrder, arguments: Arguments) {
        self.id = id
        self.name = name
        self.order = order
        self.arguments = arguments
    }

    init(_ mutation: some StorableMutation) {
        self.init(
            id: Self.makeIdempotencyKey(),
            name: type(of: mutation).storedName,
            order: mutation.order,
            arguments: .mutation(mutation)
        )
    }

    /// Returns 128 random bits as hexadecimal digits.
    private static func makeIdempotencyKey() -> String {
        (0..<2).map { _ in
            let digits = String(UInt64.random(in: 0...(.max)), radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }
}

/// The change that keeps a mutation until it ends.
struct StoredMutationStep: MutationStep {
    let content: StoredMutation
    /// Whether it is kept already, because an earlier process has begun the mutation.
    let isReplay: Bool

    var isTemporary: Bool { false }

    func key(of mutation: PendingMutation, in cache: FlatCache) -> FlatCacheKey {
        FlatCacheKey(StoredMutation.self, id: content.id)
    }

    func temporaryID<Related: Cachable>(of type: Related.Type) -> Related.ID? { nil }

    // It has no layer.

    func mutations(with mutation: PendingMutation, in cache: FlatCache) -> [PendingMutation] { [] }

    func hasLayer(of mutation: PendingMutation, in cache: FlatCache) -> Bool { false }

    func hasLayers(with mutation: PendingMutation, in cache: FlatCache) -> Bool { false }

    func settle(_ mutation: PendingMutation, in cache: FlatCache) {}

    func replaceIdentifier(by entity: any Sendable, in cache: FlatCache) -> Bool { false }

    func add(of mutation: PendingMutation, in cache: FlatCache) -> Bool { false }

    func remove(of mutation: PendingMutation, in cache: FlatCache) -> Bool { false }

    func add(to transaction: Transaction, of mutation: PendingMutation, in cache: FlatCache) {
        if !isReplay { table(in: transaction, cache).write(content, content.id, HashedID(content.id)) }
    }

    func remove(from transaction: Transaction, of mutation: PendingMutation, in cache: FlatCache) {
        table(in: transaction, cache).remove(content.id, HashedID(content.id))
    }

    func hold(in cache: FlatCache) -> (any ErasedHeldEntities)? { nil }

    func confirm(_ mutation: PendingMutation, in cache: FlatCache) {}

    private func table(in transaction: Transaction, _ cache: FlatCache) -> TableTransaction<StoredMutation> {
        transaction.table(cache.registry.table(of: StoredMutation.self).takeUnretainedValue())
    }
}

extension PendingMutation {
    /// What a store keeps of the mutation, or `nil` if it isn't kept.
    var stored: StoredMutation? { (steps.first as? StoredMutationStep)?.content }
}
