import FlatCache

/// An iterator over values or changes as random sequences see it.
class ModelIterator {
    enum Element: Equatable {
        case value(Int?)
        case changes(NotifiedChanges)
        case derived([Int?])
        case end
    }

    func next() async -> Element { .end }
}

/// An iterator over the values of one entity.
final class ModelValueIterator<Value: ModelledEntity>: ModelIterator {
    private var iterator: CacheUpdates<Value?>.AsyncIterator

    init(_ values: CacheUpdates<Value?>) {
        iterator = values.makeAsyncIterator()
    }

    override func next() async -> Element {
        guard let value = await iterator.next() else { return .end }
        return .value(value?.content)
    }
}

/// An iterator over the changes of several keys.
final class ModelChangeIterator: ModelIterator {
    private var iterator: CacheUpdates<ChangeSet>.AsyncIterator

    init(_ changes: CacheUpdates<ChangeSet>) {
        iterator = changes.makeAsyncIterator()
    }

    override func next() async -> Element {
        guard let changes = await iterator.next() else { return .end }
        return .changes(NotifiedChanges(changes))
    }
}

/// An iterator over what is derived.
final class ModelDerivedIterator: ModelIterator {
    private var iterator: CacheUpdates<[Int?]>.AsyncIterator

    init(_ values: CacheUpdates<[Int?]>) {
        iterator = values.makeAsyncIterator()
    }

    override func next() async -> Element {
        guard let value = await iterator.next() else { return .end }
        return .derived(value)
    }
}

extension ModelSubject {
    func iterateDerived(_ compute: @escaping @Sendable () -> [Int?]) -> ModelIterator {
        ModelDerivedIterator(cache.updates(compute))
    }

    func iterateValues(_ key: ModelKey) -> ModelIterator {
        func iterate<Value: ModelledEntity>(_ type: Value.Type) -> ModelIterator {
            ModelValueIterator(cache.updates(of: type, id: type.ids[key.number]))
        }
        return iterate(key.kind.type)
    }

    func iterateChanges(_ keys: [ModelKey]) -> ModelIterator {
        ModelChangeIterator(cache.changes(of: keys.map(\.cacheKey), initial: false))
    }
}
