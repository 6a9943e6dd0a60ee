/// The key of an entity, as a store keeps it.
package struct StoredKey: Hashable, Codable, Sendable {
    /// The name of the type in the store.
    package let type: String
    /// The bytes of the identifier.
    package let id: [UInt8]

    package init(type: String, id: [UInt8]) {
        self.type = type
        self.id = id
    }
}

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
    /// The idempotency keys of the mutations that insert what this one changes, and that end before it is sent.
    package var insertions: [String] = []
    /// The entities that it inserts with temporary identifiers.
    package var inserted: Set<StoredKey> = []

    package init(
        id: String,
        name: String,
        order: MutationOrder,
        arguments: Arguments,
        insertions: [String] = [],
        inserted: Set<StoredKey> = []
    ) {
        self.id = id
        self.name = name
        self.order = order
        self.arguments = arguments
        self.insertions = insertions
        self.inserted = inserted
    }

    init(_ mutation: some StorableMutation) {
        self.init(
            id: Self.makeIdempotencyKey(),
            name: type(of: mutation).storedName,
            order: mutation.order,
            arguments: .mutation(mutation)
        )
    }

    /// Notes what the mutation inserts, and which insertions end before it is sent.
    mutating func noteInsertions(of mutation: PendingMutation, in cache: FlatCache) {
        let earlier = cache.insertions(before: mutation) + cache.keptInsertions(before: mutation)
        insertions = earlier.compactMap { $0.stored?.id }
        inserted = Set(mutation.steps.filter { $0.isTemporary }.compactMap { cache.connection?.storedKey(of: $0.key) })
    }

    /// Removes the mutations from the store that wait for this one, which inserts what they change, and those that wait for them,
    /// in the commit that ends this one without its changes.
    ///
    /// If another process has ended this one, it isn't known how, and they remain.
    func removeFollowers(from transaction: Transaction, in cache: FlatCache) {
        if StoredMutation.stored(id, in: cache) == nil { return }
        var ended: Set<String> = [id]
        // One that waits for another one was begun after it.
        for follower in StoredMutation.allStored(in: cache) where !ended.isDisjoint(with: follower.insertions) {
            ended.insert(follower.id)
            follower.remove(from: transaction, in: cache)
        }
    }

    /// Returns 128 random bits as hexadecimal digits.
    static func makeIdempotencyKey() -> String {
        (0..<2).map { _ in
            let digits = String(UInt64.random(in: 0...(.max)), radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }
}
