import Dispatch
import Synchronization

/// Does the operations of `Work` on the baseline of the benchmark, a dictionary behind a lock.
final class DictionaryWork {
    private let count: Int
    private let entries = (0..<10_000).map { Entry(number: $0) }
    private let ids: [String]
    private let stored: Mutex<[String: Entry]>

    init(_ count: Int) {
        self.count = count
        ids = entries.map(\.id)
        stored = Mutex(Dictionary(uniqueKeysWithValues: entries.map { ($0.id, $0) }))
    }

    @inline(never) func get() {
        for turn in 0..<count {
            let id = ids[turn % ids.count]
            use(stored.withLock { $0[id] })
        }
    }

    @inline(never) func field() {
        for turn in 0..<count {
            let id = ids[turn % ids.count]
            use(stored.withLock { $0[id]?.likes ?? 0 })
        }
    }

    @inline(never) func set() {
        for turn in 0..<count {
            let entry = entries[turn % entries.count]
            stored.withLock { $0[entry.id] = entry }
        }
    }

    @inline(never) func update() {
        for turn in 0..<count {
            let id = ids[turn % ids.count]
            stored.withLock { $0[id]?.likes += 1 }
        }
    }

    /// Entities in batches of a hundred, which is also a transaction of a hundred.
    @inline(never) func batch() {
        for begin in stride(from: 0, to: count, by: 100) {
            let start = begin % entries.count
            stored.withLock { stored in
                for entry in entries[start..<start + 100] { stored[entry.id] = entry }
            }
        }
    }

    /// Entities that are removed and stored again.
    @inline(never) func remove() {
        for turn in 0..<count {
            let entry = entries[turn % entries.count]
            use(stored.withLock { $0.removeValue(forKey: entry.id) })
            stored.withLock { $0[entry.id] = entry }
        }
    }

    /// Entities that ten tasks of an actor each wait for; see `Work.fetch()`.
    @inline(never) func fetch() {
        let entries = entries
        runJoined(count, ids) { ids in
            let loader = EntryLoader(Dictionary(uniqueKeysWithValues: entries.prefix(100).map { ($0.id, $0) }))
            await Screen().show(ids) { _, id in await loader.fetch(id) }
        }
    }
}

/// Runs a body with a thousand identifiers, of which each of a hundred comes ten times, and waits for it.
func runJoined(_ count: Int, _ ids: [String], _ body: @escaping @Sendable ([String]) async -> Void) {
    let asked = (0..<1_000).map { ids[$0 % 100] }
    let end = DispatchSemaphore(value: 0)
    Task {
        for _ in stride(from: 0, to: count, by: asked.count) { await body(asked) }
        end.signal()
    }
    end.wait()
}

/// Shows entities, as an app does on the main actor.
actor Screen {
    func show(_ ids: [String], _ fetch: @escaping @Sendable (isolated Screen, String) async -> Entry?) async {
        let tasks = ids.map { id in Task { use(await fetch(self, id)) } }
        for task in tasks { await task.value }
    }
}

/// What one writes by hand: who asks for something that is on its way waits for the same task.
private actor EntryLoader {
    private let server: [String: Entry]
    private var entries: [String: Entry] = [:]
    private var running: [String: Task<Entry?, Never>] = [:]

    init(_ server: [String: Entry]) {
        self.server = server
    }

    func fetch(_ id: String) async -> Entry? {
        if let entry = entries[id] { return entry }
        if let task = running[id] { return await task.value }
        let task = Task { [server] in server[id] }
        running[id] = task
        let entry = await task.value
        running[id] = nil
        entries[id] = entry
        return entry
    }
}
