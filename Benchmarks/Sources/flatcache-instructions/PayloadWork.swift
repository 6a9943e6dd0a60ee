import FlatCache
import Foundation

/// Decodes and stores the messages of a response again and again.
struct PayloadWork {
    /// The number of times that the response is decoded.
    private let turns: Int
    private let responses = Responses(messageCount: 100, memberCount: 20)

    /// Creates the work.
    ///
    /// - Parameter count: The number of messages to decode.
    init(_ count: Int) {
        turns = count / responses.messageCount
    }

    @inline(never) func nested() {
        decode(Payload<[Message]>.self, responses.nested)
    }

    @inline(never) func nestedStored() {
        decode(Payload<[Message]>.self, responses.nested) { FlatCache().store($0) }
    }

    @inline(never) func nestedPlain() {
        decode([PlainMessage].self, responses.nested)
    }

    @inline(never) func partial() {
        decode(Payload<[Message]>.self, responses.partial)
    }

    @inline(never) func partialStored() {
        let cache = FlatCache()
        if let whole = try? JSONDecoder().decode(Payload<[Message]>.self, from: responses.nested) { cache.store(whole) }
        decode(Payload<[Message]>.self, responses.partial) { cache.store($0) }
    }

    @inline(never) func partialPlain() {
        decode([PlainMessage].self, responses.partial)
    }

    @inline(never) func flat() {
        decode(FlatPayload<Message, Member>.self, responses.flat)
    }

    @inline(never) func flatStored() {
        decode(FlatPayload<Message, Member>.self, responses.flat) { FlatCache().store($0) }
    }

    @inline(never) func flatPlain() {
        struct Plain: Decodable {
            let messages: [String: Message]
            let members: [Member]
        }
        decode(Plain.self, responses.flat)
    }

    @inline(never) func document() {
        decode(JSONAPI.Document<[Message], Member>.self, responses.document)
    }

    @inline(never) func documentStored() {
        decode(JSONAPI.Document<[Message], Member>.self, responses.document) { FlatCache().store($0) }
    }

    @inline(never) func documentPlain() {
        decode(PlainDocument.self, responses.document)
    }

    private func decode<Value: Decodable>(_ type: Value.Type, _ data: Data, _ body: (Value) -> Void = { _ in }) {
        for _ in 0..<turns {
            guard let value = try? JSONDecoder().decode(type, from: data) else { exit(EX_SOFTWARE) }
            body(value)
        }
    }
}
