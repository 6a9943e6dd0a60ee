internal import Dispatch
internal import FlatCache

/// Everything that a store has of some types.
struct StoredContents {
    /// The records by group, in the pieces in which the store gives them.
    private var pieces: [RecordGroup: [[StoredRecord]]] = [:]

    private static let kinds: [RecordGroup.Kind] = [.entities, .lists, .references, .replacements, .mergeBases]

    /// The last place in the order of insertion of all entities.
    private(set) var lastOrdinal: UInt64 = 0

    /// Reads the records, without the entities that stay on disk.
    ///
    /// An entity that was stored again under a replaced identifier doesn't stay on disk: a read would find the one that has
    /// replaced it.
    init(of types: [String: any StoredType], in store: any EntityStore) throws {
        let groups = Set(types.keys.flatMap { name in Self.kinds.map { RecordGroup($0, of: name) } })
        var pieces = pieces
        var last: UInt64 = 0
        try store.read(groups) { group, records in
            if group.kind == .entities {
                var stamp: UInt64 = 0
                for place in records.indices {
                    guard let header = EntityHeader(records[place].value) else { continue }
                    last = max(last, header.ordinal)
                    stamp = max(stamp, header.stamp)
                }
                types[group.type]?.noteStamp(stamp)
                if types[group.type]?.isOnDemand == true { return }
            }
            pieces[group, default: []].append(records)
        }
        for name in types.keys where types[name]?.isOnDemand == true {
            // The key of a replacement is that of the entity.
            let replaced = pieces[RecordGroup(.replacements, of: name)]?.joined().map(\.key) ?? []
            if replaced.isEmpty { continue }
            let group = RecordGroup(.entities, of: name)
            pieces[group] = [try store.read(group, keys: replaced)]
        }
        self.pieces = pieces
        lastOrdinal = last
    }

    private func records(_ kind: RecordGroup.Kind, of name: String) -> [StoredRecord] {
        Array((pieces[RecordGroup(kind, of: name)] ?? []).joined())
    }

    /// Stores everything in a new cache, on several threads.
    ///
    /// - Parameters:
    ///   - types: The types by name.
    ///   - cache: The cache.
    ///   - time: The current time in milliseconds since 1970.
    /// - Returns: The errors of what can't be read, those of a type in the order of its records.
    func restore(_ types: [String: any StoredType], in cache: FlatCache, at time: UInt64) -> [StoreError] {
        var errors: [StoreError] = []
        for (name, type) in types {
            let entities = pieces[RecordGroup(.entities, of: name)] ?? []
            let found = FoundErrors()
            DispatchQueue.concurrentPerform(iterations: entities.count) { place in
                let errors = type.restore(entities[place], in: cache, at: time)
                if !errors.isEmpty { found.add(errors, of: place) }
            }
            errors += found.all
            errors += type.restore(
                lists: records(.lists, of: name),
                references: records(.references, of: name),
                replacements: records(.replacements, of: name),
                mergeBases: records(.mergeBases, of: name),
                in: cache
            )
        }
        return errors
    }

    /// The changes that make this state of the state of a cache.
    func news(
        _ types: [String: any StoredType],
        of cache: FlatCache,
        from store: any EntityStore
    ) throws
        -> [StoredNews]
    {
        let news = try types.map { name, type in
            let replacements = records(.replacements, of: name)
            var entities = records(.entities, of: name)
            if type.isOnDemand {
                entities += try type.recordsInMemory(of: cache, replacing: replacements, from: store)
            }
            return type.news(
                entities: entities,
                lists: records(.lists, of: name),
                references: records(.references, of: name),
                replacements: replacements,
                mergeBases: records(.mergeBases, of: name)
            )
        }
        // Those that aren't loaded, too.
        return news + [StoredNews { $0.follow(lastOrdinal) }]
    }
}

/// The errors that several threads have found.
private final class FoundErrors: @unchecked Sendable {  // The lock guards the errors.
    private let lock = Lock()
    private var errors: [Int: [StoreError]] = [:]

    func add(_ others: [StoreError], of place: Int) { lock.withLock { errors[place] = others } }

    /// The errors in the order of the places.
    var all: [StoreError] { lock.withLock { errors.sorted { $0.key < $1.key }.flatMap(\.value) } }
}
