internal import Dispatch
internal import FlatCache

/// Everything that a store has of some types.
struct StoredContents {
    /// The records by group, in the pieces in which the store gives them.
    private var pieces: [RecordGroup: [[StoredRecord]]] = [:]

    private static let kinds: [RecordGroup.Kind] = [.entities, .lists, .references]

    init(of types: [String: any StoredType], in store: any EntityStore) throws {
        let groups = Set(types.keys.flatMap { name in Self.kinds.map { RecordGroup($0, of: name) } })
        var pieces = pieces
        try store.read(groups) { group, records in pieces[group, default: []].append(records) }
        self.pieces = pieces
    }

    /// The last place in the order of insertion of all entities.
    func lastOrdinal(_ types: [String: any StoredType]) -> UInt64 {
        pieces.lazy.filter { $0.key.kind == .entities }.flatMap { group, pieces in
            pieces.lazy.map { types[group.type]?.lastOrdinal(of: $0) ?? 0 }
        }.max() ?? 0
    }

    /// Stores everything in a new cache, on several threads.
    ///
    /// - Parameters:
    ///   - types: The types by name.
    ///   - onDemand: The names of those whose entities aren't stored.
    ///   - cache: The cache.
    ///   - time: The current time in milliseconds since 1970.
    /// - Returns: The errors of what can't be read.
    func restore(
        _ types: [String: any StoredType],
        except onDemand: Set<String>,
        in cache: FlatCache,
        at time: UInt64
    ) -> [StoreError] {
        var errors: [StoreError] = []
        for (name, type) in types {
            let entities = onDemand.contains(name) ? [] : pieces[RecordGroup(.entities, of: name)] ?? []
            let found = FoundErrors()
            DispatchQueue.concurrentPerform(iterations: entities.count) { place in
                let errors = type.restore(entities[place], in: cache, at: time)
                if !errors.isEmpty { found.add(errors) }
            }
            errors += found.all
            let names = [RecordGroup.Kind.lists, .references].map { kind in
                Array((pieces[RecordGroup(kind, of: name)] ?? []).joined())
            }
            errors += type.restore(lists: names[0], references: names[1], in: cache)
        }
        return errors
    }

    /// The changes that make this state of any other one.
    func parts(_ types: [String: any StoredType]) -> [StoreBatch.Part] {
        types.keys.flatMap { name in
            Self.kinds.flatMap { kind in
                let group = RecordGroup(kind, of: name)
                let pieces = (pieces[group] ?? []).map { records in
                    StoreBatch.Part(group, changes: records.map { RecordChange(key: $0.key, value: $0.value) })
                }
                return [StoreBatch.Part(group, removesAll: true, changes: [])] + pieces
            }
        }
    }
}

/// The errors that several threads have found.
private final class FoundErrors: @unchecked Sendable {  // The lock guards the errors.
    private let lock = Lock()
    private var errors: [StoreError] = []

    func add(_ others: [StoreError]) { lock.withLock { errors += others } }

    var all: [StoreError] { lock.withLock { errors } }
}
