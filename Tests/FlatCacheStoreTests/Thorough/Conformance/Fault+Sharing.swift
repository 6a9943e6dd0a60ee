import FlatCacheStore

extension Fault {
    static let refreshing = [
        Fault("refresh() returns what was written, and reads find it") { store in
            store.onRefresh = { store in
                _ = try store.refresh()
                return .none
            }
        },
        Fault("refresh() returns no news if nothing was written") { store in
            store.onRefresh = { store in
                _ = try store.refresh()
                return .everything
            }
        },
        Fault("A store that is open for reading has the same records until refresh()") { store in
            store.onGroups = { store in
                if store.access == .readOnly { _ = try store.refresh() }
                return try store.groups()
            }
        },
        Fault("A store that is open for reading finds a batch whole or not at all") { store in
            store.onWrite = { store, batch in
                for part in batch { try store.write(StoreBatch([part])) }
            }
        },
        Fault("refresh() finds that all records were erased") { store in
            store.onErase = { $0.place.contents = MemoryContents() }
        },
    ]

    static let suspending = [
        Fault("While a store is suspended another one writes, and resume() returns what it has written") { store in
            store.onResume = { store in
                _ = try store.resume()
                return .none
            }
        },
        Fault("A suspended store has the same records until resume()") { store in
            store.onGroups = { $0.isSuspended ? $0.place.contents.counts : try $0.groups() }
        },
        Fault("A suspended store throws errors on changes, and changes nothing") { store in
            store.onWrite = { if !$0.isSuspended { try $0.write($1) } }
        },
        Fault("A store is resumed only if no other one writes") { store in
            store.onResume = { store in
                store.place.hasWriter = false
                return try store.resume()
            }
        },
        Fault("resume() returns no news if nothing was written") { store in
            store.onResume = { store in
                _ = try store.resume()
                return .everything
            }
        },
        Fault("Closing a suspended store leaves the place to the one that writes") { store in
            store.onClose = { store in
                if store.isSuspended { store.place.hasWriter = false }
                store.close()
            }
        },
    ]
}
