extension FlatCache {
    /// Makes all changes of a body in one commit: other threads and observers see all of them or none.
    ///
    ///     try cache.transaction {
    ///         guard let post = cache.get(Post.self, id: "1") else { throw PostError.isGone }
    ///         cache.remove(Post.self, id: post.id)
    ///         cache.update(Author.self, id: post.authorID) { $0.postCount -= 1 }
    ///     }
    ///
    /// Inside the body everything that its thread reads from this cache and writes to it goes through the transaction:
    /// by methods of the cache, handles and generated accessors, for this cache is the ``current`` one there. The body reads one
    /// state of the cache, with its own changes, whatever other threads commit meanwhile. When it has ended, its changes are committed, whatever their number and
    /// types, and each observer is notified once, with the net change. A body that throws changes nothing, and nobody is
    /// notified.
    ///
    /// A transaction inside a transaction of the same cache joins it. If the body of the inner one throws, what that body
    /// has changed is undone; if the error is caught, the outer one goes on.
    ///
    /// ## The body may run more than once
    ///
    /// No lock is held while it runs, so that it can't block other threads, and they can't block it: it may call whatever
    /// it likes, and wait for another thread. When another thread has changed something that the body has read, what it
    /// would commit is out of date, and the body runs again on the newer state. So a transaction is as good as alone with
    /// the cache. Do in the body what concerns the cache, keep it short, and do what must happen only once after it.
    ///
    /// ## What is not part of it
    ///
    /// Work that the body starts on other threads or as tasks, and other caches. Observers: they are notified of what is
    /// committed, and observing that begins in the body begins with the committed state. A body that waits until another
    /// thread has written what the body has read would run for ever.
    ///
    /// Running optimistically on a snapshot and checking what was read before committing is the way of multiversion
    /// concurrency control and of software transactional memory, TL2 (Dice, Shalev and Shavit) among them.
    ///
    /// - Parameter body: Reads and changes entities.
    /// - Returns: What the body returns.
    /// - Throws: What the body throws; nothing is changed then.
    /// - Complexity: The body, and O(*n*) on average for *n* entities that it reads or changes and their observers.
    @discardableResult
    public func transaction<Result, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try asCurrent { () throws(Failure) in try commitTogether(body) }
    }

    /// Runs a transaction that leaves open which cache is the current one.
    @usableFromInline
    func commitTogether<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        if let transaction = history.transactionOfThread { return try transaction.nest(body) }
        var overtaken = Overtaken()
        defer { overtaken.end() }
        while true {
            let transaction = Transaction()
            let snapshot = history.object.openSnapshot(for: transaction)
            defer {
                transaction.release()
                history.object.close(snapshot)
            }
            let result = try ReadContext.run(on: snapshot, body)
            // The commit need not keep anything for the transaction that makes it.
            history.object.close(snapshot)
            if transaction.commit(to: self) { return result }
            overtaken.again { transaction.reserve(in: $0) }
        }
    }

    /// Runs a body that reads one state of the cache, as it is between two commits.
    ///
    ///     let (post, author) = cache.read {
    ///         let post = cache.get(Post.self, id: "1")
    ///         return (post, post?.author(in: cache))
    ///     }
    ///
    /// Inside the body everything that its thread reads from this cache, by methods, handles and generated accessors (it is
    /// the ``current`` one there), is of the state in which the cache was when the body began, whatever other threads commit meanwhile. No lock is held,
    /// nobody waits, and the body runs once. Inside a ``transaction(_:)`` it reads what the transaction reads, its changes
    /// among that.
    ///
    /// Writes in the body are not part of what it reads: each is a commit of its own, at once, as outside, and the body goes
    /// on reading the state that it began with. The body of an ``update(_:id:_:)->Result?`` or of a transaction in it reads the
    /// state of the cache then. To read and write as one, use a transaction instead.
    ///
    /// - Parameter body: Reads entities.
    /// - Returns: What the body returns.
    /// - Throws: What the body throws.
    /// - Complexity: The body. Commits of other threads keep the entities that they replace until it has ended, each at
    ///   most once.
    public func read<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        try asCurrent { () throws(Failure) in try readTogether(body) }
    }

    /// Runs a read that leaves open which cache is the current one.
    @usableFromInline
    func readTogether<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        if history.snapshotOfThread != nil { return try body() }
        let snapshot = history.object.openSnapshot()
        defer { history.object.close(snapshot) }
        return try ReadContext.run(on: snapshot, body)
    }
}
