import FlatCache

/// What is derived from a cache or from the model.
enum ModelExpression: Sendable {
    /// The contents of entities of which each says by its content which one is next, of the next kind.
    case chain(ModelKey, [ModelKind])
    case many([ModelKey])
    case all(ModelKind)
    case count(ModelKind)
    /// The order, the entities and the missing ones of a list.
    case list(Int)
    /// What a name stands for, and whether that is stored.
    case name(Int)

    func value(in source: some ModelSource) -> [Int?] {
        switch self {
        case .chain(let key, let kinds):
            var values = [source.content(of: key)]
            for kind in kinds {
                guard let last = values.last, let last else { break }
                values.append(source.content(of: ModelKey(kind, last % ModelKind.numbers.count)))
            }
            return values
        case .many(let keys): return keys.map { source.content(of: $0) }
        case .all(let kind):
            return source.all(kind).sorted { $0.key.index < $1.key.index }.map { $0.key.index * 1_000 + $0.content }
        case .count(let kind): return [source.count(kind)]
        case .list(let number): return source.list(number)
        case .name(let number): return source.name(number)
        }
    }
}

/// What can be read by an expression.
protocol ModelSource {
    func content(of key: ModelKey) -> Int?
    func all(_ kind: ModelKind) -> [ModelEntity]
    func count(_ kind: ModelKind) -> Int
    func list(_ number: Int) -> [Int?]
    func name(_ number: Int) -> [Int?]
}

/// A cache, read in different ways.
struct ModelCacheSource: ModelSource {
    let subject: ModelSubject

    func content(of key: ModelKey) -> Int? {
        switch key.number {
        case 0: return subject.get(key)
        case 1: return subject.contains(key) ? subject.get(key) : nil
        case 2: return subject.getMany(key.kind, [key.number]).first?.content
        default:
            func read<Value: ModelledEntity>(_ type: Value.Type) -> Int? {
                Cached(type, id: type.ids[key.number], in: subject.cache).value?.content
            }
            return read(key.kind.type)
        }
    }

    func all(_ kind: ModelKind) -> [ModelEntity] { subject.allValues(kind) }

    func count(_ kind: ModelKind) -> Int {
        func count<Value: ModelledEntity>(_ type: Value.Type) -> Int { subject.cache.count(of: type) }
        return count(kind.type)
    }

    func list(_ number: Int) -> [Int?] {
        let state = subject.list(number).state
        let numbers = state.ids.map { Post.key(of: $0)?.number }
        return numbers + [nil] + state.values.map(\.content) + [nil] + state.missingIDs.map { Post.key(of: $0)?.number }
    }

    func name(_ number: Int) -> [Int?] {
        let name = subject.name(number)
        return [name.id.flatMap { Post.key(of: $0)?.number }, name.value?.content]
    }
}

/// A state of the model, which notes what is read.
final class ModelStateSource: ModelSource {
    private let state: CacheModel.State
    private(set) var keys = ModelKeys()
    private(set) var kinds: Set<ModelKind> = []

    init(_ state: CacheModel.State) {
        self.state = state
    }

    func content(of key: ModelKey) -> Int? {
        keys.insert(key)
        return state[key.index]
    }

    func all(_ kind: ModelKind) -> [ModelEntity] {
        kinds.insert(kind)
        return kind.keys.elements.compactMap { key in state[key.index].map { ModelEntity(key: key, content: $0) } }
    }

    func count(_ kind: ModelKind) -> Int { all(kind).count }

    func list(_ number: Int) -> [Int?] {
        let numbers = ModelNamed.numbers(of: content(of: ModelKey(.named, number)))
        let posts = numbers.map { content(of: ModelKey(.post, $0)) }
        return numbers + [nil] + posts.filter { $0 != nil } + [nil] + zip(numbers, posts).filter { $1 == nil }.map(\.0)
    }

    func name(_ number: Int) -> [Int?] {
        let target = content(of: ModelKey(.named, number))
        return [target, target.flatMap { content(of: ModelKey(.post, $0)) }]
    }
}

/// What the model knows of an observer of what is derived.
struct ModelDerived {
    let expression: ModelExpression
    /// The value now.
    private(set) var current: [Int?]
    /// The value of the last notification.
    var last: [Int?]?
    /// The keys of which each is watched, and all that are watched, of whole types too; as the last run has read them.
    private(set) var keys = ModelKeys()
    private(set) var watched = ModelKeys()
    /// The number of commits at the last run.
    private(set) var ranAt: Int?

    init(_ expression: ModelExpression, _ state: CacheModel.State) {
        self.expression = expression
        current = expression.value(in: ModelStateSource(state))
    }

    /// Whether the value differs from that of the last notification.
    var isNew: Bool { last != current }

    mutating func update(_ state: CacheModel.State) {
        current = expression.value(in: ModelStateSource(state))
    }

    mutating func run(on state: CacheModel.State, commitCount: Int) {
        let source = ModelStateSource(state)
        _ = expression.value(in: source)
        keys = source.keys
        watched = source.kinds.reduce(source.keys) { $0.union($1.keys) }
        ranAt = commitCount
    }
}
