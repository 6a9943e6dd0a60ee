internal import FlatCache

/// The number of bytes that a record can have.
private let recordLimit = 1 << 29

/// The records of a type: its entities, lists and references as bytes.
///
/// Only the queue of the store uses it, except for restoring, which several threads do at once, and which changes nothing of it.
final class TypeRecords<Value: Storable>: StoredType, @unchecked Sendable {  // Only the queue of the store changes it.
    private var encoder = RecordEncoder()
    /// Whether an entity was encoded since the schema was read.
    private var hasEncoded = false
    private var times = StoredTimes()
    /// The schema that the store has, or `nil` if it has none.
    private var storedSchema: StoredSchema?
    /// The schema that is part of the batch that is being written.
    private var newSchema: StoredSchema?

    var type: any Storable.Type { Value.self }
    var isOnDemand = false

    func group(_ kind: RecordGroup.Kind) -> RecordGroup { RecordGroup(kind, of: Value.storedName) }

    func readSchema(from store: any EntityStore) throws {
        let stored = try store.read(group(.schema), keys: [StoredSchema.key]).first.map { try StoredSchema($0.value) }
        if let stored, stored.version > Value.storedVersion {
            throw StoreError.newerVersion(Value.self, stored: stored.version)
        }
        useSchema(stored)
    }

    func useSchema(_ schema: StoredSchema?) {
        storedSchema = schema
        hasEncoded = false
        let shapes = schema?.shapes ?? ShapeTable()
        encoder = RecordEncoder(shapes: shapes)
        times.invalidation = schema?.invalidation ?? 0
    }

    func noteStamp(_ stamp: UInt64) { times.noteWrite(at: stamp) }

    func noteWritten() {
        if let newSchema { storedSchema = newSchema }
        newSchema = nil
    }

    func record(in recorder: ChangeRecorder, of cache: FlatCache) {
        recorder.record(Value.self, in: cache, hasMore: isOnDemand)
    }

    func noteUnreadable(in cache: FlatCache) { cache.noteUnreadable(of: Value.self) }

    func followLoads(in cache: FlatCache) { cache.followLoads(of: Value.self) }

    func readNewSchema(from store: any EntityStore, in cache: FlatCache) throws {
        let known = times.invalidation
        try readSchema(from: store)
        guard times.invalidation > known else { return }
        times.noteMark(at: cache.invalidation(of: Value.self))
        // The entities of the news follow, and so are fresh.
        times.noteMarkOfStore(at: cache.markAll(of: Value.self))
    }
}

// MARK: - From the cache to the store

extension TypeRecords {
    func parts(
        of changes: RecordedChanges,
        in store: any EntityStore,
        _ report: @escaping (StoreError) -> Void
    ) throws -> () -> StoreBatch.Part? {
        times.noteMark(at: changes.invalidation(of: Value.self))
        newSchema = nil
        var kept = try keptParts(of: changes, in: store)[...]
        let sources = [
            entityParts(of: changes, report) { changes.leaveOut(Value.self, id: $0) },
            { kept.popFirst() },
            parts(.lists, changes.lists(of: Value.self), report) { change, bytes in
                guard let ids = change.ids else { return false }
                let list = NameRecord(
                    ids: ids,
                    dropsRemoved: change.dropsRemoved,
                    keeps: change.keeps,
                    gaps: change.gaps,
                    own: change.own,
                    isStale: change.isStale
                )
                try list.write(to: &bytes)
                return true
            } key: {
                try RecordKey.bytes(of: $0.name)
            } leaveOut: {
                changes.leaveOut(listOf: Value.self, $0.name)
            },
            parts(.references, changes.references(of: Value.self), report) { change, bytes in
                guard let id = change.id else { return false }
                try NameRecord(ids: [id], dropsRemoved: change.dropsRemoved).write(to: &bytes)
                return true
            } key: {
                try RecordKey.bytes(of: $0.name)
            } leaveOut: {
                changes.leaveOut(referenceTo: Value.self, $0.name)
            },
            parts(.replacements, changes.replacements(of: Value.self), report) { change, bytes in
                guard let id = change.new else { return false }
                bytes += try RecordKey.bytes(of: id)
                return true
            } key: {
                try RecordKey.bytes(of: $0.old)
            } leaveOut: {
                changes.leaveOut(replacementOf: Value.self, $0.old)
            },
            parts(.mergeBases, changes.mergeBases(of: Value.self), report) { [self] change, bytes in
                guard change.isStored else { return false }
                // Nothing stands for a missing entity.
                guard let value = change.value else { return true }
                EntityHeader(version: Value.storedVersion, ordinal: 0, stamp: 0).write(to: &bytes)
                try encoder.encode(value.storedForm, into: &bytes)
                hasEncoded = true
                return true
            } key: {
                try RecordKey.bytes(of: $0.id)
            } leaveOut: {
                changes.leaveOut(mergeBaseOf: Value.self, $0.id)
            },
            // The encoding of the entities may have changed the schema.
            schemaPart,
        ]
        var place = 0
        return {
            while place < sources.count {
                if let part = sources[place]() { return part }
                place += 1
            }
            return nil
        }
    }

