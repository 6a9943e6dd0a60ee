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
                    if part.removesAll { commit.removeReplacements(of: Value.self, except: []) }
                    commit.cache.restore(Value.self, replacements: replacements + ended)
                },
                errors: errors
            )
        case .schema:
            return StoredNews { _ in }
        }
    }

    func recordsInMemory(of cache: FlatCache, from store: any EntityStore) throws -> [StoredRecord] {
        let keys = cache.allValues(of: Value.self).compactMap { try? RecordKey.bytes(of: $0.id)[...] }
        return try store.read(group(.entities), keys: keys)
    }

    func news(
        entities: [StoredRecord],
        lists: [StoredRecord],
        references: [StoredRecord],
        replacements: [StoredRecord]
    ) -> StoredNews {
        let (lists, listErrors) = readAll(lists, .lists, list)
        let (references, referenceErrors) = readAll(references, .references, reference)
        let (replacements, replacementErrors) = readAll(replacements, .replacements, replacement)
        // It isn't known what the other process has changed, so what this one has changed remains.
        var news = entityNews(entities) { [self] commit, entities in
            commit.removeReplacements(of: Value.self, except: replacements.map { $0.old })
            commit.cache.restore(
                Value.self,
                replacements: replacements.filter { !commit.isReplacementChanged(of: $0.old, Value.self) }
            )
            commit.removeEntities(of: Value.self, except: entities.map { $0.value.id })
            for entity in entities
            where mayBeInMemory(entity, commit) && !commit.isChanged(Value.self, id: entity.value.id) {
                commit.set(entity)
            }
            commit.removeLists(of: Value.self, except: lists.map { $0.name })
            commit.removeReferences(of: Value.self, except: references.map { $0.name })
            commit.cache.restore(
                Value.self,
                lists: lists.filter { !commit.isListChanged($0.name, of: Value.self) },
                references: references.filter { !commit.isReferenceChanged($0.name, of: Value.self) }
            )
        }
        news.errors += listErrors + referenceErrors + replacementErrors
        return news
    }

    /// Entities of a type on demand are only changed in memory if they are there, or if their identifiers were replaced.
    private func mayBeInMemory(_ entity: RestoredEntity<Value>, _ commit: StoreCommit) -> Bool {
        let id = entity.value.id
        return !isOnDemand || commit.cache.contains(Value.self, id: id) || commit.isReplaced(Value.self, id: id)
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
