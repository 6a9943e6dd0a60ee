import BenchmarkReport
import FlatCache
import FlatCacheStore
import Foundation

/// What a cache does between its entities and the records of a store that takes no time, against JSON of each entity.
enum RecordRaces {
    private static let json = "JSON"

    /// Takes all changes and encodes the messages.
    static func encoding(_ count: Int) -> Race {
        let row = "store/encode"
        return race(row) {
            let messages = Message.messages(count)
            return (
                {
                    succeedInTask {
                        let cache = try await FlatCache(store: RecordMemory(), for: Message.self)
                        cache.set(contentsOf: messages)
                        return try await processorTime { try await cache.flush() } / count
                    }
                },
                {
                    let encoder = JSONEncoder()
                    return processorTime { for message in messages { use(succeed { try encoder.encode(message) }) } }
                        / count
                }
            )
        }
    }

    /// Decodes the messages and stores them in a cache.
    static func decoding(_ count: Int) -> Race {
        let row = "store/decode"
        return race(row) {
            let messages = Message.messages(count)
            let records = RecordMemory()
            succeedInTask {
                let cache = try await FlatCache(store: records, for: Message.self)
                cache.set(contentsOf: messages)
                try await cache.store?.close()
            }
            let texts = messages.map { message in succeed { try JSONEncoder().encode(message) } }
            return (
                {
                    succeedInTask {
                        var cache: FlatCache?
                        let time = try await processorTime {
                            cache = try await FlatCache(store: records, for: Message.self)
                        }
                        try await cache?.store?.close()
                        return time / count
                    }
                },
                {
                    let cache = FlatCache()
                    let decoder = JSONDecoder()
                    return processorTime {
                        let decoded = texts.map { text in succeed { try decoder.decode(Message.self, from: text) } }
                        cache.set(contentsOf: decoded)
                    } / count
                }
            )
        }
    }

    private static func race(
        _ row: String,
        _ subjects: @escaping () -> (records: () -> Duration, json: () -> Duration)
    ) -> Race {
        Race(row) {
            let (records, json) = subjects()
            return [(FlatCacheStore.name, records), (Self.json, json)].map { name, time in
                Contestant(row, name, against: .init(row, Self.json)) { time().nanoseconds }
            }
        }
    }
}
