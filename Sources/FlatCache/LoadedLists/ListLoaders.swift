/// The loaders of the lists of a cache.
final class ListLoaders: @unchecked Sendable {  // The lock guards the variable.
    private struct Key: Hashable {
        let type: ObjectIdentifier
        let name: String
    }

    private let lock = Lock()
    private var loaders: [Key: ErasedListLoader] = [:]

    /// The loader of a list, created if there is none.
    func loader<Value: Cachable>(of list: CachedList<Value>) -> ListLoader<Value> {
        let key = Key(type: ObjectIdentifier(Value.self), name: list.name)
        let loader = lock.withLock {
            if let loader = loaders[key] { return loader }
            let made = ListLoader<Value>()
            loaders[key] = made
            return made
        }
        // The type is part of the key.
        return unsafeDowncast(loader, to: ListLoader<Value>.self)
    }

    /// The loader of a list, or `nil` if there is none.
    func knownLoader<Value: Cachable>(of list: CachedList<Value>) -> ListLoader<Value>? {
        let key = Key(type: ObjectIdentifier(Value.self), name: list.name)
        // The type is part of the key.
        return lock.withLock { loaders[key] }.map { unsafeDowncast($0, to: ListLoader<Value>.self) }
    }

    /// Ends the calls of a list without effect.
    ///
    /// - Parameters:
    ///   - list: The list.
    ///   - number: The number of the last loader that is removed, or `nil` for none.
    /// - Returns: The calls.
    func dropCalls<Value: Cachable>(
        of list: CachedList<Value>,
        removingLoaderUpTo number: UInt64?
    ) -> [ListCall<Value>] {
        let key = Key(type: ObjectIdentifier(Value.self), name: list.name)
        // The type is part of the key.
        let loader = lock.withLock { () -> ListLoader<Value>? in
            guard let loader = loaders[key].map({ unsafeDowncast($0, to: ListLoader<Value>.self) }) else { return nil }
            if let number, loader.number.map({ $0 <= number }) ?? true { loaders[key] = nil }
            return loader
        }
        return loader?.dropAll() ?? []
    }

    /// Ends all calls without effect, because all entities are removed.
    func dropCalls() {
        for loader in lock.withLock({ Array(loaders.values) }) { loader.dropCalls() }
    }
}

/// A loader without its static type.
class ErasedListLoader: @unchecked Sendable {  // It has no variables.
    /// Ends all calls without effect.
    func dropCalls() {}
}
