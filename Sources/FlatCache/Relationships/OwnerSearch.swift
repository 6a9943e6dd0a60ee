/// The search for entities of a type that refer to removed ones, and that only a store has.
package struct OwnerSearch<Owner: Cachable> {
    /// The rules that concern a removal, each with the removed entities.
    private let rules: [(refers: (Owner) -> Bool, act: ([Owner]) -> Void)]
    private let cache: FlatCache

    /// Creates a search, or returns `nil` if no delete rule of the type concerns the removals, or all of its entities are in
    /// memory.
    package init?(for removals: [any ErasedNotedRemovals], in cache: FlatCache) {
        guard cache.mayHaveStored(Owner.self) else { return nil }
        self.cache = cache
        rules = cache.registry.declaredRules(of: Owner.self).flatMap {
            declared -> [(refers: (Owner) -> Bool, act: ([Owner]) -> Void)] in
            guard let rule = declared.rule as? any RuleOfOwners<Owner> else { return [] }
            return removals.compactMap { rule.search($0, in: cache) }
        }
        if rules.isEmpty { return nil }
    }

    /// Whether an entity refers to a removed one.
    package func concerns(_ owner: Owner) -> Bool { rules.contains { $0.refers(owner) } }

    /// Loads entities, and applies the rules to those that no commit has written since.
    ///
    /// - Parameters:
    ///   - owners: Entities of the store that refer to removed ones.
    ///   - revision: The revision that the store has all changes of, if it has those of the entities.
    ///   - time: The current time in milliseconds since 1970.
    package func apply(to owners: [RestoredEntity<Owner>], at revision: UInt64, time: UInt64) {
        for begin in stride(from: 0, to: owners.count, by: pieceLength) {
            let piece = Array(owners[begin..<min(begin + pieceLength, owners.count)])
            let handles = piece.map { Cached(Owner.self, id: $0.value.id, in: cache) }
            let loaded = cache.commitLoaded { commit in
                for owner in piece { commit.insert(owner, unlessChangedAfter: revision) }
            }
            cache.noteLoaded(piece, at: loaded, time: time)
            cache.commit(from: .restore) { _ in
                for rule in rules {
                    let unwritten = handles.filter { cache.lastWrite(of: Owner.self, id: $0.id) == 0 }
                        .compactMap { $0.current }
                    rule.act(unwritten.filter(rule.refers))
                }
            }
        }
    }
}

/// A delete rule for the entities of a type, without the type of those that they refer to.
protocol RuleOfOwners<Owner>: AnyObject {
    associatedtype Owner: Cachable

    /// Changes or removes an entity of an answer that refers to entities that were removed since the request, in the transaction of the
    /// calling thread.
    ///
    /// - Parameters:
    ///   - owner: The entity, as the transaction has stored it.
    ///   - below: The entities that others have stored in its place, which keep the identifiers that they have.
    ///   - revision: The revision of the request.
    ///   - cache: The cache.
    func apply(to owner: Owner, below: [Owner], since revision: UInt64, in cache: FlatCache)

    /// The condition and the action of the rule for removed entities, or `nil` if it doesn't concern their type.
    func search(
        _ removals: any ErasedNotedRemovals,
        in cache: FlatCache
    ) -> (refers: (Owner) -> Bool, act: ([Owner]) -> Void)?
}
