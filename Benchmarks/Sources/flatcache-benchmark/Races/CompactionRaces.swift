import BenchmarkReport
import FlatCache
import FlatCacheStore
import Foundation
import Synchronization

/// The compaction of a log, and what threads that write meanwhile wait for it.
enum CompactionRaces {
    /// Compacts a log of small records, which no other ones replace, so that all are copied.
    static func race(_ count: Int, _ label: String) -> Race {
        let rows = (
            time: "store/compact/\(label)", write: "store/compact/longest-write", commit: "store/compact/longest-commit"
        )
        return Race(rows.time, rows.write, rows.commit, slowness: 3) {
            let log = CountersLog(count)
            let compact: @Sendable () -> Void = { log.compact() }
            let pause: @Sendable () -> Void = { Thread.sleep(forTimeInterval: 1) }
            return [
                Contestant(rows.time, FlatCacheStore.name, against: nil) {
                    processorTime { log.compact() }.nanoseconds / Double(count)
                },
                contestant(rows.write, FlatCacheStore.name, during: compact) { log.write($0) },
                contestant(rows.write, calm, during: pause) { log.write($0) },
                contestant(rows.commit, FlatCacheStore.name, during: compact) { log.commit($0) },
                contestant(rows.commit, calm, during: pause) { log.commit($0) },
            ]
        }
    }

    /// The reference, which has what other processes do to threads.
    private static let calm = "no compaction"

    private static func contestant(
        _ row: String,
        _ subject: String,
        during body: @escaping @Sendable () -> Void,
        longest operation: @escaping (_ number: Int) -> Void
    ) -> Contestant {
        Contestant(row, subject, against: .init(row, calm)) { longest(operation, during: body).nanoseconds }
    }

    /// The longest of many operations on this thread while another one runs a body.
    private static func longest(
        _ operation: (_ number: Int) -> Void,
        during body: @escaping @Sendable () -> Void
    ) -> Duration {
        let hasEnded = Flag()
        Thread.detachNewThread {
            body()
            hasEnded.raise()
        }
        let clock = ContinuousClock()
        var longest = Duration.zero
        var number = 0
        while !hasEnded.isRaised {
            longest = max(longest, clock.measure { operation(number) })
            number += 1
            // A wait that begins meanwhile is at most this much longer than it seems.
            usleep(50)
        }
        return longest
    }
}

private final class Flag: Sendable {
    private let value = Atomic(false)

    var isRaised: Bool { value.load(ordering: .acquiring) }

    func raise() { value.store(true, ordering: .releasing) }
}

/// A store with many small records, and a few messages of a cache.
private final class CountersLog: Sendable {
    private static let group = RecordGroup(.entities, of: "Counter")
    private let folder = TemporaryFolder()
    private let store: FileStore
    private let cache: FlatCache
    private let messages = Message.messages(100)

    init(_ count: Int) {
        let store = FileStore(at: folder.url)
        self.store = store
        cache = succeedInTask { try await FlatCache(store: store, for: Message.self) }
        cache.set(contentsOf: messages)
        var numbers = stride(from: 0, to: count, by: 1_000).makeIterator()
        let batch = StoreBatch {
            numbers.next().map { begin in
                StoreBatch.Part(Self.group, changes: (begin..<min(begin + 1_000, count)).map(Self.change))
            }
        }
        succeed { try store.write(batch) }
    }

    deinit {
        succeedInTask { [cache] in try await cache.store?.close() }
    }

    /// 12 bytes under a key of 8.
    private static func change(_ number: Int) -> RecordChange {
        let key = withUnsafeBytes(of: number.littleEndian, Array.init)
        return RecordChange(key: key[...], value: (key + [1, 2, 3, 4])[...])
    }

    func compact() { succeed { try store.compact() } }

    /// Writes a record into the store.
    func write(_ number: Int) {
        succeed { try store.write(StoreBatch([StoreBatch.Part(Self.group, changes: [Self.change(number)])])) }
    }

    /// Commits a message to the cache.
    func commit(_ number: Int) {
        var message = messages[number % messages.count]
        message.likes = number
        cache.set(message)
    }
}
