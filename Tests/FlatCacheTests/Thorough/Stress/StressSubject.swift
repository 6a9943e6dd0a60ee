#if DEBUG
import FlatCache

/// What the actors of a random stress do with caches.
///
/// Not final, so that tests can plant faults and see that they are found.
class StressSubject: @unchecked Sendable {  // Subclasses say what guards their variables.
    init() {}

    /// What an operation may wait for, and what may wait for it.
    enum Kind {
        case read, write, wholeType
    }

    /// Performs an operation that has no body.
    func perform<Result>(_ kind: Kind, on cache: FlatCache, _ operation: () -> Result) -> Result { operation() }

    /// What a body reads and writes.
    enum Body: CaseIterable {
        case update, transaction, wholeType, crosswise, list

        /// What it reads, as numbers.
        func read(_ id: Int, _ cache: FlatCache) -> [Int?] {
            switch self {
            case .update: [cache.get(Counter.self, id: id)?.count]
            case .transaction, .crosswise: (0..<4).map { cache.get(Counter.self, id: $0)?.count }
            case .wholeType: [cache.count(of: Counter.self), cache.get(Counter.self, id: id)?.count]
            case .list: cache.list("stress", of: Counter.self).ids.map { $0 }
            }
        }

        /// Writes something that depends on what was read.
        func write(_ read: [Int?], _ id: Int, _ cache: FlatCache) {
            switch self {
            case .list: cache.list("stress", of: Counter.self).replace(withIDs: read.compactMap { $0 }.reversed())
            default: cache.set(Counter(id: id, count: ((read.last ?? nil) ?? 0) + 1))
            }
        }
    }

    /// Runs a body until it wasn't overtaken.
    ///
    /// - Parameters:
    ///   - body: What it reads and writes.
    ///   - id: The counter that it changes.
    ///   - cache: The cache.
    ///   - other: Another one, for those who use two.
    ///   - think: What the body does between reading and writing, once for each run.
    func run(_ body: Body, _ id: Int, in cache: FlatCache, _ other: FlatCache, _ think: () -> Void) {
        switch body {
        case .update:
            cache.update(Counter.self, id: id) { counter in
                think()
                counter.count += 1
            }
        case .list:
            cache.list("stress", of: Counter.self).update { ids in
                think()
                ids.reverse()
            }
        case .crosswise:
            cache.transaction {
                let read = body.read(id, cache)
                other.transaction {
                    _ = body.read(id, other)
                    other.set(Post(id: "\(id)", likes: 1))
                }
                think()
                body.write(read, id, cache)
            }
        case .transaction, .wholeType:
            cache.transaction {
                let read = body.read(id, cache)
                think()
                body.write(read, id, cache)
            }
        }
    }

    /// What is observed.
    enum Observed: CaseIterable {
        case oneKey, severalKeys, handle, derived, wholeType
    }

    /// Calls an action when a counter changes.
    ///
    /// - Returns: How to cancel that.
    func observe(
        _ observed: Observed,
        _ id: Int,
        in cache: FlatCache,
        _ action: @escaping @Sendable () -> Void
    ) -> @Sendable () -> Void {
        let subscription =
            switch observed {
            case .oneKey: cache.observe(Counter.self, id: id) { _ in action() }
            case .severalKeys:
                cache.observe((0...id).map { Counter.flatCacheKey(id: $0) }, initial: false) { _ in action() }
            case .handle: Cached(Counter.self, id: id, in: cache).observe(initial: false) { _ in action() }
            case .derived:
                cache.observe { [unowned cache] in
                    cache.get(Counter.self, id: id)?.count
                } onChange: { _ in
                    action()
                }
            case .wholeType:
                cache.observe { [unowned cache] in
                    cache.count(of: Counter.self)
                } onChange: { _ in
                    action()
                }
            }
        return { subscription.cancel() }
    }

    /// Fetches what an actor has asked for already, whose turn doesn't come.
    func fetch(
        _ ids: [String],
        from cache: FlatCache,
        askedForBy actor: Guest,
        isolation: isolated (any Actor)? = #isolation
    ) async throws {
        _ = try await cache.fetch(Author.self, ids: ids)
    }

    /// Notes that something waits for a consumer that never reads.
    func beginSlowConsumer() {}

    /// Lets everybody go on whom a planted fault holds up.
    func repair() {}
}
#endif
