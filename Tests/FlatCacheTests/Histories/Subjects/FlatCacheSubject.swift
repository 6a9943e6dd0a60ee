import FlatCache

/// FlatCache, for histories.
struct FlatCacheSubject: HistorySubject {
    let cache = FlatCache()

    func perform(_ step: History.Step) -> History.Observation {
        switch step {
        case .get(let key): .value(entities(of: key.kind).get(key.number))
        case .contains(let key): .presence(entities(of: key.kind).contains(key.number))
        case .allValues(let kind): .values(entities(of: kind).allValues())
        case .count(let kind): .count(entities(of: kind).count())
        case .set(let key, let value): nothing { entities(of: key.kind).set([key.number: value]) }
        case .setSeveral(let kind, let values): nothing { entities(of: kind).set(values) }
        case .remove(let key): .value(entities(of: key.kind).remove(key.number))
        case .removeAll(let kind): nothing { entities(of: kind).removeAll() }
        case .removeEverything: nothing { cache.removeAll() }
        case .update(let key, let digits): .value(entities(of: key.kind).update(key.number, appending: digits))
        case .failingUpdate(let key): .failure(entities(of: key.kind).failUpdate(key.number))
        }
    }

    func transaction(_ body: (any HistorySubject) throws -> Void) throws {
        try cache.transaction { try body(self) }
    }

    func read(_ body: (any HistorySubject) -> Void) {
        cache.read { body(self) }
    }

    func observe(_ key: History.Key, _ onChange: @escaping @Sendable (UInt64, Int?) -> Void) -> any Sendable {
        entities(of: key.kind).observe(key.number, onChange)
    }

    private func entities(of kind: History.Kind) -> any HistoryEntities {
        switch kind {
        case .counter: HistoryEntitiesOfType<Counter>(cache: cache)
        case .post: HistoryEntitiesOfType<Post>(cache: cache)
        }
    }

    private func nothing(_ body: () -> Void) -> History.Observation {
        body()
        return .nothing
    }
}

/// An entity that is reduced to one number.
protocol HistoryEntity: Cachable {
    init(number: Int, value: Int)

    static func id(_ number: Int) -> ID

    var number: Int { get }
    var value: Int { get set }
}

extension Counter: HistoryEntity {
    init(number: Int, value: Int) { self.init(id: number, count: value) }

    static func id(_ number: Int) -> Int { number }

    var number: Int { id }
    var value: Int {
        get { count }
        set { count = newValue }
    }
}

extension Post: HistoryEntity {
    init(number: Int, value: Int) { self.init(id: "\(number)", likes: value) }

    static func id(_ number: Int) -> String { "\(number)" }

    var number: Int { Int(id) ?? -1 }
    var value: Int {
        get { likes }
        set { likes = newValue }
    }
}

/// The operations on the entities of one type, whichever it is.
private protocol HistoryEntities {
    func get(_ number: Int) -> Int?
    func contains(_ number: Int) -> Bool
    func allValues() -> [Int: Int]
    func count() -> Int
    func set(_ values: [Int: Int])
    func remove(_ number: Int) -> Int?
    func removeAll()
    func update(_ number: Int, appending digits: Int) -> Int?
    func failUpdate(_ number: Int) -> Int?
    func observe(_ number: Int, _ onChange: @escaping @Sendable (UInt64, Int?) -> Void) -> CacheSubscription
}

private struct HistoryEntitiesOfType<Entity: HistoryEntity>: HistoryEntities {
    let cache: FlatCache

    func get(_ number: Int) -> Int? { cache.get(Entity.self, id: Entity.id(number))?.value }

    func contains(_ number: Int) -> Bool { cache.contains(Entity.self, id: Entity.id(number)) }

    func allValues() -> [Int: Int] {
        Dictionary(cache.allValues(of: Entity.self).map { ($0.number, $0.value) }, uniquingKeysWith: min)
    }

    func count() -> Int { cache.count(of: Entity.self) }

    func set(_ values: [Int: Int]) {
        let entities = values.map { Entity(number: $0, value: $1) }
        if let entity = entities.first, entities.count == 1 {
            cache.set(entity)
        } else {
            cache.set(contentsOf: entities)
        }
    }

    func remove(_ number: Int) -> Int? { cache.remove(Entity.self, id: Entity.id(number))?.value }

    func removeAll() { cache.removeAll(of: Entity.self) }

    func update(_ number: Int, appending digits: Int) -> Int? {
        cache.update(Entity.self, id: Entity.id(number)) { entity in
            let seen = entity.value
            pause(digits)
            entity.value = History.appending(digits, to: seen)
            return seen
        }
    }

    func failUpdate(_ number: Int) -> Int? {
        var seen: Int?
        try? cache.update(Entity.self, id: Entity.id(number)) { entity in
            seen = entity.value
            entity.value = -1
            throw PlannedFailure()
        }
        return seen
    }

    func observe(_ number: Int, _ onChange: @escaping @Sendable (UInt64, Int?) -> Void) -> CacheSubscription {
        cache.observe(Entity.self, id: Entity.id(number)) { onChange($0.revision, $0.value?.value) }
    }
}
