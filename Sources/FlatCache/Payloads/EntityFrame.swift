/// The keys that the `init(from:)` of one value asks for: an entity, a patch, a value in one of them, or another value with
/// relationships.
final class EntityFrame {
    let type: any Decodable.Type
    /// Whether the value is merged with a stored one: an entity, or a value in one.
    let isMerged: Bool
    /// The path of the nested container in the value that has the keys, or `nil` if the value itself has them.
    ///
    /// The synthesized `init(from:)` of an enumeration reads the members of a case in one.
    let container: String?
    @exclusivity(unchecked) private var relations: [NamedRelation]
    /// The types of the parts that are decoded from the decoder of this value, so that they share its keys.
    @exclusivity(unchecked) private(set) var parts: [any Decodable.Type] = []
    /// What the previous entity leaves out, which is usually what this one does.
    private let expected: Absence
    /// The number of expected keys that are absent, while no other key is.
    @exclusivity(unchecked) private var expectedCount = 0
    /// The absent keys, once they are known to differ from the expected ones.
    @exclusivity(unchecked) private var otherAbsent: [String]?
    /// The frames of the members that were read, if they can leave out keys themselves.
    @exclusivity(unchecked) private var members: [(name: String, frame: EntityFrame)] = []
    /// The members that leave out something required.
    @exclusivity(unchecked) private var incompleteMembers: [(name: String, frame: EntityFrame)] = []
    /// The keys whose values were read and can contain entities.
    @exclusivity(unchecked) private(set) var visited: [String] = []
    /// The first required key that is absent.
    @exclusivity(unchecked) private(set) var missing: String?
    /// The keys that were asked for with their types, or `nil` if they aren't recorded.
    @exclusivity(unchecked) private(set) var requests: [(name: String, type: any Decodable.Type)]?

    /// Creates the frame of a value.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - relations: The relationships whose related entities can be nested.
    ///   - isMerged: Whether the value is merged with a stored one.
    ///   - recordsRequests: Whether to record the keys and their types.
    ///   - container: The path of a nested container.
    ///   - expected: What the previous entity leaves out.
    init(
        _ type: any Decodable.Type,
        _ relations: [NamedRelation],
        isMerged: Bool = false,
        recordsRequests: Bool = false,
        container: String? = nil,
        expected: Absence = .none
    ) {
        self.isMerged = isMerged
        self.container = container
        self.expected = expected
        self.type = type
        self.relations = relations
        requests = recordsRequests ? [] : nil
    }

    /// Whether a value that is decoded from the decoder of this one is a part of it.
    ///
    /// Other entities aren't. Patches are parts of entities and other patches.
    func includes(_ other: any Decodable.Type) -> Bool {
        if other is any Cachable.Type { return false }
        return !(other is any EntityPatch.Type) || type is any Cachable.Type || type is any EntityPatch.Type
    }

    /// Adds the relationships of a part that is decoded from the decoder of this value.
    @inline(never) func add(_ part: any Decodable.Type, in reading: PayloadReading) {
        if parts.contains(where: { $0 == part }) { return }
        parts.append(part)
        relations += reading.relations(of: part)
    }

    /// The relationship with a coding key, or `nil` if there is none.
    @inline(__always) func relation(at key: AnyCodingKey) -> RelationReader? {
        let length = key.stringValue.utf8.count
        for relation in relations where relation.length == length && relation.name == key.stringValue {
            return relation.reader
        }
        return nil
    }

    @inline(__always) func noteRequest(of type: @autoclosure () -> any Decodable.Type, at key: AnyCodingKey) {
        if requests != nil { record(type(), key) }
    }

    @inline(never) private func record(_ type: any Decodable.Type, _ key: AnyCodingKey) {
        if requests?.contains(where: { $0.name == key.stringValue }) == true { return }
        requests?.append((key.stringValue, type))
    }

    /// Records that the value of a key is read, which can contain entities.
    func noteVisit(_ key: AnyCodingKey) { visited.append(key.stringValue) }

    /// Records that a key is absent.
    @inline(never) func noteAbsent(_ key: AnyCodingKey) {
        if otherAbsent == nil {
            if expectsAbsence(of: key) {
                expectedCount += 1
                return
            }
            // Omittable properties ask twice.
            if expectedCount > 0, expected.keys[expectedCount - 1] == key.stringValue { return }
            otherAbsent = absentKeys
        }
        if otherAbsent?.contains(key.stringValue) == false { otherAbsent?.append(key.stringValue) }
    }

    /// Whether a key is probably absent, because it is in the previous entity.
    @inline(__always) func expectsAbsence(of key: AnyCodingKey) -> Bool {
        otherAbsent == nil && expectedCount < expected.keys.count && expected.keys[expectedCount] == key.stringValue
    }

    /// The keys that are absent, or whose values can't be had and are kept.
    var absentKeys: [String] { otherAbsent ?? Array(expected.keys[..<expectedCount]) }

