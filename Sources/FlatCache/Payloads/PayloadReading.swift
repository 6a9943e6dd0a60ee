/// The state of one decoding of a payload: the entities and the problems that were found so far.
///
/// Only the thread that decodes uses it.
final class PayloadReading {
    /// The maximum number of values inside each other.
    ///
    /// Decoding recurses, and threads have small stacks on some platforms. Unlike the stack's end, the limit is an error.
    static let maximumDepth = 128
    /// The depth from which the stack is checked, because only small stacks end before the maximum depth.
    private static let checkedDepth = 16
    /// The bytes of the stack that a level must have left, for the code of the user and of its decoder.
    private static let reservedStack: UInt = 160 << 10

    let userInfo: [CodingUserInfoKey: Any]
    /// Whether the first problem is thrown when the root is decoded.
    ///
    /// An error that is thrown earlier can be caught by user code.
    private let isStrict: Bool
    /// Whether the values are decoded again, after their entities were collected.
    ///
    /// Such a reading decodes each value once. Otherwise, the time would double with each level of nested values.
    let isRepetition: Bool
    @exclusivity(unchecked) private(set) var problems: [PayloadProblem] = []
    private var owners: [ObjectIdentifier: (any Decodable.Type)?] = [:]
    private var relations: [ObjectIdentifier: [NamedRelation]] = [:]
    /// The collected entities of all types.
    private(set) var collected: [PayloadPart] = []
    /// The same by type.
    private var parts: [ObjectIdentifier: PayloadPart] = [:]
    /// The parts to which entities were added, in the order of the entities.
    @exclusivity(unchecked) private var journal: [Unmanaged<PayloadPart>] = []
    /// The readers of all types that were asked for.
    @exclusivity(unchecked) private var readers: [ObjectIdentifier: AnyObject] = [:]
    /// The state before an attempt that has thrown an error, until it is known whether user code caught the error.
    @exclusivity(unchecked) private var failedAttempt: Mark?
    /// The error of a collected incomplete entity and its path, until it is known whether a value around it fails, too.
    @exclusivity(unchecked) private var incompleteness: (error: any Error, codingPath: [any CodingKey])?
    @exclusivity(unchecked) private var depth = 0
    /// The number of entities and patches inside each other that are being read.
    @exclusivity(unchecked) var entityDepth = 0
    private lazy var stack = StackSpace()

    /// A state to which failed attempts return.
    struct Mark {
        fileprivate let entities: Int
        fileprivate let problems: Int
    }

    init(userInfo: [CodingUserInfoKey: Any], isRepetition: Bool = false) {
        self.userInfo = userInfo
        self.isRepetition = isRepetition
        isStrict = userInfo[.isStrictPayload] as? Bool ?? false
    }

    /// The reader of values of a type.
    func reader<Value: Decodable>(of type: Value.Type) -> PayloadReader<Value> {
        if let reader = readers[ObjectIdentifier(type)] {
            // The key is the type of the reader's values.
            return unsafeDowncast(reader, to: PayloadReader<Value>.self)
        }
        let reader = PayloadReaders.make(of: type, in: self)
        readers[ObjectIdentifier(type)] = reader
        return reader
    }

    /// Whether values of a type can't contain entities.
    func isLeaf(_ type: any Decodable.Type) -> Bool {
        func open<Value: Decodable>(_ type: Value.Type) -> Bool { reader(of: type).isLeaf }
        return open(type)
    }

    /// The type with a table, or of entities or patches, that a type of keys is nested in, or `nil` if there is none.
    func owner<Key: CodingKey>(of type: Key.Type) -> (any Decodable.Type)? {
        if let owner = owners[ObjectIdentifier(type)] { return owner }
        let owner = CodingKeyOwners.owner(of: type)
        owners[ObjectIdentifier(type)] = owner
        return owner
    }

    /// The relationships in the table of a type, or none if it has no table.
    func relations(of type: any Decodable.Type) -> [NamedRelation] {
        if let known = relations[ObjectIdentifier(type)] { return known }
        let readers = PayloadRelation.readers(of: type, in: self)
        relations[ObjectIdentifier(type)] = readers
        return readers
    }

    /// The collected entities of a type.
    func entities<Entity: Cachable>(of type: Entity.Type) -> CollectedEntities<Entity> {
        if let part = parts[ObjectIdentifier(type)] {
            // The key is the type of the part's entities.
            return unsafeDowncast(part, to: CollectedEntities<Entity>.self)
        }
        let part = CollectedEntities<Entity>()
        parts[ObjectIdentifier(type)] = part
        collected.append(part)
        return part
    }