    private func entityParts(
        of changes: RecordedChanges,
        _ report: @escaping (StoreError) -> Void,
        leaveOut: @escaping (Value.ID) -> Void
    ) -> () -> StoreBatch.Part? {
        parts(.entities, Value._changes(in: _StoredChanges(changes)).entities, report) { [self] change, bytes in
            guard let value = change.value else { return false }
            let stamp = times.stamp(ofWriteAt: change.stamp)
            EntityHeader(version: Value.storedVersion, ordinal: change.ordinal, stamp: stamp).write(to: &bytes)
            try encoder.encode(value.storedForm, into: &bytes)
            hasEncoded = true
            return true
        } key: {
            try RecordKey.bytes(of: $0.id)
        } leaveOut: {
            leaveOut($0.id)
        }
    }

    /// Makes parts with what the store has of entities that can't be encoded, if a batch removes all that it has.
    ///
    /// A batch is made while the store writes it, and must not read the store then. So the entities are encoded twice.
    private func keptParts(of changes: RecordedChanges, in store: any EntityStore) throws -> [StoreBatch.Part] {
        if !Value._changes(in: _StoredChanges(changes)).entities.isCleared { return [] }
        var ids: [Value.ID] = []
        let parts = entityParts(of: changes, { _ in }) { ids.append($0) }
        while parts() != nil {}
        let keys = ids.compactMap { try? RecordKey.bytes(of: $0)[...] }
        if keys.isEmpty { return [] }
        let records = try store.read(group(.entities), keys: keys)
        return [StoreBatch.Part(group(.entities), changes: records.map { RecordChange(key: $0.key, value: $0.value) })]
    }

    /// Makes the parts of one kind.
    ///
    /// - Parameters:
    ///   - kind: The kind of the records.
    ///   - changes: The changes.
    ///   - report: A closure that receives the errors of what can't be encoded, which is left out.
    ///   - encode: Appends what was stored to bytes, or returns `false` if it was removed.
    ///   - key: Makes the key of a change.
    ///   - leaveOut: A closure that receives what can't be encoded.
    private func parts<Change>(
        _ kind: RecordGroup.Kind,
        _ changes: RecordedPart<Change>,
        _ report: @escaping (StoreError) -> Void,
        encode: @escaping (Change, inout [UInt8]) throws -> Bool,
        key: @escaping (Change) throws -> [UInt8],
        leaveOut: @escaping (Change) -> Void
    ) -> () -> StoreBatch.Part? {
        var isFirst = true
        return { [self] in
            let piece = changes.next()
            defer { isFirst = false }
            guard piece != nil || isFirst && changes.isCleared else { return nil }
            var bytes: [UInt8] = []
            var places: [(key: [UInt8], value: Range<Int>?)] = []
            for change in piece ?? [] {
                let begin = bytes.count
                var name: [UInt8] = []
                do {
                    name = try key(change)
                    let isStored = try encode(change, &bytes)
                    if bytes.count - begin > recordLimit { throw StoredDataError.tooLarge(bytes.count - begin) }
                    places.append((name, isStored ? begin..<bytes.count : nil))
                } catch {
                    bytes.removeSubrange(begin...)
                    leaveOut(change)
                    report(.unwritable(Value.self, kind, key: Value.text(of: name[...], kind), error))
                }
            }
            let records = places.map { RecordChange(key: $0.key[...], value: $0.value.map { bytes[$0] }) }
            return StoreBatch.Part(group(kind), removesAll: isFirst && changes.isCleared, changes: records)
        }
    }

    /// Makes a part with the schema, if it has changed.
    private func schemaPart() -> StoreBatch.Part? {
        // A type without entities needs none.
        if storedSchema == nil, newSchema == nil, !hasEncoded, times.invalidation == 0 { return nil }
        // Until an entity of this version is stored, an older program can read all.
        let version = hasEncoded ? Value.storedVersion : storedSchema?.version ?? Value.storedVersion
        let schema = StoredSchema(version: version, invalidation: times.invalidation, shapes: encoder.shapes)
        if schema.isSame(as: newSchema ?? storedSchema) { return nil }
        newSchema = schema
        return StoreBatch.Part(group(.schema), changes: [RecordChange(key: StoredSchema.key, value: schema.bytes[...])])
    }
}

// MARK: - From the store to the cache