    /// What the payload leaves out.
    ///
    /// If it is what was expected, this is the same object, so that entities share its memory.
    var absence: Absence {
        let isExpected = otherAbsent == nil && expectedCount == expected.keys.count
        if members.isEmpty, isExpected, expected.members.isEmpty { return expected }
        let members = members.compactMap { name, frame in
            let absence = frame.absence
            return absence.isEmpty ? nil : Absence.Member(name: name, absence: absence)
        }
        if isExpected, members.count == expected.members.count,
            zip(members, expected.members).allSatisfy({ $0.absence === $1.absence && $0.name == $1.name })
        {
            return expected
        }
        return Absence(keys: absentKeys, members: members)
    }

    /// The frame of a member, whose value isn't an entity.
    func member(of type: any Decodable.Type, at key: AnyCodingKey, recordsRequests: Bool) -> EntityFrame {
        EntityFrame(
            type,
            [],
            isMerged: true,
            recordsRequests: recordsRequests,
            expected: expected[key.stringValue] ?? .none
        )
    }

    /// The frame of a nested container.
    func nestedContainer(at key: AnyCodingKey) -> EntityFrame {
        let path = (container.map { "\($0)." } ?? "") + key.stringValue
        let frame = EntityFrame(
            type,
            [],
            isMerged: true,
            recordsRequests: MemberKeys.known(of: type, in: path) == nil,
            container: path,
            expected: expected[key.stringValue] ?? .none
        )
        note(frame, of: key)
        return frame
    }

    /// The frames of the nested containers, which aren't values themselves.
    var containers: [(name: String, frame: EntityFrame)] { members.filter { $0.frame.container != nil } }

    /// Records the types of the keys that the nested containers of a complete value have.
    func learnContainers() {
        for (_, frame) in members where frame.container != nil {
            if let requests = frame.requests { MemberKeys.learn(requests, of: type, in: frame.container) }
            frame.learnContainers()
        }
    }

    /// Records that a member was read.
    func note(_ frame: EntityFrame, of key: AnyCodingKey) {
        members.removeAll { $0.name == key.stringValue }
        members.append((key.stringValue, frame))
    }

    /// Records that a member can't be read.
    func note(_ error: any Error, of frame: EntityFrame, at key: AnyCodingKey) {
        if frame.isAbsence(error) { incompleteMembers.append((key.stringValue, frame)) }
    }

    /// Whether nothing required was found absent.
    var isComplete: Bool {
        missing == nil && incompleteMembers.isEmpty
            && members.allSatisfy { $0.frame.container == nil || $0.frame.isComplete }
    }

    /// The frame of a member that was read, or `nil` if there is none.
    func member(at name: String) -> EntityFrame? { members.first { $0.name == name }?.frame }

    /// The frame of a member that leaves out something required, or `nil` if it is another one.
    func incompleteMember(at name: String) -> EntityFrame? { incompleteMembers.last { $0.name == name }?.frame }

    /// Records that a required key is absent.
    @inline(never) func noteMissing(_ key: AnyCodingKey) {
        noteAbsent(key)
        if missing == nil { missing = key.stringValue }
    }

    /// Whether an error is about the required key that is absent, of this value or of a member.
    func isAbsence(_ error: any Error) -> Bool {
        if incompleteMembers.contains(where: { $0.frame.isAbsence(error) }) { return true }
        // The nested containers of an entity aren't taken apart.
        if !(type is any Cachable.Type), containers.contains(where: { $0.frame.isAbsence(error) }) { return true }
        guard let missing, case DecodingError.keyNotFound(let key, _) = error else { return false }
        return key.stringValue == missing
    }
}

extension EntityFrame {
    /// Collects the entities in a value that can't be read, at the keys that its `init(from:)` hasn't visited.
    ///
    /// - Parameters:
    ///   - decoder: The decoder of the value.
    ///   - mark: The state before the value, to which the reading returns if user code catches the value's error.
    ///   - others: The keys that aren't relationships, with the types of their values.
    func collectUnvisited(
        in decoder: PayloadDecoder,
        since mark: PayloadReading.Mark,
        others: [(name: String, type: any Decodable.Type)] = []
    ) {
        let reading = decoder.reading
        defer { reading.noteFailedAttempt(since: mark) }
        if reading.isRepetition { return }
        let unvisited = relations.filter { !visited.contains($0.name) }
        let others = others.filter { !visited.contains($0.name) && !reading.isLeaf($0.type) }
        if unvisited.isEmpty && others.isEmpty { return }
        guard let object = try? decoder.base() else { return }
        // The value itself is a problem, so a missing value in it isn't another one.
        let depth = reading.entityDepth
        reading.entityDepth = 0
        defer { reading.entityDepth = depth }
        // The problems of nested values are recorded where they are found.
        reading.forgetFailedAttempt()
        try? reading.descend(at: decoder.codingPath) {
            for relation in unvisited { try relation.reader.collectEntities(in: object) }
            let values = KeyedPayloadContainer<AnyCodingKey>(object, reading, of: nil)
            for (name, type) in others {
                // The value is lost with the one around it.
                _ = try? values.decodeIfPresent(type, forKey: AnyCodingKey(name))
                reading.forgetFailedAttempt()
            }
        }
    }
}

/// A relationship with its coding key.
struct NamedRelation {
    let name: String
    let length: Int
    let reader: RelationReader

    init(_ name: String, _ reader: RelationReader) {
        self.name = name
        length = name.utf8.count
        self.reader = reader
    }
}
