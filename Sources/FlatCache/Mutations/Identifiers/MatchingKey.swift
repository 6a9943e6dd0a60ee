/// A property by which an inserted entity is recognized among those of the server.
@usableFromInline
struct MatchingKey<Value: Cachable>: Sendable {
    fileprivate let path: any AnyKeyPath & Sendable
    private let read: @Sendable (Value) -> (any Hashable)?

    @usableFromInline init<Key: Hashable & Sendable>(_ path: any KeyPath<Value, Key> & Sendable) {
        self.path = path
        read = { value in
            let key = value[keyPath: path]
            return (key as? any OptionalType)?.isNil == true ? nil : key
        }
    }

    /// The value of the property of an entity, or `nil` if that is `nil`.
    @usableFromInline func match(of value: Value) -> InsertionMatch<Value>? {
        read(value).map { InsertionMatch(key: self, value: AnyHashable($0)) }
    }
}

/// The value of a property by which an inserted entity is recognized.
///
/// It is a class, because a change that has none is created and released in less time.
@usableFromInline
final class InsertionMatch<Value: Cachable>: Hashable, @unchecked Sendable {  // The value of a property is sendable.
    let key: MatchingKey<Value>
    let value: AnyHashable

    init(key: MatchingKey<Value>, value: AnyHashable) {
        self.key = key
        self.value = value
    }

    @usableFromInline static func == (first: InsertionMatch, second: InsertionMatch) -> Bool {
        first.key.path == second.key.path && first.value == second.value
    }

    @usableFromInline func hash(into hasher: inout Hasher) { hasher.combine(value) }
}

/// The inserted entities with one key that the server hasn't sent yet, stored like an entity.
struct AwaitedInsertions<Value: Cachable>: IndexContents {
    let id: InsertionMatch<Value>
    /// The identifiers with which entities were inserted, and the mutations.
    var insertions: [(temporaryID: Value.ID, mutation: PendingMutation)] = []
    /// Whether the last insertion has failed after it was sent, so that the server can have its entity nevertheless.
    var wasDropped = false

    init(id: InsertionMatch<Value>) {
        self.id = id
    }

    var isEmpty: Bool { insertions.isEmpty && !wasDropped }
}

/// The keys by which inserted entities of a type are recognized.
///
/// There are few in an app, so they are never removed.
final class MatchingKeys<Value: Cachable>: TableCompanion, @unchecked Sendable {  // The lock guards the variable.
    private let lock = Lock()
    private var keys: [MatchingKey<Value>] = []

    var all: [MatchingKey<Value>] { lock.withLock { keys } }

    /// Adds a key, unless it is known.
    func add(_ key: MatchingKey<Value>) {
        // Key paths are compared while no lock is held, because they can have arguments.
        if all.contains(where: { $0.path == key.path }) { return }
        lock.withLock { keys.append(key) }
    }
}
