/// One step of a random sequence, for the cache and for its model alike.
///
/// Handles, subscriptions and iterators are named by numbers, of which the remainder counts: a sequence makes sense
/// whatever is left out of it.
indirect enum ModelOperation: Sendable {
    case set(ModelEntity)
    case setMany(ModelKind, [ModelEntity])
    case get(ModelKey)
    case getAll
    case getMany(ModelKind, [Int])
    case contains(ModelKey)
    case missing(ModelKind, [Int])
    case counts
    case allValues(ModelKind)
    case allKeys(ModelKind)
    case update(ModelUpdate)
    case remove(ModelKey)
    case removeAll
    case removeAllOf(ModelKind)
    case changeList(Int, ModelListChange)
    case changeName(Int, ModelNameChange)

    case makeHandle(ModelKey)
    case readHandle(Int)
    /// Stores an entity through a handle, which refuses one with the identifier of another number; or removes that of the
    /// handle.
    case writeHandle(Int, content: Int?, number: Int?)
    case releaseHandle(Int)

    case observe(ModelKey, ModelScript)
    case observeMany([ModelKey], ModelScript)
    case observeHandle(Int, ModelScript)
    case observeDerived(ModelExpression, ModelScript)
    case cancel(Int)
    case releaseSubscription(Int)
    /// In a callback: cancels the subscription whose callback it is.
    case cancelSelf

    case iterateValues(ModelKey)
    case iterateChanges([ModelKey])
    case iterateDerived(ModelExpression)
    /// Takes from an iterator what waits for it; without effect where nothing waits, and inside of bodies.
    case next(Int)
    case releaseIterator(Int)

    case transaction(ModelBody)
    case read(ModelBody)
    /// Runs operations on another cache, which is the same for the whole sequence; there, the other one is the first.
    case elsewhere([ModelOperation])
    /// Throws out of the bodies around it, up to the first that catches.
    case fail
}

/// What the body of a transaction or read does.
struct ModelBody: Sendable {
    var operations: [ModelOperation]
    /// Whether an error that the body throws is caught around it.
    var catches: Bool
}

/// An update of an entity.
struct ModelUpdate: Sendable {
    enum Target: Sendable {
        case key(ModelKey)
        case handle(Int)
    }

    enum Change: Sendable {
        case keep
        case increment
        case replace(Int)
        /// Changes the identifier to that of another number.
        case move(Int)
    }

    var target: Target
    /// What a handle stores with the update; `nil` for the update that stores nothing else.
    var related: (kind: ModelKind, entities: [ModelEntity])?
    var body: ModelBody
    var change: Change

    /// The entity that the body makes of one with a key and content.
    func changed(_ key: ModelKey, _ content: Int) -> ModelEntity {
        switch change {
        case .keep: ModelEntity(key: key, content: content)
        case .increment: ModelEntity(key: key, content: content + 1)
        case .replace(let content): ModelEntity(key: key, content: content)
        case .move(let number): ModelEntity(key: ModelKey(key.kind, number), content: content)
        }
    }
}

/// What a callback does when it is called.
struct ModelScript: Sendable {
    /// Names the script among those of its sequence.
    var number: Int
    /// The first call that does something.
    var firstCall: Int
    var operations: [ModelOperation]

    /// How often a script runs, whoever runs it: callbacks that change what they observe come to an end.
    static let limit = 2

    /// Does nothing.
    static let none = ModelScript(number: -1, firstCall: 0, operations: [])
}
