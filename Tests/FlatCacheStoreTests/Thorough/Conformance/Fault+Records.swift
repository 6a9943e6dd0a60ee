import FlatCacheStore
import Foundation

private struct PlantedError: Error {}

extension Fault {
    static let bytes = [
        Fault("Keys can be any bytes, and none") { store in
            // As if keys ended at a zero.
            store.changeRecords { RecordChange(key: $0.key.prefix { $0 != 0 }, value: $0.value) }
        },
        Fault("Values can be any bytes, and none") { store in
            store.changeRecords { RecordChange(key: $0.key, value: $0.value?.isEmpty == true ? nil : $0.value) }
        },
        Fault("Keys and values can have 1,000,000 bytes") { store in
            store.changeRecords { RecordChange(key: $0.key, value: $0.value?.prefix(Int(UInt16.max))) }
        },
        Fault("Keys and values can be slices of larger arrays") { store in
            // As if slices began at 0.
            store.changeRecords { RecordChange(key: $0.key, value: $0.value.map { $0.dropFirst($0.startIndex) }) }
        },
    ]

    static let groups = [
        Fault("Groups of one type and different kinds have nothing in common") { store in
            store.changeBatches { parts in
                parts.flatMap { part in
                    let others = part.removesAll ? RecordGroup.Kind.allCases.filter { $0 != part.group.kind } : []
                    return others.map {
                        StoreBatch.Part(RecordGroup($0, of: part.group.type), removesAll: true, changes: [])
                    } + [part]
                }
            }
        },
        Fault("The name of a type can be any text") { store in
            store.changeNames { String($0.prefix(255)) }
        },
        Fault("Names of types that are equal as strings name one group") { store in
            // As if names were compared by their bytes.
            store.changeNames { $0.unicodeScalars.contains("\u{301}") ? "\($0) " : $0 }
        },
        Fault("Groups are counted by their records, and none without records") { store in
            var seen: [RecordGroup: Int] = [:]
            store.onGroups = { store in
                seen = try store.groups().merging(seen.mapValues { _ in 0 }) { count, _ in count }
                return seen
            }
        },
        Fault("Groups that nobody names any more remain") { store in
            var named: Set<RecordGroup> = []
            store.onRead = { store, groups, body in
                named.formUnion(groups)
                try store.read(groups, body)
            }
            store.onClose = { store in
                for group in store.place.contents.counts.keys where !named.isEmpty && !named.contains(group) {
                    store.place.contents.apply(StoreBatch.Part(group, removesAll: true, changes: []))
                }
                store.close()
            }
        },
    ]

    static let reading = [
        Fault("A read gives each record once, in the order in which they were written last") { store in
            store.onRead = { store, groups, body in
                try store.read(groups) { group, records in
                    try body(group, records.sorted { $0.key.lexicographicallyPrecedes($1.key) })
                }
            }
        },
        Fault("A read gives only records of the groups that it asks for") { store in
            store.onRead = { try $0.read($1.union($0.groups().keys), $2) }
        },
        Fault("A read gives many records in parts") { store in
            store.onRead = { store, groups, body in
                var all: [RecordGroup: [StoredRecord]] = [:]
                try store.read(groups) { all[$0, default: []] += $1 }
                for (group, records) in all { try body(group, records) }
            }
        },
        Fault("An error of the closure ends a read, and the store goes on") { store in
            store.onRead = { store, groups, body in try store.read(groups) { try? body($0, $1) } }
        },
        Fault("A read of keys leaves out those that don't exist") { store in
            store.onReadKeys = { store, group, keys in
                let found = try store.read(group, keys: keys)
                let missing = Set(keys).subtracting(found.map(\.key))
                return found + missing.map { StoredRecord(key: $0, value: []) }
            }
        },
        Fault("A read of keys can ask for 40,000 keys") { store in
            store.onReadKeys = { store, group, keys in
                // The limit of SQLite for the arguments of a statement.
                if keys.count > 32_766 { throw PlantedError() }
                return try store.read(group, keys: keys)
            }
        },
    ]

    static let wholeStore = [
        Fault("Erasing removes all records for good") { store in
            store.onErase = { store in
                let posts = RecordGroup(.entities, of: "Post")
                try store.write(StoreBatch([StoreBatch.Part(posts, removesAll: true, changes: [])]))
            }
        },
        Fault("The size includes the bytes of the records") { store in
            store.onSize = { _ in StoreSize(bytes: 4_096, unusedBytes: 0) }
        },
        Fault("Several threads can use a store, one after the other") { store in
            let thread = Thread.current
            store.onWrite = { store, batch in
                if Thread.current != thread { throw PlantedError() }
                try store.write(batch)
            }
        },
        Fault("Random batches leave the records that a dictionary has after them") { store in
            // The fifth batch of a store loses its last part.
            var count = 0
            store.changeBatches { parts in
                count += 1
                return count == 5 ? parts.dropLast() : parts
            }
        },
    ]
}

extension FaultyStore {
    /// Replaces the names of types, before records are written.
    fileprivate func changeNames(_ change: @escaping (String) -> String) {
        changeBatches { parts in
            parts.map {
                StoreBatch.Part(
                    RecordGroup($0.group.kind, of: change($0.group.type)),
                    removesAll: $0.removesAll,
                    changes: $0.changes
                )
            }
        }
    }
}
