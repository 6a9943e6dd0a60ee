/// What equal queries of one cache share.
final class QueryShares: @unchecked Sendable {  // The lock guards the variable.
    private let lock = Lock()
    private var known: [Key: [WeakReference<QueryShare>]] = [:]

    fileprivate struct Key: Hashable {
        let type: ObjectIdentifier
        /// A hash value, because the `==` of queries may be user code, which must not run under the lock.
        let hash: Int
    }

    /// Returns what is shared, or `nil` if there is none.
    ///
    /// - Parameters:
    ///   - type: The type of the object.
    ///   - hash: The hash value of everything that distinguishes it from others of the type.
    ///   - isEqual: Returns whether an object is the wanted one. No lock is held meanwhile.
    func find<Share: QueryShare>(_ type: Share.Type, hash: Int, where isEqual: (Share) -> Bool) -> Share? {
        let key = Key(type: ObjectIdentifier(type), hash: hash)
        let candidates = lock.withLock { known[key]?.compactMap(\.object) ?? [] }
        return candidates.lazy.map { unsafeDowncast($0, to: type) }.first(where: isEqual)
    }

    /// Adds an object that can be found as long as it exists.
    func add<Share: QueryShare>(_ share: Share, hash: Int) {
        let key = Key(type: ObjectIdentifier(Share.self), hash: hash)
        let reference = WeakReference<QueryShare>()
        reference.refer(to: share)
        lock.withLock { known[key, default: []].append(reference) }
        share.entry = Entry(reference, key, in: self)
    }

    /// All objects.
    var all: [QueryShare] { lock.withLock { known.values.flatMap { $0.compactMap(\.object) } } }

    /// The number of objects, for tests.
    var count: Int { lock.withLock { known.values.reduce(0) { $0 + $1.count } } }

    /// The entry of an object, which is removed with the object.
    final class Entry: Sendable {
        private let reference: WeakReference<QueryShare>
        private let key: Key
        private let shares: QueryShares

        fileprivate init(_ reference: WeakReference<QueryShare>, _ key: Key, in shares: QueryShares) {
            self.reference = reference
            self.key = key
            self.shares = shares
        }

        deinit {
            shares.lock.withLock {
                shares.known[key]?.removeAll { $0 === reference }
                if shares.known[key]?.isEmpty == true { shares.known[key] = nil }
            }
        }
    }
}

/// An object that equal queries share.
class QueryShare: @unchecked Sendable {  // The creator sets the variable.
    /// The entry by which it is found, or `nil` if it isn't shared.
    fileprivate var entry: QueryShares.Entry?

    /// Visits the identifiers of an answer with a limit, if it is one of a type.
    func visitLimitedAnswer<Value: Cachable>(of type: Value.Type, _ visitor: any IDVisitor) {}
}
