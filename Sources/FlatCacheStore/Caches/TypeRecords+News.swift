internal import FlatCache

extension TypeRecords {
    func news(of part: StoreBatch.Part) -> StoredNews {
        let stored = part.changes.compactMap { change in change.value.map { StoredRecord(key: change.key, value: $0) } }
        let removed = part.changes.lazy.filter { $0.value == nil }.map(\.key)
        switch part.group.kind {
        case .entities:
            let ids = removed.compactMap { try? RecordKey.id(as: Value.ID.self, from: $0) }
            return entityNews(stored) { [self] commit, entities in
                if part.removesAll { commit.removeEntities(of: Value.self, except: []) }
                for entity in entities
                where mayBeInMemory(entity, commit) || commit.isChanged(Value.self, id: entity.value.id) {
                    // What this process has changed would undo the news in the store.
                    commit.set(entity)
                }
                for id in ids { commit.remove(Value.self, id: id) }
            }
        case .lists:
            let (lists, errors) = readAll(stored, .lists, list)
            let names = removed.compactMap { try? RecordKey.id(as: String.self, from: $0) }
            return StoredNews(
                apply: { commit in
                    if part.removesAll { commit.removeLists(of: Value.self, except: []) }
                    commit.cache.restore(Value.self, lists: lists, references: [])
                    for name in names { commit.cache.list(name, of: Value.self).removeAll() }
                },
                errors: errors
            )
        case .references:
            let (references, errors) = readAll(stored, .references, reference)
            let names = removed.compactMap { try? RecordKey.id(as: String.self, from: $0) }
            return StoredNews(
                apply: { commit in
                    if part.removesAll { commit.removeReferences(of: Value.self, except: []) }
                    commit.cache.restore(Value.self, lists: [], references: references)
                    for name in names { commit.cache.reference(name, of: Value.self).id = nil }
                },
                errors: errors
            )
        case .replacements:
            let (replacements, errors) = readAll(stored, .replacements, replacement)
            let ids = removed.compactMap { try? RecordKey.id(as: Value.ID.self, from: $0) }
            let ended = ids.map { ChangedIdentifier(old: $0, new: nil) }
            return StoredNews(
                apply: { commit in
                    if part.removesAll { commit.endReplacements(of: Value.self, except: []) }
                    commit.replace(replacements + ended, of: Value.self)
                },
                errors: errors
            )
        case .mergeBases:
            let (bases, errors) = mergeBases(stored)
            let ids = removed.compactMap { try? RecordKey.id(as: Value.ID.self, from: $0) }
            let ended = ids.map { ChangedMergeBase<Value>(id: $0, isStored: false, value: nil) }
            return StoredNews(
                apply: { commit in
                    if part.removesAll { commit.removeMergeBases(of: Value.self, except: []) }
                    commit.set(bases + ended)
                },
                errors: errors
            )
        case .schema:
            return StoredNews { _ in }
        }
    }

    func recordsInMemory(
        of cache: FlatCache,
        replacing replacements: [StoredRecord],
        from store: any EntityStore
    ) throws -> [StoredRecord] {
        let inMemory = cache.confirmed { cache.allValues(of: Value.self) }.map(\.id)
        // Those that take the places of entities in memory.
        let new = readAll(replacements, .replacements, replacement).elements.compactMap(\.new)
        let keys = Set((inMemory + new).compactMap { try? RecordKey.bytes(of: $0)[...] })
        return try store.read(group(.entities), keys: Array(keys))
    }

    func news(
        entities: [StoredRecord],
        lists: [StoredRecord],
        references: [StoredRecord],
        replacements: [StoredRecord],
        mergeBases: [StoredRecord]
    ) -> StoredNews {
        let (lists, listErrors) = readAll(lists, .lists, list)
        let (references, referenceErrors) = readAll(references, .references, reference)
        let (replacements, replacementErrors) = readAll(replacements, .replacements, replacement)
        let (bases, baseErrors) = self.mergeBases(mergeBases)
        // It isn't known what the other process has changed, so what this one has changed remains.
        var news = entityNews(entities) { [self] commit, entities in
            commit.endReplacements(of: Value.self, except: replacements.map { $0.old })
            commit.replace(
                replacements.filter { !commit.isReplacementChanged(of: $0.old, Value.self) },
                of: Value.self,
                keepsChanged: true
            )
            commit.removeEntities(of: Value.self, except: entities.map { $0.value.id })
            for entity in entities
            where mayBeInMemory(entity, commit) && !commit.isChanged(Value.self, id: entity.value.id) {
                commit.set(entity)
            }
            commit.removeMergeBases(of: Value.self, except: bases.map { $0.id })
            commit.set(bases.filter { !commit.isChanged(Value.self, id: $0.id) })
            commit.removeLists(of: Value.self, except: lists.map { $0.name })
            commit.removeReferences(of: Value.self, except: references.map { $0.name })
            commit.cache.restore(
                Value.self,
                lists: lists.filter { !commit.isListChanged($0.name, of: Value.self) },
                references: references.filter { !commit.isReferenceChanged($0.name, of: Value.self) }
            )
        }
        news.errors += listErrors + referenceErrors + replacementErrors + baseErrors
        return news
    }

    /// Entities of a type on demand are only changed in memory if they are there, or if their identifiers were replaced or replace
    /// those of others that are there.
    private func mayBeInMemory(_ entity: RestoredEntity<Value>, _ commit: StoreCommit) -> Bool {
        let id = entity.value.id
        return !isOnDemand || commit.cache.contains(Value.self, id: id) || commit.isReplaced(Value.self, id: id)
            || commit.takesPlace(Value.self, id: id)
    }

    private func entityNews(
        _ records: [StoredRecord],
        _ apply: @escaping (StoreCommit, [RestoredEntity<Value>]) -> Void
    ) -> StoredNews {
        let (entities, errors) = entities(records)
        return StoredNews(
            apply: { commit in
                // Those that aren't loaded, too.
                if let last = entities.map(\.ordinal).max() { commit.follow(last) }
                apply(commit, entities)
            },
            noteAges: { cache, revision, time in cache.noteLoaded(entities, at: revision, time: time, isNews: true) },
            errors: errors
        )
    }
}

extension StoreBatch.Part {
    /// Joins parts of one group, of one batch or of several.
    ///
    /// - Parameter parts: The parts in their order. There is at least one.
    init(joining parts: [StoreBatch.Part]) {
        var changes: [ArraySlice<UInt8>: RecordChange] = [:]
        for part in parts {
            if part.removesAll { changes = [:] }
            for change in part.changes { changes[change.key] = change }
        }
        self.init(parts[0].group, removesAll: parts.contains { $0.removesAll }, changes: Array(changes.values))
    }
}
