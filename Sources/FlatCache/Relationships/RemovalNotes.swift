internal import Synchronization

/// The removal of an entity to which entities may refer that only a store has.
///
/// It is stored in the commit of the removal, and removed when the delete rules have reached these entities. A store writes the
/// removal not before that.
struct RemovalNote<Value: Cachable>: InternalEntity {
    let id: Value.ID
    /// A revision from before the commit, which no other note has.
    let number: UInt64
    /// Whether there was an entity, and the rules were applied to its owners in memory.
    ///
    /// If it wasn't in memory, only the store knows that.
    let isKnown: Bool
    /// Whether a delete rule has removed the entity that the queue of the store has applied.
    let isConsequence: Bool
}

/// The removal of all entities of a type of which only a store has some.
struct ClearNote<Value: Cachable>: InternalEntity {
    var id: Int { 0 }
    /// A revision from before the commit, which no other note has.
    let number: UInt64
    /// The identifiers of the entities that have taken the place of all, and of those that were removed before, and that the
    /// store still has.
    let kept: KeySet<Value.ID>
}

extension FlatCache {
    /// Notes that entities were removed, in the transaction of the calling thread, if only the store has some of their owners.
    @_semantics("optimize.sil.specialize.generic.never")
    func noteRemovals<Value: Cachable>(of ids: [Value.ID], _ rules: [RemovalRule<Value>]) {
        guard let connection, connection.isWriting,
            rules.contains(where: { $0.deleteRule.mayHaveStoredOwners(in: self) })
        else { return }
        mayHaveRemovalNotes.store(true, ordering: .relaxed)
        let number = history.nextRevision()
        let isConsequence = isReachingOwners
        for id in ids {
            set(RemovalNote<Value>(id: id, number: number, isKnown: true, isConsequence: isConsequence))
        }
    }

    /// Whether the transaction of the calling thread applies delete rules to owners, on the queue of the store.
    private var isReachingOwners: Bool { history.transactionOfThread?.origin == .restore }

    /// Notes that an entity was removed that isn't in memory, in the transaction of the calling thread, if there are rules.
    @_semantics("optimize.sil.specialize.generic.never") @usableFromInline
    func noteMissingRemoval<Value: Cachable>(of id: Value.ID, in changes: TableTransaction<Value>) {
        let rules = changes.rules
        guard !rules.isEmpty, let connection, connection.isWriting else { return }
        applyRulesOfNames(to: [id], in: changes)
        guard rules.contains(where: { $0.deleteRule.hasOwners }),
            // Otherwise the store doesn't have the last change yet, and the entity doesn't exist.
            !changes.table.isNoted(id), !changes.table.isClearPending
        else { return }
        // If it was in memory at an earlier removal in this transaction, the rules were applied.
        let known = get(RemovalNote<Value>.self, id: id)
        mayHaveRemovalNotes.store(true, ordering: .relaxed)
        let number = history.nextRevision()
        for rule in rules { rule.deleteRule.noteOwners(of: [id], before: number, in: self) }
        set(
            RemovalNote<Value>(
                id: id,
                number: number,
                isKnown: known?.isKnown ?? false,
                isConsequence: isReachingOwners
            )
        )
    }

    /// Drops the identifiers of removed entities that aren't in memory from lists and references, all of which are in memory.
    private func applyRulesOfNames<Value: Cachable>(to ids: [Value.ID], in changes: TableTransaction<Value>) {
        if ids.isEmpty { return }
        let rules = changes.rules
        changes.transaction.apply { [self] in
            for rule in rules where !rule.deleteRule.hasOwners { rule.deleteRule.apply(ids, in: self) }
        }
    }

    /// Notes that all entities of a type were removed, in the transaction of the calling thread, if only the store has some.
    ///
    /// - Parameter kept: The identifiers of the entities that take the place of all.
    @_semantics("optimize.sil.specialize.generic.never")
    func noteClear<Value: Cachable>(in changes: TableTransaction<Value>, keeping kept: [Value.ID] = []) {
        guard !changes.rules.isEmpty, let connection, connection.isWriting, mayHaveStored(Value.self),
            // Otherwise nothing that the store has exists any more.
            !changes.table.isClearPending
        else { return }
        let kept = KeySet(kept + changes.table.unwrittenRemovals)
        let lists = notes(ListContents<Value>.self).filter { $0.dropsRemoved }
        let references = notes(ReferenceContents<Value>.self).filter { $0.dropsRemoved }
        let named = KeySet(lists.flatMap { Array($0.order) } + references.map { $0.target })
        applyRulesOfNames(to: named.subtracting(kept), in: changes)
        if !changes.rules.contains(where: { $0.deleteRule.hasOwners }) { return }
        mayHaveRemovalNotes.store(true, ordering: .relaxed)
        let number = history.nextRevision()
        for rule in changes.rules { rule.deleteRule.noteOwners(of: nil, before: number, in: self) }
        set(ClearNote<Value>(number: number, kept: kept))
    }

    /// The noted removals, by type.
    package var notedRemovals: [any ErasedNotedRemovals] { notedRemovals(areConsequences: false) }

