import FlatCache

/// A handle as random sequences see it.
class ModelHandle {
    let key: ModelKey

    init(_ key: ModelKey) {
        self.key = key
    }

    var content: Int? { nil }

    /// Stores an entity, or removes that of the handle.
    ///
    /// - Returns: Whether the handle does that.
    func write(_ entity: ModelEntity?) -> Bool { false }

    func update<Result>(
        storing related: (kind: ModelKind, entities: [ModelEntity])?,
        _ body: (Int) throws -> (ModelEntity, Result)
    ) throws -> Result? { nil }

    func onChange(_ callback: @escaping @Sendable (NotifiedChange) -> Void) -> CacheSubscription? { nil }

    func isEqual(to other: ModelHandle) -> Bool { false }
}

/// A handle to an entity of one type.
final class TypedModelHandle<Value: ModelledEntity>: ModelHandle {
    private let handle: Cached<Value>

    init(_ key: ModelKey, _ handle: Cached<Value>) {
        self.handle = handle
        super.init(key)
    }

    override var content: Int? { handle.value?.content }

    override func write(_ entity: ModelEntity?) -> Bool {
        guard let entity else {
            handle.remove()
            return true
        }
        return (try? handle.set(Value.make(entity))) != nil
    }

    override func update<Result>(
        storing related: (kind: ModelKind, entities: [ModelEntity])?,
        _ body: (Int) throws -> (ModelEntity, Result)
    ) throws -> Result? {
        guard let related else { return try handle.update { try $0.apply(body) } }
        func update<Related: ModelledEntity>(_ type: Related.Type) throws -> Result? {
            try handle.update(storing: related.entities.map(type.make)) { try $0.apply(body) }
        }
        return try update(related.kind.type)
    }

    override func onChange(_ callback: @escaping @Sendable (NotifiedChange) -> Void) -> CacheSubscription? {
        handle.observe(initial: false) { callback(NotifiedChange($0)) }
    }

    override func isEqual(to other: ModelHandle) -> Bool {
        (other as? TypedModelHandle<Value>)?.handle == handle
    }
}
