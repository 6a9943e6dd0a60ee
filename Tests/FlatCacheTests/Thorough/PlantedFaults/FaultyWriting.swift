import FlatCache

/// A cache that writes wrongly.
final class FaultyWriting: ModelSubject {
    private let fault: ModelFault
    private var callbacks: [(key: ModelKey, callback: @Sendable (NotifiedChange) -> Void)] = []

    init(_ fault: ModelFault) {
        self.fault = fault
    }

    override func observe(
        _ key: ModelKey,
        _ callback: @escaping @Sendable (NotifiedChange) -> Void
    ) -> CacheSubscription {
        callbacks.append((key, callback))
        return super.observe(key, callback)
    }

    override func set(_ entity: ModelEntity) {
        let old = get(entity.key)
        if fault == .ignoresMerges, (try? super.update(entity.key) { _ in (entity, true) }) == true { return }
        super.set(entity)
        guard fault == .notifiesOfEqualWrites, old == entity.content else { return }
        let change = NotifiedChange(.updated, entity.key, value: old, oldValue: old, revision: .max)
        for (key, callback) in callbacks where key == entity.key { callback(change) }
    }

    override func setMany(_ kind: ModelKind, _ entities: [ModelEntity]) {
        switch fault {
        case .storesOneByOne: for entity in entities { set(entity) }
        case .storesFirstDuplicate: super.setMany(kind, entities.reversed())
        default: super.setMany(kind, entities)
        }
    }

    override func removeAll() {
        guard fault == .removesTypeByType else { return super.removeAll() }
        for kind in ModelKind.entities { removeAll(kind) }
    }

    override func update<Result>(_ key: ModelKey, _ body: (Int) throws -> (ModelEntity, Result)) throws -> Result? {
        var moved: ModelEntity?
        let result = try super.update(key) { content in
            do {
                let (entity, result) = try body(content)
                if entity.key != key { moved = ModelEntity(key: key, content: content) }
                return (entity, result)
            } catch  where fault == .storesFailedUpdates {
                super.set(ModelEntity(key: key, content: content + 1))
                throw error
            }
        }
        if fault == .copiesWhenMoving, let moved { set(moved) }
        return result
    }
}
