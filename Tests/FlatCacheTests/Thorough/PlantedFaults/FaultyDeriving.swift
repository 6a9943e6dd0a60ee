import FlatCache

/// A cache that runs the closures of derived observers wrongly.
final class FaultyDeriving: ModelSubject {
    private let fault: ModelFault
    private let isClearing = Protected(false)

    init(_ fault: ModelFault) {
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
        case .notifiesOfEqualResults:
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
        let notify: @Sendable () -> Void = {
            let value = compute()
            let isNew = last.withLock { last in
                defer { last = value }
                return last != value
            }
            if isNew { callback(value) }
        }
        notify()
        return cache.observe(keys.elements.map(\.cacheKey), initial: false) { _ in notify() }
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
