/// The part of a commit for one table, with the steps that all parts have.
///
/// A part is prepared without locks: identifiers are hashed and compared, slots are found and pinned, and entities are
/// merged with the stored ones. Then it is applied, at once under the locks of its shards, or in pieces behind their gates. Then the replaced entities are
/// released without locks. Only the preparation runs user code.
protocol CommitPart: AnyObject {
    /// The number of entities that were read or changed individually.
    var count: Int { get }

    /// The number of places that entities have in the order of insertion of the commit.
    var insertionCount: Int { get }

    /// Whether all entities are removed.
    var isCleared: Bool { get }

    /// Adds the locks of the shards that were read or changed.
    func insertLocks(into locks: inout LockSet)

    /// The hold that the commit must wait for, or `nil` if there is none. The shards must be locked.
    func obstacle() -> Hold?

    /// Whether the stored entities that were merged are unchanged. The shards must be locked, or their gates closed.
    func areMergesCurrent() -> Bool

    /// Reserves the entities that are merged.
    func reserveMerges(in reservation: Reservation)

    /// Whether all entities that were read are unchanged. The shards must be locked, or their gates closed.
    func isCurrent() -> Bool

    /// Makes the changes, while the shards are locked.
    ///
    /// - Returns: The objects to release after unlocking.
    func store(_ commit: inout Commit) -> [any Sendable]

    /// Closes the gates of the shards for a large commit.
    ///
    /// - Returns: The hold to wait for, if a gate can't be closed. Gates that this has closed remain closed.
    func close(for commit: LargeCommit) -> Hold?

    /// Evaluates the conditions of writes, before readers see the commit. The gates must be closed.
    ///
    /// - Returns: The objects to release after the gates are opened.
    func settleConditions() -> [any Sendable]

    /// Makes the changes of a large commit, a piece at a time.
    ///
    /// - Returns: The objects to release after the gates are opened.
    func storeInPieces(_ commit: inout Commit) -> [any Sendable]

    /// Opens the gates that were closed for a large commit.
    func open(after commit: LargeCommit)
}

extension [any CommitPart] {
    /// The number of entities that the parts may insert, at least 1.
    fileprivate var insertionCount: Int { Swift.max(reduce(0) { $0 + $1.insertionCount }, 1) }
}

extension LockSet {
    /// The locks of the shards that parts of a commit have read or changed.
    fileprivate init(of parts: [any CommitPart]) {
        self.init()
        for part in parts { part.insertLocks(into: &self) }
    }
}

extension Commit {
    /// Makes the changes of a part, whose entities follow those of the parts before in the order of insertion.
    fileprivate mutating func make(_ part: any CommitPart, _ store: (inout Commit) -> [any Sendable]) -> [any Sendable]
    {
        let count = part.insertionCount
        defer { ordinal += UInt64(count) }
        return store(&self)
    }
}

/// The maximum number of entities that one commit changes while other threads wait for their shards.
@usableFromInline let smallCommit = 4_096

extension FlatCache {
    /// Makes a commit of several parts, each of a different table.
    ///
    /// - Parameters:
    ///   - origin: The number of the origin.
    ///   - prepare: Determines the entities that depend on the stored ones, and returns the parts. It runs user code, and
    ///     is called again if a stored entity has changed since.
    /// - Returns: The revision, or `nil` if an entity that was read has changed since. Then nothing is changed.
    func commit(from origin: OriginNumber, _ prepare: () -> [any CommitPart]) -> UInt64? {
        var overtaken = Overtaken()
        var parts = prepare()
        var locks = LockSet(of: parts)
        SyncPoint.reach(.listed)
        while true {
            locks.lock()
            guard parts.allSatisfy({ $0.isCurrent() }) else {
                locks.unlock()
                overtaken.end()
                return nil
            }
            guard parts.allSatisfy({ $0.areMergesCurrent() }) else {
                locks.unlock()
                overtaken.again { for part in parts { part.reserveMerges(in: $0) } }
                parts = prepare()
                locks = LockSet(of: parts)
                continue
            }
            guard let hold = parts.first(from: { $0.obstacle() }) else { break }
            locks.unlock()
            hold.wait()
        }
        var commit = Commit(of: self, count: parts.insertionCount, origin: origin)
        let revision = commit.revision
        var released: [[any Sendable]] = []
        for part in parts { released.append(commit.make(part) { part.store(&$0) }) }
        commit.finish {
            locks.unlock()
            overtaken.end()
        }
        withExtendedLifetime(released) {}
        return revision
    }

    /// Makes a commit of many entities or of whole types in pieces, so that other threads wait only briefly.
    ///
    /// - Parameters:
    ///   - origin: The number of the origin.
    ///   - prepare: Determines the entities that depend on the stored ones, and returns the parts, each of a different
    ///     table. It runs user code, and is called again if a stored entity has changed since, or if a type was added.
    /// - Returns: The revision, or `nil` if an entity that was read has changed since. Then nothing is changed.
    func commitInPieces(from origin: OriginNumber, _ prepare: () -> [any CommitPart]) -> UInt64? {
        var overtaken = Overtaken()
        while true {
            let attempt = LargeCommit()
            let tableCount = registry.count
            let parts = prepare()
            SyncPoint.reach(.listed)
            let outcome = publish(attempt, parts, of: tableCount)
            guard case .published(let drawn, var released) = outcome else {
                for part in parts { part.open(after: attempt) }
                attempt.hold.end()
                switch outcome {
                case .obstructed(let hold): hold.wait()
                case .outdated:
                    overtaken.end()
                    return nil
                case .overtaken: overtaken.again { for part in parts { part.reserveMerges(in: $0) } }
                case .incomplete, .published: break
                }
                continue
            }
            SyncPoint.reach(.drawn)
            var commit = Commit(
                revision: drawn.revision,
                count: parts.insertionCount,
                newestSnapshot: drawn.newestSnapshot,
                origin: origin,
                of: self
            )
            for part in parts { released.append(commit.make(part) { part.storeInPieces(&$0) }) }
            commit.finish {
                for part in parts { part.open(after: attempt) }
                attempt.hold.end()
                overtaken.end()
            }
            withExtendedLifetime(released) {}
            return drawn.revision
        }
    }

    private enum Publication {
        case published((revision: UInt64, newestSnapshot: UInt64), [[any Sendable]])
        /// Another large commit or a reservation conflicts.
        case obstructed(Hold)
        /// An entity that was read has changed.
        case outdated
        /// An entity that was merged has changed.
        case overtaken
        /// A type was added that must be part of the commit.
        case incomplete
    }

    private func publish(_ large: LargeCommit, _ parts: [any CommitPart], of tableCount: Int) -> Publication {
        for part in parts {
            if let hold = part.close(for: large) { return .obstructed(hold) }
        }
        guard parts.allSatisfy({ $0.isCurrent() }) else { return .outdated }
        guard parts.allSatisfy({ $0.areMergesCurrent() }) else { return .overtaken }
        let released = parts.map { $0.settleConditions() }
        let isWhole = parts.contains { $0.isCleared }
        let drawn = registry.whileCount(is: isWhole ? tableCount : nil) {
            history.object.publish(large, count: parts.insertionCount)
        }
        return drawn.map { .published($0, released) } ?? .incomplete
    }
}
