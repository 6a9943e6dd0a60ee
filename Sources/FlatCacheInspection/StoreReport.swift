import FlatCacheStore

/// What is in a store.
struct StoreReport {
    /// The records of a type.
    struct StoredType {
        let name: String
        var entities = 0
        var lists = 0
        var references = 0
        /// The bytes of all records.
        var bytes = 0
        /// The version that has written last, or `nil` if it isn't known.
        var version: Int?
        /// The number of entities by the version that has written them.
        var entitiesByVersion: [Int: Int] = [:]
    }

    let formatVersion: Int
    let health: StoreHealth
    let isSealed: Bool
    let logs: [FileStoreInspection.Log]
    let bytes: Int
    /// The bytes that compaction can free, or `nil` if it isn't known how many.
    let unusedBytes: Int?
    /// The types in the order of their names.
    let types: [StoredType]
    /// The mutations that have not ended, in the order in which they were begun, with `nil` for those that can't be read.
    let mutations: [StoredMutationText?]

    init(_ store: InspectedStore, _ health: StoreHealth) throws {
        let inspection = store.inspection
        formatVersion = inspection.formatVersion
        self.health = health
        isSealed = inspection.isSealed
        logs = inspection.logs
        bytes = inspection.size.bytes
        unusedBytes = isSealed || health.isDamaged ? nil : inspection.size.unusedBytes
        var types = Self.types(inspection.groups)
        types[StoredMutationText.groupName] = nil
        mutations = try Self.mutations(in: store)
        let groups = inspection.groups.keys.filter { [.entities, .schema].contains($0.kind) }
        try store.read(Set(groups)) { group, records in types[group.type]?.add(records, of: group.kind) }
        self.types = types.values.sorted { $0.name < $1.name }
    }

    private static func mutations(in store: InspectedStore) throws -> [StoredMutationText?] {
        let name = StoredMutationText.groupName
        var shapes = ShapeTable()
        try store.read([RecordGroup(.schema, of: name)]) { _, records in
            if let schema = records.first.flatMap({ try? StoredSchema($0.value) }) { shapes = schema.shapes }
        }
        var found: [(ordinal: UInt64, mutation: StoredMutationText?)] = []
        try store.read([RecordGroup(.entities, of: name)]) { _, records in
            found += records.map {
                (EntityHeader($0.value)?.ordinal ?? 0, try? StoredMutationText($0, shapes: shapes))
            }
        }
        return found.sorted { $0.ordinal < $1.ordinal }.map(\.mutation)
    }

    private static func types(_ groups: [RecordGroup: FileStoreInspection.Group]) -> [String: StoredType] {
        groups.filter { $0.value.records > 0 }.reduce(into: [:]) { types, element in
            let (group, content) = element
            types[group.type, default: StoredType(name: group.type)].add(content, of: group.kind)
        }
    }
}

extension StoreReport.StoredType {
    fileprivate mutating func add(_ content: FileStoreInspection.Group, of kind: RecordGroup.Kind) {
        bytes += content.bytes
        switch kind {
        case .entities: entities = content.records
        case .lists: lists = content.records
        case .references: references = content.records
        case .schema, .replacements, .mergeBases: break
        }
    }

    fileprivate mutating func add(_ records: [StoredRecord], of kind: RecordGroup.Kind) {
        for record in records {
            if kind == .schema {
                version = (try? StoredSchema(record.value))?.version
            } else if let header = EntityHeader(record.value) {
                entitiesByVersion[header.version, default: 0] += 1
            }
        }
    }
}
