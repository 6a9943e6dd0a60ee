import FlatCacheStore
import Foundation

/// A fault of a store that a check must find.
struct Fault: Sendable, CustomStringConvertible {
    /// The name of the check.
    let check: String
    /// Replaces methods of a store.
    let plant: @Sendable (FaultyStore) -> Void

    init(_ check: String, _ plant: @escaping @Sendable (FaultyStore) -> Void) {
        self.check = check
        self.plant = plant
    }

    var description: String { check }

    /// One fault for each check.
    static let all = opening + access + writing + bytes + groups + reading + wholeStore + refreshing + suspending
}

private struct PlantedError: Error {}

extension Fault {
    private static let opening = [
        Fault("A new store has no records") { store in
            store.onGroups = { $0.place.batches.isEmpty ? [RecordGroup(.schema, of: ""): 0] : try $0.groups() }
        },
        Fault("Records that were flushed are there after the store is opened again") { store in
            store.onClose = { store in
                store.close()
                store.place.contents = MemoryContents()
            }
        },
        Fault("Records that were written are there after the store is closed without a flush") { store in
            store.onClose = { store in
                store.close()
                store.place.contents = store.place.flushed
            }
        },
        Fault("A store that was closed can be opened again") { store in
            var wasOpened = false
            store.onOpen = { store, access in
                if wasOpened { throw PlantedError() }
                wasOpened = true
                try store.open(access)
            }
        },
        Fault("A store that is open for writing can't be opened for writing again, and goes on") { store in
            store.onOpen = { store, access in
                store.place.hasWriter = false
                try store.open(access)
            }
        },
        Fault("A store opens for writing as soon as another one is closed") { store in
            store.onClose = { store in
                store.close()
                store.place.hasWriter = true
            }
        },
        Fault("Closing a store that isn't open does nothing") { store in
            store.onClose = { store in
                store.close()
                store.place.hasWriter = false
            }
        },
        Fault("A store that isn't open throws errors") { store in
            store.onGroups = { $0.access == nil ? [:] : try $0.groups() }
        },
    ]

    private static let access = [
        Fault("A store that doesn't exist can't be opened for reading, and isn't created by it") { store in
            store.onOpen = { store, access in
                store.place.exists = true
                try store.open(access)
            }
        },
        Fault("A store that is open for reading gives all records") { store in
            store.onReadKeys = { $0.access == .readOnly ? [] : try $0.read($1, keys: $2) }
        },
        Fault("A store that is open for reading throws errors on changes, and changes nothing") { store in
            store.onWrite = { if $0.access != .readOnly { try $0.write($1) } }
        },
        Fault("Stores open for reading beside one that writes") { store in
            store.onOpen = { store, access in
                if store.place.hasWriter { throw PlantedError() }
                try store.open(access)
            }
        },
        Fault("A store opens for writing beside one that reads") { store in
            store.onOpen = { store, access in
                if access == .readWrite, store.place.readers > 0 { throw PlantedError() }
                try store.open(access)
                if access == .readOnly { store.place.readers += 1 }
            }
        },
    ]

    private static let writing = [
        Fault("Reads find a batch as soon as it is written") { store in
            var batches: [StoreBatch] = []
            store.onWrite = { batches.append($1) }
            store.onFlush = { store in
                for batch in batches { try store.write(batch) }
                batches = []
            }
        },
        Fault("A batch adds, replaces and removes records") { store in
            store.changeRecords { $0.value == nil ? nil : $0 }
        },
        Fault("Removing a record that doesn't exist does nothing") { store in
            let base = store.base
            store.changeBatches { parts in
                for part in parts {
                    let removed = part.changes.filter { $0.value == nil }.map(\.key)
                    if try base.read(part.group, keys: removed).count < removed.count { throw PlantedError() }
                }
                return parts
            }
        },
        Fault("All records of a group are removed before the changes of the same part") { store in
            store.changeBatches { parts in
                parts.flatMap { part in
                    [
                        StoreBatch.Part(part.group, changes: part.changes),
                        StoreBatch.Part(part.group, removesAll: part.removesAll, changes: []),
                    ]
                }
            }
        },
        Fault("Several parts can fill a group whose records are removed") { store in
            store.changeBatches { parts in
                let cleared = Set(parts.filter(\.removesAll).map(\.group))
                return parts.map {
                    StoreBatch.Part($0.group, removesAll: cleared.contains($0.group), changes: $0.changes)
                }
            }
        },
        Fault("Removing all records of a group removes those of earlier parts of the batch") { store in
            store.changeBatches { parts in
                let cleared = Set(parts.filter(\.removesAll).map(\.group))
                return cleared.map { StoreBatch.Part($0, removesAll: true, changes: []) }
                    + parts.map { StoreBatch.Part($0.group, changes: $0.changes) }
            }
        },
        Fault("A part without changes can remove all records of its group") { store in
            store.changeBatches { $0.filter { !$0.changes.isEmpty } }
        },
        Fault("A batch without parts, or with parts without changes, changes nothing") { store in
            store.changeBatches { parts in
                if parts.allSatisfy({ $0.changes.isEmpty && !$0.removesAll }) { throw PlantedError() }
                return parts
            }
        },
        Fault("A batch of 100,000 records in 1,000 parts is written whole, and each part is taken once") { store in
            store.onWrite = { try $0.write(StoreBatch(Array($1.prefix(999)))) }
        },
    ]
}
