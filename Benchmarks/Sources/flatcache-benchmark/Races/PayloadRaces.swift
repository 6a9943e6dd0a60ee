import AllocatedMemory
import BenchmarkReport
import FlatCache
import Foundation
import Synchronization

/// Responses that are decoded as payloads, against the same decoder and bytes into plain nested structures.
enum PayloadRaces {
    private static let plain = "plain structs"
    private static let stored = "with store"
    private static let byHand = "by hand, stored"
    private static let walked = "JSONSerialization"

    /// Messages with their senders nested.
    static func nested(_ responses: Responses) -> Race {
        race("payload/nested", responses, \.nested) { data in
            [
                (FlatCacheStore.name, { use(try decode(Payload<[Message]>.self, data)) }),
                (stored, { use(FlatCache().store(try decode(Payload<[Message]>.self, data))) }),
                (byHand, { store(try decode([PlainMessage].self, data), in: FlatCache()) }),
                (walked, { use(messages(in: data)) }),
                (plain, { use(try decode([PlainMessage].self, data)) }),
            ]
        }
    }

    /// Messages without their optional properties, over stored messages that have them.
    static func partial(_ responses: Responses) -> Race {
        race("payload/partial", responses, \.partial) { data in
            let cache = FlatCache()
            cache.store(try decode(Payload<[Message]>.self, responses.nested))
            return [
                (FlatCacheStore.name, { use(try decode(Payload<[Message]>.self, data)) }),
                (stored, { use(cache.store(try decode(Payload<[Message]>.self, data))) }),
                (plain, { use(try decode([PlainMessage].self, data)) }),
            ]
        }
    }

    /// Messages by identifier, and an array of members.
    static func flat(_ responses: Responses) -> Race {
        struct Plain: Decodable {
            let messages: [String: Message]
            let members: [Member]
        }
        return race("payload/flat", responses, \.flat) { data in
            [
                (FlatCacheStore.name, { use(try decode(FlatPayload<Message, Member>.self, data)) }),
                (stored, { use(FlatCache().store(try decode(FlatPayload<Message, Member>.self, data))) }),
                (plain, { use(try decode(Plain.self, data)) }),
            ]
        }
    }

    /// A JSON:API document.
    static func document(_ responses: Responses) -> Race {
        typealias Document = JSONAPI.Document<[Message], Member>
        return race("payload/jsonapi", responses, \.document) { data in
            [
                (FlatCacheStore.name, { use(try decode(Document.self, data)) }),
                (stored, { use(FlatCache().store(try decode(Document.self, data))) }),
                (plain, { use(try decode(PlainDocument.self, data)) }),
            ]
        }
    }

    /// The peak of allocated bytes while a response is decoded, for each entity.
    static func peak(_ responses: Responses) -> Race {
        let row = "payload/peak"
        return Race(row, slowness: 3) {
            let data = responses.nested
            let entities = Double(responses.messageCount + responses.memberCount)
            return [
                Contestant(row, FlatCacheStore.name, against: .init(row, plain), unit: .bytes) {
                    peakBytes { try? decode(Payload<[Message]>.self, data) } / entities
                },
                Contestant(row, plain, against: .init(row, plain), unit: .bytes) {
                    peakBytes { try? decode([PlainMessage].self, data) } / entities
                },
            ]
        }
    }

    private static func race(
        _ row: String,
        _ responses: Responses,
        _ response: @escaping (Responses) -> Data,
        _ subjects: @escaping (Data) throws -> [(name: String, work: () throws -> Void)]
    ) -> Race {
        Race(row, slowness: 2) {
            guard let subjects = try? subjects(response(responses)) else { return [] }
            return subjects.map { name, work in
                Contestant(row, name, against: .init(row, plain)) {
                    let time = processorTime { try? work() }
                    return time.nanoseconds / Double(responses.messageCount)
                }
            }
        }
    }

    private static func decode<Value: Decodable>(_ type: Value.Type, _ data: Data) throws -> Value {
        try JSONDecoder().decode(type, from: data)
    }

    /// The glue without payloads.
    private static func store(_ messages: [PlainMessage], in cache: FlatCache) {
        cache.transaction {
            cache.set(contentsOf: messages.map(\.sender.entity))
            cache.set(contentsOf: messages.map(\.entity))
        }
        use(cache.count)
    }

    /// The entities of a response that is parsed without types, by name.
    private static func messages(in data: Data) -> ([String: [String: Any]], [String: [String: Any]]) {
        var messages: [String: [String: Any]] = [:]
        var members: [String: [String: Any]] = [:]
        let parsed = try? JSONSerialization.jsonObject(with: data) as? [[String: Any]]
        for var message in parsed ?? [] {
            guard let id = message["id"] as? String, let sender = message["sender"] as? [String: Any],
                let senderID = sender["id"] as? String
            else { continue }
            members[senderID] = sender
            message["sender"] = senderID
            messages[id] = message
        }
        return (messages, members)
    }

    /// The peak of allocated bytes above those before, as another thread samples it.
    private static func peakBytes<Result>(of work: () -> Result) -> Double {
        let before = allocated_bytes()
        let sampler = MemorySampler()
        let result = sampler.sample(while: work)
        return withExtendedLifetime(result) { Double(max(sampler.peak, UInt(allocated_bytes()))) - Double(before) }
    }
}

/// Samples the allocated bytes while a body runs.
private final class MemorySampler: Sendable {
    private let highest = Mutex(UInt(0))
    private let isDone = Atomic(false)

    var peak: UInt { highest.withLock { $0 } }

    func sample<Result>(while body: () -> Result) -> Result {
        let ended = DispatchSemaphore(value: 0)
        Thread.detachNewThread { [self] in
            while !isDone.load(ordering: .acquiring) {
                let allocated = UInt(allocated_bytes())
                highest.withLock { $0 = max($0, allocated) }
                usleep(100)
            }
            ended.signal()
        }
        defer {
            isDone.store(true, ordering: .releasing)
            ended.wait()
        }
        return body()
    }
}
