/// A part of a payload that could not be read, or could not be stored.
///
///     for problem in payload.problems { logger.warning("\(problem)") }
///     // statuses[3].poll: can't read Poll: expected Int but found a string instead
///
/// A problem costs only the value that it names. The other entities of the payload are stored.
public struct PayloadProblem: Error, Sendable {
    /// The path from the root of the payload to the value.
    public let codingPath: [any CodingKey]

    /// The type of the value that is lost.
    public let type: any Any.Type

    /// The key of the entity that isn't stored, or `nil` if the problem is another one, or if the identifier can't be read.
    public let key: FlatCacheKey?

    /// The kind of the problem, with its details.
    public let reason: Reason

    /// The kinds of problems.
    ///
    /// Later versions may add cases.
    public enum Reason: Sendable {
        /// The value can't be read. The error is the one of the decoder or of the value's `init(from:)`.
        case unreadable(any Error)
        /// The payload leaves out required properties of an entity, and no entity with its identifier is stored.
        ///
        /// Nothing of it is kept, so the late answer to an earlier request is stored as if it were current. To ask
        /// again after it, invalidate the ``PayloadProblem/key``.
        case incomplete(missing: [String])
        /// The payload leaves out a property whose stored value can't be read, so its default replaced it.
        ///
        /// It is listed once for all entities of the type, and its path is empty.
        case cannotKeep(property: String)
        /// The payload leaves out a property whose stored value the `init(from:)` of the entity type doesn't restore.
        ///
        /// Nothing of the entity is stored, because the property would lose its value. The initializer reads a value of
        /// another type than the property's, or changes the value that it reads.
        case cannotRestore(property: String)
        /// The entity of a patch isn't stored, and the patch makes none.
        ///
        /// Nothing of it is kept, as of an incomplete entity.
        case nothingStored
        /// A patch has changed the identifier of its entity, which is left as it was.
        case changesIdentifier
        /// The value is inside more values than the library decodes.
        ///
        /// The library decodes values inside at most 128 others.
        case tooDeep
        /// A JSON:API document breaks a rule of the specification.
        case violation(JSONAPI.Violation)
    }

    init(_ reason: Reason, of type: any Any.Type, _ key: FlatCacheKey? = nil, at codingPath: [any CodingKey]) {
        self.reason = reason
        self.type = type
        self.key = key
        self.codingPath = codingPath
    }

    /// Creates the problem of a value whose decoding has thrown an error.
    ///
    /// - Parameters:
    ///   - error: The error.
    ///   - type: The type of the value.
    ///   - key: The key of the entity that isn't stored because of the problem, if it is known.
    ///   - codingPath: The path of the value, for errors that have no path.
    init(_ error: any Error, of type: any Any.Type, _ key: FlatCacheKey? = nil, at codingPath: [any CodingKey]) {
        switch error {
        case let problem as PayloadProblem: self = problem
        case let violation as JSONAPI.Violation: self.init(.violation(violation), of: type, key, at: codingPath)
        case let error as DecodingError:
            let path = error.codingPath
            self.init(.unreadable(error), of: type, key, at: path.count < codingPath.count ? codingPath : path)
        default: self.init(.unreadable(error), of: type, key, at: codingPath)
        }
    }

    static func tooDeep(_ codingPath: [any CodingKey]) -> PayloadProblem {
        PayloadProblem(.tooDeep, of: Any.self, at: codingPath)
    }
}

extension PayloadProblem: CustomStringConvertible, CustomReflectable {
    /// The path, and a clause that describes the problem.
    public var description: String {
        let path = codingPath.reduce(into: "") { path, key in
            if let index = key.intValue, key.stringValue != String(index) {
                path += "[\(index)]"
            } else {
                path += (path.isEmpty ? "" : ".") + key.stringValue
            }
        }
        if case .cannotKeep = reason { return reasonDescription }
        return (path.isEmpty ? "the root" : path) + ": " + reasonDescription
    }

    private var entity: String { key.map { "\($0.entityType) with the identifier \($0.id)" } ?? "entity" }

    private var reasonDescription: String {
        switch reason {
        case .unreadable(let error as DecodingError): "can't read \(type): \(error.briefDescription)"
        case .unreadable(let error): "can't read \(type): \(error)"
        case .incomplete(let missing):
            "\(type) isn't stored, and the payload leaves out \(missing.joined(separator: ", "))"
        case .cannotKeep(let property):
            "a payload without \(type).\(property) replaces its stored value, because init(from:) can't restore it"
        case .cannotRestore(let property):
            "the payload leaves out \(type).\(property), and init(from:) doesn't restore its stored value"
        case .nothingStored: "no \(entity) is stored, and \(type).makeEntity() returns nil"
        case .changesIdentifier: "\(type) changes the identifier of \(entity)"
        case .tooDeep: "the value is inside more than \(PayloadReading.maximumDepth) others"
        case .violation(let violation): violation.description
        }
    }

    /// No members, so that `dump` prints the message alone.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension DecodingError {
    /// The path of the value that could not be decoded.
    fileprivate var codingPath: [any CodingKey] {
        switch self {
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            context.codingPath
        case .keyNotFound(let key, let context): context.codingPath + [key]
        @unknown default: []
        }
    }

    fileprivate var briefDescription: String {
        switch self {
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            context.debugDescription
        case .keyNotFound: "it is missing"
        @unknown default: String(describing: self)
        }
    }
}

extension PayloadProblem.Reason: CustomStringConvertible {
    /// The reason in words, with the message of an error: `unreadable: it is missing`.
    public var description: String {
        switch self {
        case .unreadable(let error): "unreadable: \((error as? DecodingError)?.briefDescription ?? "\(error)")"
        case .incomplete(let missing): "incomplete, without \(missing.joined(separator: ", "))"
        case .cannotKeep(let property): "can't keep '\(property)'"
        case .cannotRestore(let property): "can't restore '\(property)'"
        case .nothingStored: "nothing is stored"
        case .changesIdentifier: "changes the identifier"
        case .tooDeep: "too deep"
        case .violation(let violation): violation.description
        }
    }
}
