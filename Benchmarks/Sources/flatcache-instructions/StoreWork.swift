import Dispatch
import FlatCache
import FlatCacheStore
import Foundation
import Synchronization

/// Works on caches whose store keeps records in memory.
struct StoreWork {
    private let count: Int

    init(_ count: Int) {
        self.count = count
    }

    /// Each entity is changed for the first time since the store has taken the changes.
    @inline(never) func set() {
        let (cache, entries) = Self.filledCache()
        for entry in entries.prefix(count) {
            var entry = entry
            entry.likes += 1
            cache.set(entry)
        }
    }

    @inline(never) func get() {
        let (cache, entries) = Self.filledCache()
        for entry in entries.prefix(count) { use(cache.get(StoredEntry.self, id: entry.id)) }
    }

    /// Makes records of messages.
    @inline(never) func encode() {
        let messages = Message.messages(5_000)
        waiting { [count] in
            for _ in 0..<count / messages.count { keep(try await records(of: messages)) }
        }
    }

    /// Makes entities of records, and stores them in a new cache.
    @inline(never) func decode() {
        let messages = Message.messages(5_000)
        waiting { [count] in
            let records = try await records(of: messages)
            for _ in 0..<count / messages.count {
                let cache = try await FlatCache(store: records, for: Message.self)
                try await cache.store?.close()
                keep(cache)
            }
        }
    }

    /// A cache whose time to write doesn't come, and its entities.
    ///
    /// There are as many in each run, so that what they cost cancels out.
    private static func filledCache() -> (cache: FlatCache, entries: [StoredEntry]) {
        let entries = (0..<40_000).map { StoredEntry(number: $0) }
        let cache = waiting {
            let cache = try await FlatCache(
                store: RecordMemory(),
                for: StoredEntry.self,
                writingAfter: .seconds(1_000_000)
            )
            cache.set(contentsOf: entries)
            try await cache.flush()
            return cache
        }
        return (cache, entries)
    }
}

private func records(of messages: [Message]) async throws -> RecordMemory {
    let records = RecordMemory()
    let cache = try await FlatCache(store: records, for: Message.self)
    cache.set(contentsOf: messages)
    try await cache.store?.close()
    keep(cache)
    return records
}

/// Keeps an object until the end of the process.
///
/// Otherwise some thread frees its content, and perhaps the process ends before: the count would vary.
private func keep(_ object: AnyObject) { _ = Unmanaged.passRetained(object) }

/// Waits for an asynchronous body, which doesn't fail in memory.
@discardableResult
private func waiting<Result: Sendable>(for body: @escaping @Sendable () async throws -> Result) -> Result {
    let result = Mutex<Result?>(nil)
    let done = DispatchSemaphore(value: 0)
    Task.detached {
        let made = try? await body()
        result.withLock { $0 = made }
        done.signal()
    }
    done.wait()
    guard let made = result.withLock({ $0 }) else { exit(EX_SOFTWARE) }
    return made
}

/// Takes an entity as an app does, and can't be optimized away with what made it.
@inline(never)
@_optimize(none)
private func use(_ value: borrowing StoredEntry?) {}
