import BenchmarkReport
import FlatCache
import FlatCacheStore

/// What a store adds to commits, in processor time of the thread that commits.
///
/// The thread of the store, which takes, encodes and writes the changes, isn't in the figures.
enum CommitRaces {
    /// Commits of one message.
    static func single(_ count: Int) -> Race {
        race("store/commit", count) { cache, messages in for message in messages { cache.set(message) } }
    }

    /// Commits of 100 messages.
    static func batches(_ count: Int) -> Race {
        race("store/commit/100", count) { cache, messages in
            for begin in stride(from: messages.startIndex, to: messages.endIndex, by: 100) {
                cache.set(contentsOf: messages[begin..<min(begin + 100, messages.endIndex)])
            }
        }
    }

    private static func race(
        _ row: String,
        _ count: Int,
        _ commit: @escaping (FlatCache, ArraySlice<Message>) -> Void
    ) -> Race {
        Race(row) {
            let messages = Message.messages(count)
            let liked = messages.map { message in
                var message = message
                message.likes += 1_000_000
                return message
            }
            // It writes only when `flush()` is called.
            let storing = StoringCache(messages, writingAfter: .seconds(3_600))
            let busy = StoringCache(messages, writingAfter: .zero)
            let alone = FlatCache()
            alone.set(contentsOf: messages)
            let reference = Contestant.Identity(row, "no store")

            /// A contestant that sets all messages again and again.
            ///
            /// Before, this thread waits for the store, so that others use its processor as much for each contestant.
            func contestant(_ name: String, _ cache: FlatCache, isFirst: Bool = true) -> Contestant {
                let measure = repeatedly(on: liked + messages, chunk: count) { next in
                    commit(storing.cache, next)
                    storing.flush()
                    if !isFirst { commit(cache, next) }
                    // What the store has worked on is in the processor's caches in place of the messages.
                    for message in next { use(cache.get(Message.self, id: message.id)) }
                    return processorTimeOfThread { commit(cache, next) }
                }
                return Contestant(row, name, against: reference, measure: measure)
            }

            return [
                contestant(FlatCacheStore.name, storing.cache),
                // The journal has the messages already.
                contestant("changed before", storing.cache, isFirst: false),
                contestant("being written", busy.cache),
                contestant(reference.subject, alone),
            ]
        }
    }
}

/// A cache whose messages are in files.
private final class StoringCache: Sendable {
    let cache: FlatCache
    private let folder = TemporaryFolder()

    init(_ messages: [Message], writingAfter delay: Duration) {
        let store = FileStore(at: folder.url)
        cache = succeedInTask { try await FlatCache(store: store, for: Message.self, writingAfter: delay) }
        cache.set(contentsOf: messages)
        flush()
    }

    deinit {
        succeedInTask { [cache] in try await cache.store?.close() }
    }

    func flush() { succeedInTask { [cache] in try await cache.flush() } }
}
