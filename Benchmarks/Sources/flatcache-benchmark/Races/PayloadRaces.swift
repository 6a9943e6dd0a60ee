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
                (walked, { use(messages(in: parsed(data))) }),
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
                (byHand, { merge(try decode([PlainMessage].self, data), in: cache) }),
                (walked, { use(messages(in: parsed(data))) }),
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
                (
                    byHand,
                    {
                        let plain = try decode(Plain.self, data)
                        store(plain.messages.values, plain.members, in: FlatCache())
                    }
                ),
                (walked, { use(tables(in: parsed(data))) }),
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
                (
                    byHand,
                    {
                        let plain = try decode(PlainDocument.self, data)
                        store(plain.data.compactMap(\.entity), plain.included.map(\.entity), in: FlatCache())
                    }
                ),
                (walked, { use(resources(in: parsed(data))) }),
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
        store(messages.map(\.entity), messages.map(\.sender.entity), in: cache)
    }

    private static func store(_ messages: some Sequence<Message>, _ members: [Member], in cache: FlatCache) {
        cache.transaction {
            cache.set(contentsOf: members)
            cache.set(contentsOf: messages)
        }
        use(cache.count)
    }

    /// The glue without payloads that keeps the stored optional properties.
    private static func merge(_ messages: [PlainMessage], in cache: FlatCache) {
        cache.transaction {
            cache.set(contentsOf: messages.map(\.sender.entity))
            for plain in messages {
                var message = plain.entity
                if let stored = cache.get(Message.self, id: message.id) {
                    message.language = message.language ?? stored.language
                    message.isLiked = message.isLiked ?? stored.isLiked
                    message.isShared = message.isShared ?? stored.isShared
                    message.isMuted = message.isMuted ?? stored.isMuted
                    message.isPinned = message.isPinned ?? stored.isPinned
                }
                cache.set(message)
            }
        }
        use(cache.count)
    }

    private typealias Objects = [String: [String: Any]]

    private static func parsed(_ data: Data) -> Any? { try? JSONSerialization.jsonObject(with: data) }

    /// The messages and members of nested objects, by identifier.
    private static func messages(in parsed: Any?) -> (Objects, Objects) {
        var messages: Objects = [:]
        var members: Objects = [:]
        for var message in parsed as? [[String: Any]] ?? [] {
            guard let id = message["id"] as? String, let sender = message["sender"] as? [String: Any],
                let senderID = sender["id"] as? String
            else { continue }
            members[senderID] = sender
            message["sender"] = senderID
            messages[id] = message
        }
        return (messages, members)
    }

    /// The messages and members of flat objects, by identifier.
    private static func tables(in parsed: Any?) -> (Objects, Objects) {
        let tables = parsed as? [String: Any]
        var members: Objects = [:]
        for member in tables?["members"] as? [[String: Any]] ?? [] {
            if let id = member["id"] as? String { members[id] = member }
        }
        return (tables?["messages"] as? Objects ?? [:], members)
    }

    /// The resources of a JSON:API document, by type and identifier.
    private static func resources(in parsed: Any?) -> [String: Objects] {
        var resources: [String: Objects] = [:]
        let document = parsed as? [String: [[String: Any]]]
        for resource in (document?["data"] ?? []) + (document?["included"] ?? []) {
            guard let type = resource["type"] as? String, let id = resource["id"] as? String,
                var object = resource["attributes"] as? [String: Any]
            else { continue }
            for (name, relationship) in resource["relationships"] as? Objects ?? [:] {
                object[name] = (relationship["data"] as? [String: Any])?["id"]
            }
            resources[type, default: [:]][id] = object
        }
        return resources
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
