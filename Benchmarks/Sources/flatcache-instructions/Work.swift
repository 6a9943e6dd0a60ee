import FlatCache

/// Does each operation on the same entities.
///
/// Every operation is a function of its own that isn't inlined: what the compiler makes of one must not depend on how many
/// others there are.
struct Work {
    private let count: Int
    private let entries = (0..<10_000).map { Entry(number: $0) }
    private let ids: [String]
    private let cache = FlatCache()

    init(_ count: Int) {
        self.count = count
        ids = entries.map(\.id)
        cache.set(contentsOf: entries)
    }

    @inline(never) func get() {
        times(ids) { use(cache.get(Entry.self, id: $0)) }
    }

    @inline(never) func miss() {
        times(missingIDs) { use(cache.get(Entry.self, id: $0)) }
    }

    @inline(never) func set() {
        times(changingEntries) { cache.set($0) }
    }

    @inline(never) func batch() {
        let entries = changingEntries
        for begin in stride(from: 0, to: count, by: 100) {
            let start = begin % entries.count
            cache.set(contentsOf: entries[start..<start + 100])
        }
    }

    @inline(never) func update() {
        times(ids) { cache.update(Entry.self, id: $0) { $0.likes += 1 } }
    }

    @inline(never) func handle() {
        let handles = ids.map { Cached(Entry.self, id: $0, in: cache) }
        for handle in handles { use(handle.value) }
        times(handles) { use($0.value) }
    }

    @inline(never) func notify() {
        let subscriptions = ids.map { cache.observe(Entry.self, id: $0) { use($0.value) } }
        times(changingEntries) { cache.set($0) }
        withExtendedLifetime(subscriptions) {}
    }

    @inline(never) func tracked() {
        times(ids) { id in use(cache.tracked { $0.get(Entry.self, id: id) }) }
    }

    @inline(never) func accessor() {
        FlatCache.shared.set(contentsOf: entries)
        times(ids) { id in
            let entry: Entry? = FlatCache._related(id)
            use(entry)
        }
    }

    @inline(never) func derive() {
        let subscriptions = stride(from: 0, to: ids.count, by: 10).map { begin in
            let ids = ids[begin..<begin + 10]
            return cache.observe {
                let cache = FlatCache.current
                return ids.reduce(0) { $0 + (cache.get(Entry.self, id: $1)?.likes ?? 0) }
            } onChange: {
                use($0)
            }
        }
        times(changingEntries) { cache.set($0) }
        withExtendedLifetime(subscriptions) {}
    }

    @inline(never) func list() {
        let lists = (0..<1_000).map { cache.list("list \($0)", of: Entry.self) }
        let listed = missingIDs.prefix(100)
        for list in lists { list.replace(withIDs: listed) }
        for turn in 0..<count {
            // An entity that comes again goes to the next list.
            let cycle = turn / entries.count
            lists[(turn + cycle) % lists.count].append(contentsOf: CollectionOfOne(entries[turn % entries.count]))
        }
    }

    @inline(never) func transaction() {
        let entries = changingEntries
        for begin in stride(from: 0, to: count, by: 100) {
            cache.transaction {
                for turn in begin..<begin + 100 { cache.set(entries[turn % entries.count]) }
            }
        }
    }

    @inline(never) func changes() {
        let subscription = cache.observe(all: Entry.self) { use(Int($0.revision)) }
        times(changingEntries) { cache.set($0) }
        withExtendedLifetime(subscription) {}
    }

    @inline(never) func others() {
        let query = cache.query(FlatCache.Query(Entry.self).filter(\.views, equals: -1).sorted(by: \.likes))
        let subscription = query.observe { use(Int($0.revision)) }
        times(changingEntries) { cache.set($0) }
        withExtendedLifetime(subscription) {}
    }

    @inline(never) func query() {
        let query = cache.query(FlatCache.Query(Entry.self).filter(\.views, equals: 0).sorted(by: \.likes))
        let subscription = query.observe { use(Int($0.revision)) }
        times(changingEntries) { cache.set($0) }
        withExtendedLifetime(subscription) {}
    }

    @inline(never) func listed() {
        let list = cache.list("all", of: Entry.self)
        list.append(ids: ids)
        let subscription = list.observe { use($0.ids.count) }
        times(changingEntries) { cache.set($0) }
        withExtendedLifetime(subscription) {}
    }