    /// The noted removals, by type.
    ///
    /// - Parameter areConsequences: Whether only those are returned that a delete rule has made on the queue of the store.
    package func notedRemovals(areConsequences: Bool) -> [any ErasedNotedRemovals] {
        if !mayHaveRemovalNotes.load(ordering: .relaxed) { return [] }
        return registry.all.compactMap { ($0 as? any NotingTable)?.notedRemovals(in: self, areConsequences) }
    }
}

/// A table of notes.
private protocol NotingTable {
    func notedRemovals(in cache: FlatCache, _ areConsequences: Bool) -> (any ErasedNotedRemovals)?
}

extension Table: NotingTable {
    fileprivate func notedRemovals(in cache: FlatCache, _ areConsequences: Bool) -> (any ErasedNotedRemovals)? {
        isInternal ? nil : NotedRemovals<Value>(in: cache, areConsequences)
    }
}

/// The noted removals of a type, without its static type.
package protocol ErasedNotedRemovals: AnyObject {
    /// The type of the removed entities.
    var removedType: any Cachable.Type { get }

    /// Removes the notes, unless there are newer ones.
    func end()

    /// Notes which of the removed entities the store has, before it doesn't have them any more.
    func keepFound()
}

/// The noted removals of a type, whose owners are searched for.
///
/// Only the queue of the store uses it.
package final class NotedRemovals<Value: Cachable>: ErasedNotedRemovals {
    private let cache: FlatCache
    private let notes: [RemovalNote<Value>]
    private let clear: ClearNote<Value>?
    /// The identifiers of entities that were removed, in memory or in the store.
    private(set) var removed: KeySet<Value.ID>

    package var removedType: any Cachable.Type { Value.self }

    /// Whether the store knows which entities were removed.
    package var isAll: Bool { clear != nil }

    /// The identifiers of entities that only the store can have had.
    package var unknown: [Value.ID] { notes.lazy.filter { !$0.isKnown }.map { $0.id } }

    fileprivate init?(in cache: FlatCache, _ areConsequences: Bool) {
        self.cache = cache
        notes = cache.notes(RemovalNote<Value>.self).filter { $0.isConsequence || !areConsequences }
        clear = areConsequences ? nil : cache.notes(ClearNote<Value>.self).first
        if notes.isEmpty && clear == nil { return nil }
        removed = KeySet(notes.lazy.filter { $0.isKnown }.map { $0.id })
    }

    /// Adds the entities that the store has, which were removed, and applies the rules to their owners in memory.
    ///
    /// - Parameter ids: The identifiers of all entities that the store has, or of the unknown ones.
    package func add(_ ids: [Value.ID]) {
        // A kept one can have been removed before by itself.
        let noted = KeySet(unknown)
        let found = ids.filter { !removed.contains($0) && (noted.contains($0) || clear?.kept.contains($0) != true) }
        if found.isEmpty { return }
        for id in found { _ = removed.insert(id) }
        let removals = removals(of: found)
        cache.commit(from: .restore) { transaction in
            let rules = transaction.table(cache.registry.table(of: Value.self).takeUnretainedValue()).rules
            for rule in rules {
                rule.deleteRule.apply(removals.map { $0.id }, toOwnersBefore: removals.map { $0.number }, in: cache)
            }
        }
    }

    /// The numbers of the first notes of entities, in ascending order.
    private func removals(of ids: [Value.ID]) -> [(id: Value.ID, number: UInt64)] {
        let wanted = KeySet(ids)
        let clearing = clear?.number ?? .max
        var removals = notes.filter { wanted.contains($0.id) }.map { (id: $0.id, number: min($0.number, clearing)) }
        let noted = KeySet(removals.map { $0.id })
        removals += ids.filter { !noted.contains($0) }.map { (id: $0, number: clearing) }
        return removals.sorted { $0.number < $1.number }
    }

    package func end() {
        cache.commit { _ in removeNotes() }
    }

    package func keepFound() {
        cache.commit { _ in
            removeNotes()
            for (id, number) in removals(of: removed.keys) {
                // Only a newer note is left.
                let number = cache.get(RemovalNote<Value>.self, id: id)?.number ?? number
                cache.set(RemovalNote<Value>(id: id, number: number, isKnown: true, isConsequence: false))
            }
        }
    }

    /// Removes the notes in the transaction of the calling thread, unless there are newer ones.
    private func removeNotes() {
        for note in notes where cache.get(RemovalNote<Value>.self, id: note.id)?.number == note.number {
            cache.remove(RemovalNote<Value>.self, id: note.id)
        }
        if let clear, cache.get(ClearNote<Value>.self, id: clear.id)?.number == clear.number {
            cache.remove(ClearNote<Value>.self, id: clear.id)
        }
    }
}

extension FlatCache {
    /// The entities of an internal type, without a table if there are none.
    fileprivate func notes<Note: InternalEntity>(_ type: Note.Type) -> [Note] {
        registry.find(type) == nil ? [] : allValues(of: type)
    }
}
