/// The keys that the `init(from:)` of one entity or patch asks for.
final class EntityFrame {
    private let type: any Decodable.Type
    private let relations: [NamedRelation]
    /// The keys that were asked for and are absent, in the order of the questions.
    private(set) var absent: [String] = []
    /// The first required key that is absent.
    private(set) var missing: String?
    /// The keys that were asked for with their types, or `nil` if they aren't recorded.
    private(set) var requests: [(name: String, type: any Decodable.Type)]?

    /// Creates the frame of an entity or patch.
    ///
    /// - Parameters:
    ///   - type: The type of the entity or patch.
    ///   - relations: The relationships whose related entities can be nested.
    ///   - recordsRequests: Whether to record the keys and their types.
    init(_ type: any Decodable.Type, _ relations: [NamedRelation], recordsRequests: Bool) {
        self.type = type
        self.relations = relations
        requests = recordsRequests ? [] : nil
    }

    /// Whether an entity or patch that is decoded from the decoder of this one is a part of it.
    ///
    /// Patches are, and other entities aren't.
    func includes(_ other: any Decodable.Type) -> Bool {
        type == other || !(other is any Cachable.Type)
    }

    /// The relationship with a coding key, or `nil` if there is none.
    @inline(__always) func relation(at key: AnyCodingKey) -> RelationReader? {
        for relation in relations where relation.name == key.stringValue { return relation.reader }
        return nil
    }

    @inline(__always) func noteRequest(of type: @autoclosure () -> any Decodable.Type, at key: AnyCodingKey) {
        if requests != nil { record(type(), key) }
    }

    @inline(never) private func record(_ type: any Decodable.Type, _ key: AnyCodingKey) {
        if requests?.contains(where: { $0.name == key.stringValue }) == true { return }
        requests?.append((key.stringValue, type))
    }

    /// Records that a key is absent.
    @inline(never) func noteAbsent(_ key: AnyCodingKey) {
        if !absent.contains(key.stringValue) { absent.append(key.stringValue) }
    }

    /// Records that a required key is absent.
    @inline(never) func noteMissing(_ key: AnyCodingKey) {
        noteAbsent(key)
        if missing == nil { missing = key.stringValue }
    }

    /// Whether an error is about the required key that is absent.
    func isAbsence(_ error: any Error) -> Bool {
        guard let missing, case DecodingError.keyNotFound(let key, _) = error else { return false }
        return key.stringValue == missing
    }
}

/// A relationship with its coding key.
struct NamedRelation {
    let name: String
    let reader: RelationReader
}