    /// The number of collected entities.
    var entityCount: Int { journal.count }

    /// Records that an entity was added to a part, which this object keeps alive.
    func noteEntity(in part: PayloadPart) { journal.append(.passUnretained(part)) }

    var mark: Mark { Mark(entities: journal.count, problems: problems.count) }

    /// Whether an entity or a patch is being read.
    var isInsideEntity: Bool { entityDepth > 0 && !isRepetition }

    /// Runs user code that decodes a value from a wrapped decoder.
    func descend<Result>(at path: @autoclosure () -> [any CodingKey], _ body: () throws -> Result) throws -> Result {
        guard depth < Self.checkedDepth || canDescend else { throw PayloadProblem.tooDeep(path()) }
        depth += 1
        defer { depth -= 1 }
        let mark = mark
        do {
            let result = try body()
            dropFailedAttempt()
            return result
        } catch {
            failedAttempt = mark
            throw error
        }
    }

    @inline(never) private var canDescend: Bool {
        depth < Self.maximumDepth && stack.has(Self.reservedStack)
    }

    /// Records that an attempt throws an error, which user code may catch.
    func noteFailedAttempt(since mark: Mark) {
        failedAttempt = mark
        incompleteness = nil
    }

    /// Records that an attempt has collected an incomplete entity, and throws the error of its `init(from:)`.
    func noteIncompleteness(_ error: any Error, at codingPath: [any CodingKey], since mark: Mark) {
        failedAttempt = mark
        incompleteness = (error, codingPath)
    }

    /// Drops the entities of a failed attempt, if user code caught its error and went on.
    ///
    /// Each operation of a container calls this first.
    @inline(__always) func dropFailedAttempt() {
        if failedAttempt != nil { rollBack() }
    }

    @inline(never) private func rollBack() {
        if let mark = failedAttempt { drop(since: mark) }
    }

    /// Drops the entities and problems collected since a mark.
    func drop(since mark: Mark) {
        forgetFailedAttempt()
        while journal.count > mark.entities { journal.removeLast().takeUnretainedValue().removeLast() }
        problems.removeLast(max(0, problems.count - mark.problems))
    }

    /// Records the loss of a value whose error the library has caught.
    ///
    /// The entities collected in the value are kept.
    func note(_ problem: PayloadProblem) {
        forgetFailedAttempt()
        problems.append(problem)
    }

    /// Whether the error of a value says that it is an incomplete entity, or a union around one, which was collected.
    ///
    /// - Parameters:
    ///   - error: The error, which the library has caught.
    ///   - codingPath: The path of the value.
    func isIncompleteness(_ error: any Error, at codingPath: [any CodingKey]) -> Bool {
        guard let incompleteness, incompleteness.codingPath.count == codingPath.count,
            let key = DecodingError.absentKey(error)
        else { return false }
        return key == DecodingError.absentKey(incompleteness.error)
    }

    /// Records the loss of a value.
    ///
    /// An incomplete entity is a problem only for an entity around it.
    ///
    /// - Parameters:
    ///   - error: The error of the value, which the library has caught.
    ///   - type: The type of the value.
    ///   - codingPath: The path of the value.
    func noteLoss(_ error: any Error, of type: any Any.Type, at codingPath: [any CodingKey]) {
        if !isInsideEntity, isIncompleteness(error, at: codingPath) {
            forgetFailedAttempt()
        } else {
            note(PayloadProblem(error, of: type, at: codingPath))
        }
    }

    /// Throws the first problem, if decoding is strict.
    func throwIfStrict() throws {
        if isStrict, let problem = problems.first { throw problem }
    }

    /// Keeps the entities of an attempt whose error the library has caught.
    func forgetFailedAttempt() {
        failedAttempt = nil
        incompleteness = nil
    }
}

extension CodingUserInfoKey {
    /// The key of a `Bool` in the `userInfo` of a decoder that makes payloads throw their first problem.
    ///
    ///     decoder.userInfo[.isStrictPayload] = true
    ///
    /// By default, a value that can't be read is listed in ``Payload/problems``, and its siblings are decoded.
    ///
    /// An error of a single value that the `init(from:)` of a whole entity catches is no problem in both cases, because
    /// attempts with `try?` are how unions are decoded. The entities of the attempt are dropped.
    public static let isStrictPayload = payloadKey("FlatCache.isStrictPayload")

    private static func payloadKey(_ name: String) -> CodingUserInfoKey {
        guard let key = CodingUserInfoKey(rawValue: name) else { preconditionFailure("every text is a raw value") }
        return key
    }
}
