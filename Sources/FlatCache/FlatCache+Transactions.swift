extension FlatCache {
    /// Runs a body and commits all its changes together, so that other threads and observers see all of them or none.
    ///
    ///     try cache.transaction {
    ///         guard let post = cache.get(Post.self, id: "1") else { throw PostError.isGone }
    ///         cache.remove(Post.self, id: post.id)
    ///         cache.update(Author.self, id: post.authorID) { $0.postCount -= 1 }
    ///     }
    ///
    /// While the body runs, all reads and writes of this cache on its thread are part of the transaction, by methods of
    /// the cache, handles and generated accessors. This cache is the ``current`` one. The body reads one state of the
    /// cache and its own changes. Commits of other threads don't affect this state. When the body returns, its changes
    /// to entities of all types are committed, and each observer is notified once, with the net change. If the body
    /// throws, nothing is changed and no observer is notified.
    ///
    /// A transaction inside a transaction of the same cache joins it. If the inner body throws, its changes are undone.
    /// If the outer body catches the error, the outer transaction continues.
    ///
    /// ## The body may run more than once
    ///
    /// No lock is held while the body runs, so the body and other threads don't block each other. The body may call any
    /// code and wait for another thread. If another thread has changed an entity that the body read, the body runs
    /// again on the newer state. It can also run again because something was used for the first time. So a transaction
    /// behaves as if no other thread wrote to the cache. Keep the body short, let it only use the cache, and put
    /// effects that must happen once after the transaction.
    ///
    /// After eight failed runs, the entities that the body has read are reserved: until it ends, other threads wait
    /// before they write them, unless they are in a body or callback themselves. So a transaction completes even if
    /// others write continuously. Reads never wait.
    ///
    /// ## Work outside of the transaction
    ///
    /// Other threads, tasks that the body starts, and other caches are not part of the transaction. Observers are
    /// notified of committed changes only, and an observation that begins in the body begins with the committed state.
    /// A body must not wait until another thread has written an entity that the body has read, because it would run
    /// forever.
    ///
    /// Multiversion concurrency control and software transactional memory, such as TL2 (Dice, Shalev and Shavit), also
    /// run optimistically on a snapshot and validate its reads before the commit.
    ///
    /// - Parameter body: A closure that reads and changes entities.
    /// - Returns: The body's return value.
    /// - Throws: The error that the body throws. Then nothing is changed.
    /// - Complexity: The time of the body, and O(*n*) on average for *n* entities that it reads or changes and their
    ///   observers.
    @discardableResult
    public func transaction<Result, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try transaction(from: .user, body)
    }

    /// Runs a transaction.
    ///
    /// - Parameters:
    ///   - origin: The origin, which counts if the thread isn't in a transaction already.
    ///   - body: A closure that reads and changes entities.
    @discardableResult
    func transaction<Result, Failure: Error>(
        from origin: Origin,
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try asCurrent { () throws(Failure) in try commitTogether(from: origin.number, body) }
    }

    /// Runs a transaction without changing the current cache.
    ///
    /// - Parameters:
    ///   - origin: The number of the origin, which counts if the thread isn't in a transaction already.
    ///   - body: A closure that reads and changes entities.
    @_semantics("optimize.sil.specialize.generic.never") @usableFromInline
    func commitTogether<Result, Failure: Error>(
        from origin: OriginNumber = .user,
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        if let transaction = history.transactionOfThread {
            if origin == .server { transaction.hasAnswer = true }
            return try transaction.nest(body)
        }
        var overtaken = Overtaken()
        defer { overtaken.end() }
        while true {
            let transaction = Transaction(from: origin)
            let snapshot = history.object.openSnapshot(for: transaction)
            defer {
                transaction.release()
                history.object.close(snapshot)
            }
            let result = try Reservation.recordingOwnWrites { () throws(Failure) in
                try ReadContext.run(on: snapshot) { () throws(Failure) in
                    let result = try body()
                    if origin == .server || transaction.hasAnswer {
                        for part in transaction.parts { part.applyEarlierRemovals(in: self) }
                    }
                    transaction.matchInsertions(in: self)
                    return result
                }
            }
            // The commit need not keep replaced entities for its own transaction.
            history.object.close(snapshot)
            if transaction.commit(to: self) {
                transaction.runEffects(isCommitted: true)
                return result
            }
            overtaken.again { transaction.reserve(in: $0) }
        }
    }

    /// Runs a body that reads one state of the cache, and returns the body's result.
    ///
    ///     let (post, author) = cache.read {
    ///         let post = cache.get(Post.self, id: "1")
    ///         return (post, post?.author(in: cache))
    ///     }
    ///
    /// While the body runs, all reads of this cache on its thread return the state at the start of the body, by
    /// methods, handles and generated accessors. Commits of other threads don't affect this state. This cache is the
    /// ``current`` one. No lock is held, no thread waits, and the body runs once. Inside a ``transaction(_:)``, the
    /// body reads the state of the transaction, including its changes.
    ///
    /// Each write in the body is a commit of its own and takes effect immediately, but the body continues to read the
    /// state at its start. The body of an ``update(_:id:_:)->Result?`` or of a transaction inside it reads the newest
    /// state. To read and write in one commit, use ``transaction(_:)`` instead.
    ///
    /// - Parameter body: A closure that reads entities.
    /// - Returns: The body's return value.
    /// - Throws: The error that the body throws.
    /// - Complexity: The time of the body. Until it ends, commits of other threads keep the entities that they replace,
    ///   at most one per key.
    public func read<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        try asCurrent { () throws(Failure) in try readTogether(body) }
    }

    /// Runs a read without changing the current cache.
    @usableFromInline
    func readTogether<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        if history.snapshotOfThread != nil { return try body() }
        let snapshot = history.object.openSnapshot()
        defer { history.object.close(snapshot) }
        return try ReadContext.run(on: snapshot, body)
    }
}
