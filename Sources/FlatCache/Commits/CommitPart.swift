/// What one table contributes to a commit: the way on which everything that takes part in a commit goes.
///
/// A part is prepared without locks: identifiers are hashed and compared, slots found and pinned. Then it is applied, all at
/// once under the locks of its shards, or in pieces behind their gates. Then what it has replaced is released, without
/// locks. Nothing but the preparation runs user code.
@usableFromInline
protocol CommitPart: AnyObject {
    /// The number of entities that were read or changed, as far as they are known one by one.
    var count: Int { get }

    /// Whether all entities are removed.
    var isCleared: Bool { get }

    /// Adds the locks of what was read or changed.
    func insertLocks(into locks: inout LockSet)

    /// What the commit must wait for, while the shards are locked; `nil` when it may be made.
    func obstacle() -> Hold?

    /// Whether everything that was read is still as it was, while the shards are locked or their gates closed.
    func isCurrent() -> Bool

    /// Makes the changes, while the shards are locked.
    ///
    /// - Returns: What must be released after unlocking.
    func store(_ commit: inout Commit) -> [any Sendable]

    /// Closes the gates of the shards for a large commit.
    ///
    /// - Returns: What must be waited for, if some can't be closed; those that this has closed stay closed.
    func close(for commit: LargeCommit) -> Hold?

    /// Decides what is going to be stored, before readers see it; the gates are closed.
    ///
    /// - Returns: What must be released when the gates are open.
    func settleConditions() -> [any Sendable]

    /// Makes the changes of a large commit, a piece at a time.
    ///
    /// - Returns: What must be released when the gates are open.
    func storeInPieces(_ commit: inout Commit) -> [any Sendable]

    /// Opens the gates that were closed for a large commit.
    func open(after commit: LargeCommit)
}

/// The most entities that one commit changes while others wait for their shards.
@usableFromInline let smallCommit = 4_096

extension FlatCache {
    /// Makes a commit of several parts, of which none is of the same table as another.
    ///
    /// - Returns: The revision; `nil` when something that was read has changed since, so that nothing was done.
    func commit(_ parts: [any CommitPart]) -> UInt64? {
        var locks = LockSet()
        for part in parts { part.insertLocks(into: &locks) }
        SyncPoint.reach(.listed)
        while true {
            locks.lock()
            guard parts.allSatisfy({ $0.isCurrent() }) else {
                locks.unlock()
                return nil
            }
            guard let hold = parts.lazy.compactMap({ $0.obstacle() }).first else { break }
            locks.unlock()
            hold.wait()
        }
        var commit = Commit(of: self)
        let revision = commit.revision
        var released: [[any Sendable]] = []
        for part in parts { released.append(part.store(&commit)) }
        commit.finish { locks.unlock() }
        withExtendedLifetime(released) {}
        return revision
    }

    /// Makes a commit of many entities, or of whole types, in pieces for whose sake nobody waits long.
    ///
    /// - Parameter parts: The parts, none of the same table as another; asked again when a type has come in.
    /// - Returns: The revision; `nil` when something that was read has changed since, so that nothing was done.
    @usableFromInline func commitInPieces(_ parts: () -> [any CommitPart]) -> UInt64? {
        while true {
            let attempt = LargeCommit()
            let tableCount = registry.count
            let parts = parts()
            SyncPoint.reach(.listed)
            let outcome = publish(attempt, parts, of: tableCount)
            guard case .published(let drawn, var released) = outcome else {
                for part in parts { part.open(after: attempt) }
                attempt.hold.end()
                switch outcome {
                case .obstructed(let hold): hold.wait()
                case .outdated: return nil
                case .incomplete, .published: break
                }
                continue
            }
            SyncPoint.reach(.drawn)
            var commit = Commit(revision: drawn.revision, newestSnapshot: drawn.newestSnapshot, of: self)
            for part in parts { released.append(part.storeInPieces(&commit)) }
            commit.finish {
                for part in parts { part.open(after: attempt) }
                attempt.hold.end()
            }
            withExtendedLifetime(released) {}
            return drawn.revision
        }
    }

    private enum Publication {
        case published((revision: UInt64, newestSnapshot: UInt64), [[any Sendable]])
        /// Another large commit, or a reservation, is in the way.
        case obstructed(Hold)
        /// Something that was read has changed.
        case outdated
        /// A type has come in that belongs to the commit.
        case incomplete
    }

    private func publish(_ large: LargeCommit, _ parts: [any CommitPart], of tableCount: Int) -> Publication {
        for part in parts {
            if let hold = part.close(for: large) { return .obstructed(hold) }
        }
        guard parts.allSatisfy({ $0.isCurrent() }) else { return .outdated }
        let released = parts.map { $0.settleConditions() }
        let isWhole = parts.contains { $0.isCleared }
        let drawn = registry.whileCount(is: isWhole ? tableCount : nil) { history.object.publish(large) }
        return drawn.map { .published($0, released) } ?? .incomplete
    }
}