extension TypeRecords {
    func restore(_ records: [StoredRecord], in cache: FlatCache, at time: UInt64) -> [StoreError] {
        let stored = storedEntities(records, at: time)
        Value._restore(stored, in: cache)
        return stored.errors
    }

    func load(
        _ ids: any Sendable,
        from store: any EntityStore,
        to cache: FlatCache,
        at revision: UInt64,
        time: UInt64
    ) throws -> [StoreError] {
        guard let ids = ids as? [Value.ID] else { return [] }
        let compared = cache.lastRevision
        times.noteMark(at: cache.invalidation(of: Value.self))
        let records = try store.read(group(.entities), keys: ids.map { try RecordKey.bytes(of: $0)[...] })
        let (entities, errors) = entities(records)
        let loaded = cache.commitLoaded { commit in
            for entity in entities { commit.insert(entity, unlessChangedAfter: revision) }
        }
        cache.noteLoaded(entities, at: loaded, time: time, compared: compared)
        return errors
    }

    func restore(
        lists: [StoredRecord],
        references: [StoredRecord],
        replacements: [StoredRecord],
        mergeBases: [StoredRecord],
        in cache: FlatCache
    ) -> [StoreError] {
        let (lists, listErrors) = readAll(lists, .lists, list)
        let (references, referenceErrors) = readAll(references, .references, reference)
        let (replacements, replacementErrors) = readAll(replacements, .replacements, replacement)
        cache.restore(Value.self, lists: lists, references: references)
        let (bases, baseErrors) = self.mergeBases(mergeBases)
        cache.restore(Value.self, replacements: replacements)
        cache.restore(Value.self, mergeBases: bases)
        return listErrors + referenceErrors + replacementErrors + baseErrors
    }

    /// Reads merge bases.
    func mergeBases(_ records: [StoredRecord]) -> (elements: [ChangedMergeBase<Value>], errors: [StoreError]) {
        let (missing, keyErrors) = readAll(records.filter(\.value.isEmpty), .mergeBases) { record in
            let id = try RecordKey.id(as: Value.ID.self, from: record.key)
            return ChangedMergeBase<Value>(id: id, isStored: true, value: nil)
        }
        let (entities, errors) = entities(records.filter { !$0.value.isEmpty })
        let bases = entities.map { ChangedMergeBase<Value>(id: $0.value.id, isStored: true, value: $0.value) }
        return (missing + bases, keyErrors + errors)
    }

    func readAll<Element>(
        _ records: [StoredRecord],
        _ kind: RecordGroup.Kind,
        _ read: (StoredRecord) throws -> Element
    ) -> (elements: [Element], errors: [StoreError]) {
        var errors: [StoreError] = []
        var elements: [Element] = []
        elements.reserveCapacity(records.count)
        for record in records {
            do { elements.append(try read(record)) } catch {
                errors.append(.unreadable(Value.self, kind, key: Value.text(of: record.key, kind), error))
            }
        }
        return (elements, errors)
    }

    /// Reads entities.
    func entities(_ records: [StoredRecord]) -> (elements: [RestoredEntity<Value>], errors: [StoreError]) {
        let stored = storedEntities(records, at: 0)
        var entities: [RestoredEntity<Value>] = []
        entities.reserveCapacity(records.count)
        for record in records { noteStamp(EntityHeader(record.value)?.stamp ?? 0) }
        stored.forEach { entity in
            let value = try entity.value(as: Value.self)
            entities.append(RestoredEntity(value, ordinal: entity.ordinal, stamp: entity.stamp))
        }
        return (entities, stored.errors)
    }

    private func storedEntities(_ records: [StoredRecord], at time: UInt64) -> _StoredEntities {
        _StoredEntities(records, of: Value.self, shapes: encoder.shapes, invalidation: times.invalidation, at: time)
    }

    func list(_ record: StoredRecord) throws -> ChangedList<Value.ID> {
        let stored = try NameRecord<Value.ID>(record.value)
        let name = try RecordKey.id(as: String.self, from: record.key)
        return ChangedList(
            name: name,
            ids: stored.ids,
            dropsRemoved: stored.dropsRemoved,
            keeps: stored.keeps,
            gaps: stored.gaps,
            own: stored.own,
            isStale: stored.isStale
        )
    }

    func replacement(_ record: StoredRecord) throws -> ChangedIdentifier<Value.ID> {
        let old = try RecordKey.id(as: Value.ID.self, from: record.key)
        return ChangedIdentifier(old: old, new: try RecordKey.id(as: Value.ID.self, from: record.value))
    }

    func reference(_ record: StoredRecord) throws -> ChangedReference<Value.ID> {
        let stored = try NameRecord<Value.ID>(record.value)
        let name = try RecordKey.id(as: String.self, from: record.key)
        return ChangedReference(name: name, id: stored.ids.first, dropsRemoved: stored.dropsRemoved)
    }
}
