internal import Synchronization

/// The removal of an identifier to which entities may refer that only a store has.
///
/// It is stored in the commit of the removal, and removed when the delete rules have reached these entities. A store writes the
/// removal not before that.
struct RemovalNote<Value: Cachable>: InternalEntity {
    let id: Value.ID
    /// A revision from before the commit, which no other note has.
    let number: UInt64
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
    func noteRemovals<Value: Cachable>(of type: Value.Type, _ ids: [Value.ID], _ rules: [RemovalRule]) {
        guard let connection, connection.isWriting,
            rules.contains(where: { $0.deleteRule(of: Value.self).mayHaveStoredOwners(in: self) })
        else { return }
        mayHaveRemovalNotes.store(true, ordering: .relaxed)
        let number = history.nextRevision()
        let isConsequence = isReachingOwners
        for id in ids {
            set(RemovalNote<Value>(id: id, number: number, isConsequence: isConsequence))
        }
    }

    /// Whether the transaction of the calling thread applies delete rules to owners, on the queue of the store.
    private var isReachingOwners: Bool { history.transactionOfThread?.origin == .restore }

    /// Drops the identifiers of removed entities that aren't in memory from lists and references, all of which are in memory.
    private func applyRulesOfNames<Value: Cachable>(to ids: [Value.ID], in changes: TableTransaction<Value>) {
        if ids.isEmpty { return }
        let rules = changes.rules
        changes.transaction.apply { [self] in
            for rule in rules where !rule.deleteRule(of: Value.self).hasOwners {
                rule.deleteRule(of: Value.self).apply(ids, in: self)
            }
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
        if !changes.rules.contains(where: { $0.deleteRule(of: Value.self).hasOwners }) { return }
        mayHaveRemovalNotes.store(true, ordering: .relaxed)
        let number = history.nextRevision()
        for rule in changes.rules { rule.deleteRule(of: Value.self).noteOwners(before: number, in: self) }
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

    /// If all were removed, notes which of them the store has, before it doesn't have them any more.
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

    /// Whether all were removed, so that only the store knows which they were.
    package var isAll: Bool { clear != nil }

    fileprivate init?(in cache: FlatCache, _ areConsequences: Bool) {
        self.cache = cache
        notes = cache.notes(RemovalNote<Value>.self).filter { $0.isConsequence || !areConsequences }
        clear = areConsequences ? nil : cache.notes(ClearNote<Value>.self).first
        if notes.isEmpty && clear == nil { return nil }
        removed = KeySet(notes.map { $0.id })
    }

    /// Adds the entities that were removed with all of the type, and applies the rules to their owners in memory.
    ///
    /// - Parameter ids: The identifiers of all entities that the store has.
    package func add(_ ids: [Value.ID]) {
        guard let clear else { return }
        let found = ids.filter { !removed.contains($0) && !clear.kept.contains($0) }
        if found.isEmpty { return }
        for id in found { _ = removed.insert(id) }
        cache.commit(from: .restore) { transaction in
            let rules = transaction.table(cache.registry.table(of: Value.self).takeUnretainedValue()).rules
            for rule in rules { rule.deleteRule(of: Value.self).apply(found, toOwnersBefore: clear.number, in: cache) }
        }
    }

    package func end() {
        cache.commit { _ in
            for note in notes where cache.get(RemovalNote<Value>.self, id: note.id)?.number == note.number {
                cache.remove(RemovalNote<Value>.self, id: note.id)
            }
            removeClearNote()
        }
    }

    package func keepFound() {
        guard let clear else { return }
        cache.commit { _ in
            removeClearNote()
            for id in removed.keys where !cache.contains(RemovalNote<Value>.self, id: id) {
                cache.set(RemovalNote<Value>(id: id, number: clear.number, isConsequence: false))
            }
        }
    }

    /// Removes the note of the removal of all in the transaction of the calling thread, unless there is a newer one.
    private func removeClearNote() {
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