    @inline(never) func merge() {
        let entries = entries.map(VersionedEntry.init)
        cache.set(contentsOf: entries)
        for turn in 0..<count {
            var entry = entries[turn % entries.count]
            entry.version = turn
            cache.set(entry)
        }
    }

    @inline(never) func indexed() {
        cache.buildIndex(.init(\Entry.authorID))
        times(changingEntries) { cache.set($0) }
    }

    @inline(never) func move() {
        cache.buildIndex(.init(\Entry.views))
        // Each key has 100 entities, and each write moves one to the next key.
        let moved = (0..<2).flatMap { round in
            entries.enumerated().map { place, entry in
                var entry = entry
                entry.views = (place + round) % 100 + 1
                return entry
            }
        }
        cache.set(contentsOf: moved[entries.count...])
        times(moved) { cache.set($0) }
    }

    /// Each write inserts an entity above the limit, and an entity is evicted for it.
    @inline(never) func limitSet() {
        let cache = FlatCache()
        cache.setLimit(1_000, for: Entry.self)
        times(entries) { cache.set($0) }
    }

    @inline(never) func field() {
        times(ids) { id in use(cache.get(Entry.self, id: id, \.likes) ?? 0) }
    }

    /// Each entity is removed and stored again.
    @inline(never) func remove() {
        times(entries) { entry in
            use(cache.remove(Entry.self, id: entry.id))
            cache.set(entry)
        }
    }

    /// Each entity is the only one that an observed closure reads.
    @inline(never) func deriveOne() {
        let subscriptions = ids.map { id in
            cache.observe {
                FlatCache.current.get(Entry.self, id: id)?.likes
            } onChange: {
                use($0 ?? 0)
            }
        }
        times(changingEntries) { cache.set($0) }
        withExtendedLifetime(subscriptions) {}
    }

    /// A hundred missing entities, for each of which ten tasks of an actor ask.
    @inline(never) func fetch() {
        let server = Dictionary(uniqueKeysWithValues: entries.prefix(100).map { ($0.id, $0) })
        let cache = FlatCache()
        cache.setFetcher(of: Entry.self) { ids in ids.compactMap { server[$0] } }
        runJoined(count, ids) { ids in
            cache.removeAll(of: Entry.self)
            await Screen().show(ids) { _, id in try? await cache.fetch(Entry.self, id: id) }
        }
    }

    /// Each change is dropped before it is sent, because another one is being sent.
    @inline(never) func mutate() {
        let first = blockedMutation()
        times(ids) { id in
            cache.mutate(Entry.self, id: id, order: .serial("mutations")) {
                $0.likes += 1
            } send: {
            }.cancel()
        }
        withExtendedLifetime(first) {}
    }

    /// Each written entity has a pending change.
    @inline(never) func rebase() {
        let first = blockedMutation()
        for id in ids {
            cache.mutate(Entry.self, id: id, order: .serial("mutations")) {
                $0.likes += 1
            } send: {
            }
        }
        times(changingEntries) { cache.set($0) }
        withExtendedLifetime(first) {}
    }

    /// A mutation whose answer never comes.
    private func blockedMutation() -> Mutation<Void> {
        cache.mutate(order: .serial("mutations")) { _ in
        } send: {
            await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
        }
    }

    /// Calls a body with one element after the other, from the beginning again when all are through.
    private func times<Element>(_ elements: [Element], _ body: (Element) -> Void) {
        for turn in 0..<count { body(elements[turn % elements.count]) }
    }

    /// Identifiers that no entity has.
    private var missingIDs: [String] { ids.map { "9" + $0.dropFirst() } }

    /// The entities with another value, and then as they were: written in this order, each write is a change.
    private var changingEntries: [Entry] {
        let changed = entries.map { entry in
            var entry = entry
            entry.likes += 1
            return entry
        }
        return changed + entries
    }
}

/// Takes a result as an app does, and can't be optimized away with what made it.
@inline(never)
@_optimize(none)
func use(_ value: borrowing Entry?) {}

/// Takes a result that is a number.
@inline(never)
@_optimize(none)
func use(_ value: Int) {}
