@testable import FlatCache

/// The types of entities that random sequences use, each with another kind of identifier.
enum ModelKind: Int, CaseIterable, Sendable {
    case post, colliding, attachment, status, draft, released, versioned
    /// No entities: the lists 0 and 1, and the names 2 and 3, all of posts; their content says what ``ModelNamed`` does.
    case named

    /// The types of entities.
    static let entities = allCases.filter { $0 != .named }

    /// The numbers of the entities of one type: few, so that operations meet.
    static let numbers = 0..<4

    var type: any ModelledEntity.Type {
        switch self {
        case .post: Post.self
        case .colliding: Colliding.self
        case .attachment: Attachment.self
        case .status: Status.self
        case .draft: Draft.self
        case .released: Released.self
        case .versioned: Versioned.self
        case .named: ListContents<Post>.self
        }
    }

    /// Whether writes that leave an entity equal can be recognised.
    var isEquatable: Bool { self != .draft }

    /// Whether the stored entity is kept if the content of the incoming one is less.
    var isMerged: Bool { self == .versioned }

    /// The places of the keys of this type among all.
    var indices: Range<Int> {
        let start = rawValue * Self.numbers.count
        return start..<start + Self.numbers.count
    }

    var keys: ModelKeys { ModelKeys(indices.map { ModelKey(index: $0) }) }
}

/// A key in the model: a type and the number of an entity.
struct ModelKey: Hashable, Sendable, CustomStringConvertible {
    let index: Int

    init(index: Int) {
        self.index = index
    }

    init(_ kind: ModelKind, _ number: Int) {
        index = kind.rawValue * ModelKind.numbers.count + number
    }

    static let count = ModelKind.allCases.count * ModelKind.numbers.count
    static let all = (0..<count).map { ModelKey(index: $0) }

    var kind: ModelKind { ModelKind.allCases[index / ModelKind.numbers.count] }
    var number: Int { index % ModelKind.numbers.count }
    var description: String { "\(kind) \(number)" }
}

/// An entity in the model: what distinguishes the states of an entity is one number, its content.
struct ModelEntity: Hashable, Sendable, CustomStringConvertible {
    let key: ModelKey
    let content: Int

    var description: String { "\(key) = \(content)" }
}

/// A set of keys, as bits.
struct ModelKeys: Hashable, Sendable, CustomStringConvertible {
    private var bits: UInt32 = 0

    static let all = ModelKeys(ModelKey.all)

    init(_ keys: some Sequence<ModelKey> = []) {
        for key in keys { insert(key) }
    }

    var isEmpty: Bool { bits == 0 }
    var elements: [ModelKey] { isEmpty ? [] : ModelKey.all.filter(contains) }
    var description: String { "\(elements)" }

    func contains(_ key: ModelKey) -> Bool { bits & 1 << key.index != 0 }
    func union(_ other: ModelKeys) -> ModelKeys { ModelKeys(bits: bits | other.bits) }
    func subtracting(_ other: ModelKeys) -> ModelKeys { ModelKeys(bits: bits & ~other.bits) }
    mutating func insert(_ key: ModelKey) { bits |= 1 << key.index }

    private init(bits: UInt32) {
        self.bits = bits
    }
}
