extension FlatCache {
    /// The origin of a commit, which observers can read.
    ///
    ///     extension FlatCache.Origin {
    ///         static let sync = FlatCache.Origin("sync")
    ///     }
    ///
    ///     try cache.transaction(origin: .sync) { cache.set(contentsOf: posts) }
    ///
    ///     let subscription = cache.observe(all: Post.self) { changes in
    ///         if changes.origin != .sync { upload(changes) }
    ///     }
    ///
    /// Commits are made by the ``user``, with these exceptions: Answers of fetchers, payloads and patches come from the
    /// ``server``. A ``FlatCache/transaction(origin:_:)`` names its origin. Everything inside of a transaction is part of its
    /// commit, and so has its origin.
    ///
    /// The changes of entities, keys, types and queries have origins. Observers of handles receive changes of an entity. Observers
    /// of computed values, lists and references receive a state, which has none.
    ///
    /// Two origins with the same name are equal. A name remains in memory until the process ends, so name the kinds of
    /// origins, and not each request.
    public struct Origin: Hashable, Sendable {
        let number: OriginNumber

        /// Creates the origin with a name.
        ///
        /// - Parameter name: The name. The names of the origins of the library are `user`, `server`, `restore` and
        ///   `eviction`.
        /// - Complexity: O(*n*) for a name of *n* characters.
        public init(_ name: String) {
            number = OriginNumber(name: name)
        }

        init(_ number: OriginNumber) {
            self.number = number == .store || number == .load ? .restore : number
        }

        /// The name of the origin.
        public var name: String { number.name }

        /// The app and its user, the origin of all commits for which no other is named.
        public static var user: Origin { Origin(.user) }

        /// The server, the origin of the answers of fetchers and mutations, of payloads and of patches.
        public static var server: Origin { Origin(.server) }

        /// Data that was saved before: what a store gives back, and what apps that save data themselves store again.
        public static var restore: Origin { Origin(.restore) }

        /// A limit or ``FlatCache/collect(keeping:)``, the origin of evictions.
        public static var eviction: Origin { Origin(.eviction) }
    }

    /// The error of a transaction that names another origin than the transaction around it.
    ///
    /// Both are one commit, which has one origin.
    public struct OriginError: Error, Hashable, Sendable {
        /// The origin that the inner transaction names.
        public let origin: Origin

        /// The origin of the outermost transaction.
        public let outermost: Origin
    }

    /// Runs a transaction whose commit has an origin, which observers can read.
    ///
    ///     try cache.transaction(origin: .server) {
    ///         cache.set(contentsOf: message.posts)
    ///         cache.remove(Post.self, ids: message.deletedIDs)
    ///     }
    ///
    /// This is a ``transaction(_:)`` in all other respects: the body may run more than once, and nothing is changed if it
    /// throws.
    ///
    /// - Parameters:
    ///   - origin: The origin of the commit. Inside of another transaction of this cache, it must be the origin of the outermost
    ///     one, which is ``Origin/user`` if that names none.
    ///   - body: A closure that reads and changes entities.
    /// - Returns: The body's return value.
    /// - Throws: The error that the body throws, or an ``OriginError``, before the body runs. Then nothing is changed.
    /// - Complexity: The time of the body, and O(*n*) on average for *n* entities that it reads or changes and their
    ///   observers.
    @discardableResult
    public func transaction<Result>(origin: Origin, _ body: () throws -> Result) throws -> Result {
        if let transaction = history.transactionOfThread, transaction.origin != origin.number {
            throw OriginError(origin: origin, outermost: Origin(transaction.origin))
        }
        return try self.transaction(from: origin, body)
    }
}

extension FlatCache.Origin: CustomStringConvertible, CustomReflectable {
    /// The name of the origin: `server`.
    public var description: String { name }

    /// No members, so that `dump` prints the line alone.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension FlatCache.OriginError: CustomStringConvertible {
    /// A message that describes the problem and the remedy.
    public var description: String {
        """
        A transaction names the origin '\(origin)' inside of a transaction with the origin '\(outermost)'. Both are one commit, \
        which has one origin. Name it at the outermost transaction, by 'cache.transaction(origin:)', and omit it at the inner one
        """
    }
}

extension CommitOrigins {
    /// All origins.
    var origins: Set<FlatCache.Origin> { Set(all.lazy.filter { $0 != .unknown }.map { FlatCache.Origin($0) }) }

    /// The only origin, or `nil` if there are none or several, or one that isn't known.
    var origin: FlatCache.Origin? { only == .none || only == .unknown ? nil : FlatCache.Origin(only) }
}

extension EntityChange {
    /// The origins of the commits in this change.
    ///
    /// There is one, unless several commits are folded into this change. An initial change has none, except for the origins
    /// of later commits that are folded into it.
    public var origins: Set<FlatCache.Origin> { change.origins.origins }

    /// The origin of the commit, or `nil` if there are several origins, or none in an initial change.
    public var origin: FlatCache.Origin? { change.origins.origin }
}

extension ChangeSet {
    /// The origins of the commits that changed these keys.
    ///
    /// There is one, unless several commits are folded into this change set. An initial change set has none, except for the
    /// origins of later commits that are folded into it.
    public var origins: Set<FlatCache.Origin> { commitOrigins.origins }

    /// The origin of the commit, or `nil` if there are several origins, or none in an initial change set.
    public var origin: FlatCache.Origin? { commitOrigins.origin }
}

extension TypeChanges {
    /// The origins of the commits that changed these entities.
    ///
    /// There is one, unless several commits are folded into these changes.
    public var origins: Set<FlatCache.Origin> { commitOrigins.origins }

    /// The origin of the commit, or `nil` if there are several origins.
    public var origin: FlatCache.Origin? { commitOrigins.origin }
}

extension QueryResult {
    /// The origins of the commits since the last result of the observer.
    ///
    /// Commits are included that changed entities of the type, or entities that the conditions or sort keys read. If several
    /// commits are folded into this result, not all of them need to have changed the answer. The first result has none,
    /// except for the origins of later commits that are folded into it.
    ///
    /// An origin is missing if the commit was made on another thread while an entity entered the answer of a query with an
    /// index, or while a condition read the entity. Then ``origin`` is `nil`.
    public var origins: Set<FlatCache.Origin> { commitOrigins.origins }

    /// The origin of the commit, or `nil` if there are several origins, none in a first result, or one that isn't known.
    public var origin: FlatCache.Origin? { commitOrigins.origin }
}

extension GroupedResult {
    /// The origins of the commits that have changed the answer of the query, as ``QueryResult/origins``.
    public var origins: Set<FlatCache.Origin> { commitOrigins.origins }

    /// The origin of the commit, or `nil` if there are several origins, none in a first result, or one that isn't known.
    public var origin: FlatCache.Origin? { commitOrigins.origin }
}
