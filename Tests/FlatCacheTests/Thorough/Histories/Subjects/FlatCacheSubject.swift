import FlatCache

/// FlatCache, for histories.
struct FlatCacheSubject: HistorySubject {
    let cache = FlatCache()

    func perform(_ step: History.Step) -> History.Observation {
        switch step {
        case .get(let key): .value(entities(of: key.kind).get(key.number))
        case .getThrough(let medium, let key): .value(entities(of: key.kind).get(key.number, through: medium))
        case .contains(let key): .presence(entities(of: key.kind).contains(key.number))
        case .allValues(let kind): .values(entities(of: kind).allValues())
        case .count(let kind): .count(entities(of: kind).count())
        case .set(let key, let value): nothing { entities(of: key.kind).set([key.number: value]) }
        case .setSeveral(let kind, let values): nothing { entities(of: kind).set(values) }
        case .remove(let key): .value(entities(of: key.kind).remove(key.number))
        case .removeAll(let kind): nothing { entities(of: kind).removeAll() }
        case .removeEverything: nothing { cache.removeAll() }
        case .update(let key, let digits): .value(entities(of: key.kind).update(key.number, appending: digits))
        case .updateStoring(let key, let digits, let other, let value):
            switch other.kind {
            case .counter: .value(update(key, digits, storing: Counter(number: other.number, value: value)))
            case .post: .value(update(key, digits, storing: Post(number: other.number, value: value)))
            }
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

    private func update(_ key: History.Key, _ digits: Int, storing entity: some HistoryEntity) -> Int? {
        entities(of: key.kind).update(key.number, appending: digits, storing: entity)
    }

    private func nothing(_ body: () -> Void) -> History.Observation {
        body()
        return .nothing
    }
}
