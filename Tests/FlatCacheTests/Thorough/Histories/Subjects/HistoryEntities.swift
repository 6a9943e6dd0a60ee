import FlatCache

/// The operations on the entities of one type, whichever it is.
protocol HistoryEntities {
    func get(_ number: Int) -> Int?
    func get(_ number: Int, through medium: History.Medium) -> Int?
    func contains(_ number: Int) -> Bool
    func allValues() -> [Int: Int]
    func count() -> Int
    func set(_ values: [Int: Int])
    func remove(_ number: Int) -> Int?
    func removeAll()
    func update(_ number: Int, appending digits: Int) -> Int?
    func update(_ number: Int, appending digits: Int, storing entity: some HistoryEntity) -> Int?
    func failUpdate(_ number: Int) -> Int?
    func observe(_ number: Int, _ onChange: @escaping @Sendable (UInt64, Int?) -> Void) -> CacheSubscription
}

struct HistoryEntitiesOfType<Entity: HistoryEntity>: HistoryEntities {
    let cache: FlatCache

    func get(_ number: Int) -> Int? { cache.get(Entity.self, id: Entity.id(number))?.value }

    func get(_ number: Int, through medium: History.Medium) -> Int? {
        switch medium {
        case .handle:
            let handle = Cached(Entity.self, id: Entity.id(number), in: cache)
            // It stays for a moment, in which the entity may come and go while somebody holds its place.
            defer { withExtendedLifetime(handle) { pause(30) } }
            return handle.value?.value
        case .observer:
            let notified = Protected<Int?>(nil)
            let subscription = observe(number) { _, value in notified.withLock { $0 = value } }
            let first = notified.withLock { $0 }
            pause(30)
            subscription.cancel()
            return first
        }
    }

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
        cache.update(Entity.self, id: Entity.id(number)) { append(digits, to: &$0) }
    }

    func update(_ number: Int, appending digits: Int, storing entity: some HistoryEntity) -> Int? {
        Cached(Entity.self, id: Entity.id(number), in: cache)
            .update(storing: [entity]) { append(digits, to: &$0) }
    }

    private func append(_ digits: Int, to entity: inout Entity) -> Int {
        let seen = entity.value
        pause(digits)
        entity.value = History.appending(digits, to: seen)
        return seen
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
