import FlatCache

/// A cache that runs the closures of what is derived otherwise than it should.
final class FaultyDeriving: ModelSubject {
    private let fault: PlantedFault
    private let isClearing = Protected(false)

    init(_ fault: PlantedFault) {
        self.fault = fault
    }

    override func observeDerived(
        _ expression: ModelExpression,
        _ compute: @escaping @Sendable () -> [Int?],
        _ callback: @escaping @Sendable ([Int?]) -> Void
    ) -> CacheSubscription {
        switch fault {
        case .keepsFirstDependencies: return observeFirst(expression, compute, callback)
        case .keepsOldDependencies: return observeAll(expression, compute, callback)
        case .forgetsClearedTypes:
            return super.observeDerived(expression, compute) { [isClearing] value in
                if case .all = expression, isClearing.withLock({ $0 }) { return }
                callback(value)
            }
        case .forgetsWaitingChanges:
            let isCalling = Protected(false)
            return cache.observe {
                (compute(), "not comparable")
            } onChange: { [cache] value in
                if isCalling.withLock({ $0 }) { return }
                isCalling.withLock { $0 = true }
                let revision = cache.allKeys(of: Post.self).count
                callback(value.0)
                // Only where its own callback has written.
                isCalling.withLock { $0 = cache.allKeys(of: Post.self).count != revision }
            }
        case .tellsEqualResults:
            return cache.observe {
                (compute(), "not comparable")
            } onChange: {
                callback($0.0)
            }
        default: return super.observeDerived(expression, compute, callback)
        }
    }

    override func removeAll() {
        isClearing.withLock { $0 = true }
        defer { isClearing.withLock { $0 = false } }
        super.removeAll()
    }

    /// Refers to the subject from closures, which run inside of its own calls.
    private final class Source: @unchecked Sendable {  // Never changes.
        unowned let subject: ModelSubject

        init(_ subject: ModelSubject) {
            self.subject = subject
        }
    }

    /// Watches what the first run has read.
    private func observeFirst(
        _ expression: ModelExpression,
        _ compute: @escaping @Sendable () -> [Int?],
        _ callback: @escaping @Sendable ([Int?]) -> Void
    ) -> CacheSubscription {
        let source = ModelStateSource(ModelKey.all.map { get($0) })
        _ = expression.value(in: source)
        let keys = source.kinds.reduce(source.keys) { $0.union($1.keys) }
        let last = Protected<[Int?]?>(nil)
        let tell: @Sendable () -> Void = {
            let value = compute()
            let isNew = last.withLock { last in
                defer { last = value }
                return last != value
            }
            if isNew { callback(value) }
        }
        tell()
        return cache.observe(keys.elements.map(\.cacheKey), initial: false) { _ in tell() }
    }

    /// Reads in each run what was read in all before, too.
    private func observeAll(
        _ expression: ModelExpression,
        _ compute: @escaping @Sendable () -> [Int?],
        _ callback: @escaping @Sendable ([Int?]) -> Void
    ) -> CacheSubscription {
        let read = Protected(ModelKeys())
        let source = Source(self)
        return super.observeDerived(expression) {
            let value = compute()
            let keys = read.withLock { keys in
                if case .chain(let key, let kinds) = expression { keys = keys.union(Self.keys(key, kinds, value)) }
                return keys
            }
            for key in keys.elements { _ = source.subject.get(key) }
            return value
        } _: {
            callback($0)
        }
    }

    private static func keys(_ key: ModelKey, _ kinds: [ModelKind], _ value: [Int?]) -> ModelKeys {
        ModelKeys(
            [key]
                + zip(kinds, value).compactMap { kind, content in
                    content.map { ModelKey(kind, $0 % ModelKind.numbers.count) }
                }
        )
    }
}

/// A cache whose lists and names aren't what they should be.
final class FaultyNaming: ModelSubject {
    private let fault: PlantedFault

    init(_ fault: PlantedFault) {
        self.fault = fault
    }

    override func changeList(_ number: Int, _ change: ModelListChange) -> Bool? {
        let list = list(number)
        switch (fault, change) {
        case (.appendsDuplicates, .append(let entities)):
            let ids = entities.map { Post.ids[$0.key.number] }
            super.setMany(.post, entities)
            list.update { listed in listed = listed.filter { !ids.contains($0) } + ids }
            return nil
        case (.prependsReversed, .prependIDs(let numbers)):
            return super.changeList(number, .prependIDs(numbers.reversed()))
        case (.movesBehind, .move(let moved, let other?)):
            let result = super.changeList(number, change)
            list.update { ids in
                guard let place = ids.firstIndex(of: Post.ids[other]), place > 0, moved != other, result == true else {
                    return
                }
                ids.swapAt(place, place - 1)
            }
            return result
        case (.storesPageSeparately, .append(let entities)):
            setMany(.post, entities)
            return super.changeList(number, .appendIDs(entities.map(\.key.number)))
        default: return super.changeList(number, change)
        }
    }

    override func changeName(_ number: Int, _ change: ModelNameChange) {
        switch (fault, change) {
        case (.namesSeparately, .value(let entity)):
            set(entity)
            super.changeName(number, .id(entity.key.number))
        case (.keepsNameOfNothing, .id(nil)): break
        default: super.changeName(number, change)
        }
    }
}
