import FlatCache

/// A cache as random sequences see it: types are erased, entities are those of the model.
///
/// Not final, so that tests can plant faults and see that they are found.
class ModelSubject {
    let cache = FlatCache()
    /// Whether all types have an index, with which each read of their contents is compared.
    private let isIndexed: Bool

    init(isIndexed: Bool = false) {
        self.isIndexed = isIndexed
        guard isIndexed else { return }
        func build<Value: ModelledEntity>(_ type: Value.Type) { cache.buildIndex(.init(\Value.content)) }
        for kind in ModelKind.entities { build(kind.type) }
    }

    func set(_ entity: ModelEntity) {
        func set<Value: ModelledEntity>(_ type: Value.Type) { cache.set(type.make(entity)) }
        set(entity.key.kind.type)
    }

    func setMany(_ kind: ModelKind, _ entities: [ModelEntity]) {
        func set<Value: ModelledEntity>(_ type: Value.Type) { cache.set(contentsOf: entities.map(type.make)) }
        set(kind.type)
    }

    /// - Returns: The result of the body, or `nil` if it wasn't called.
    func update<Result>(_ key: ModelKey, _ body: (Int) throws -> (ModelEntity, Result)) throws -> Result? {
        func update<Value: ModelledEntity>(_ type: Value.Type) throws -> Result? {
            try cache.update(type, id: type.ids[key.number]) { try $0.apply(body) }
        }
        return try update(key.kind.type)
    }

    func remove(_ key: ModelKey) -> Int? {
        func remove<Value: ModelledEntity>(_ type: Value.Type) -> Int? {
            cache.remove(type, id: type.ids[key.number])?.content
        }
        return remove(key.kind.type)
    }

    func removeAll() { cache.removeAll() }

    func removeAll(_ kind: ModelKind) {
        func removeAll<Value: ModelledEntity>(_ type: Value.Type) { cache.removeAll(of: type) }
        removeAll(kind.type)
    }

    func handle(_ key: ModelKey) -> ModelHandle {
        func make<Value: ModelledEntity>(_ type: Value.Type) -> ModelHandle {
            TypedModelHandle<Value>(key, Cached(type, id: type.ids[key.number], in: cache))
        }
        return make(key.kind.type)
    }

    func observe(_ key: ModelKey, _ callback: @escaping @Sendable (NotifiedChange) -> Void) -> CacheSubscription {
        func observe<Value: ModelledEntity>(_ type: Value.Type) -> CacheSubscription {
            cache.observe(type, id: type.ids[key.number]) { callback(NotifiedChange($0)) }
        }
        return observe(key.kind.type)
    }

    func observeMany(_ keys: [ModelKey], _ callback: @escaping @Sendable (NotifiedChanges) -> Void) -> CacheSubscription
    {
        cache.observe(keys.map(\.cacheKey), initial: false) { callback(NotifiedChanges($0)) }
    }

    func observeDerived(
        _ expression: ModelExpression,
        _ compute: @escaping @Sendable () -> [Int?],
        _ callback: @escaping @Sendable ([Int?]) -> Void
    ) -> CacheSubscription {
        cache.observe(compute, onChange: callback)
    }

    /// - Returns: What the method of the list returns, if that is whether something was there.
    func changeList(_ number: Int, _ change: ModelListChange) -> Bool? { change.apply(to: list(number)) }

    func changeName(_ number: Int, _ change: ModelNameChange) { change.apply(to: name(number)) }

    func transaction(_ body: () throws -> Void) throws { try cache.transaction(body) }

    func read(_ body: () throws -> Void) throws { try cache.read(body) }
}

// MARK: Reading

extension ModelSubject {
    func get(_ key: ModelKey) -> Int? {
        if key.kind == .named { return named(key.number) }
        func get<Value: ModelledEntity>(_ type: Value.Type) -> Int? {
            cache.get(type, id: type.ids[key.number])?.content
        }
        return get(key.kind.type)
    }

    /// What is stored of a type, by number.
    func contents(_ kind: ModelKind) -> [Int?] {
        if kind == .named { return ModelKind.numbers.map(named) }
        func contents<Value: ModelledEntity>(_ type: Value.Type) -> [Int?] {
            let contents = type.ids.map { cache.get(type, id: $0)?.content }
            if isIndexed, !areFound(contents, type) { return [] }
            return contents
        }
        return contents(kind.type)
    }

    /// Whether the index finds exactly the entities with each content.
    private func areFound<Value: ModelledEntity>(_ contents: [Int?], _ type: Value.Type) -> Bool {
        let stored = Set(contents.compactMap { $0 })
        return stored.union(stored.map { $0 + 1 }).allSatisfy { content in
            let found = cache.query(FlatCache.Query(type).filter(\.content, equals: content)).values
            let expected = type.ids.indices.filter { contents[$0] == content }
            return found.count == expected.count
                && Set(found.compactMap { $0.modelEntity?.key.number }) == Set(expected)
        }
    }

    func getMany(_ kind: ModelKind, _ numbers: [Int]) -> [ModelEntity] {
        func get<Value: ModelledEntity>(_ type: Value.Type) -> [ModelEntity] {
            cache.get(type, ids: numbers.map { type.ids[$0] }).compactMap(\.modelEntity)
        }
        return get(kind.type)
    }

    func contains(_ key: ModelKey) -> Bool {
        func contains<Value: ModelledEntity>(_ type: Value.Type) -> Bool {
            cache.contains(type, id: type.ids[key.number])
        }
        return contains(key.kind.type)
    }

    func missing(_ kind: ModelKind, _ numbers: [Int]) -> [ModelKey] {
        func missing<Value: ModelledEntity>(_ type: Value.Type) -> [ModelKey] {
            cache.missingIDs(of: type, among: numbers.map { type.ids[$0] }).compactMap { type.key(of: $0) }
        }
        return missing(kind.type)
    }

    /// The number of all entities, and of those of each type.
    func counts() -> [Int] {
        func count<Value: ModelledEntity>(_ type: Value.Type) -> Int { cache.count(of: type) }
        return [cache.count] + ModelKind.entities.map { count($0.type) }
    }

    func allValues(_ kind: ModelKind) -> [ModelEntity] {
        func all<Value: ModelledEntity>(_ type: Value.Type) -> [ModelEntity] {
            cache.allValues(of: type).compactMap(\.modelEntity)
        }
        return all(kind.type)
    }

    func allKeys(_ kind: ModelKind) -> [ModelKey] {
        func all<Value: ModelledEntity>(_ type: Value.Type) -> [ModelKey] {
            cache.allKeys(of: type).compactMap { ModelKey($0) }
        }
        return all(kind.type)
    }

    /// The number of slots of a type, with an entity or without, and of those that are observed.
    func slotCounts(_ kind: ModelKind) -> (all: Int, observed: Int) {
        func count<Value: ModelledEntity>(_ type: Value.Type) -> (Int, Int) {
            (cache.slotCount(of: type), cache.observedKeyCount(of: type))
        }
        return count(kind.type)
    }
}

extension ModelledEntity {
    /// Makes of an entity what an update in the model makes of it.
    mutating func apply<Result>(_ body: (Int) throws -> (ModelEntity, Result)) rethrows -> Result {
        let (entity, result) = try body(content)
        self = .make(entity)
        return result
    }
}
