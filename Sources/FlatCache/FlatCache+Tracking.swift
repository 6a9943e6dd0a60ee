extension FlatCache {
    /// Runs a body whose reads from this cache the Observation framework tracks.
    ///
    ///     var body: some View {
    ///         Text(cache.tracked { $0.get(Post.self, id: id)?.title } ?? "")      // drawn again when that post changes
    ///     }
    ///
    /// Handles, lists, references and generated accessors do this by themselves; it is needed for what is read by the methods
    /// of a cache, which don't ask whether somebody tracks. When nobody tracks, the body just runs. Otherwise it
    /// reads one state of the cache, as in ``read(_:)``, and a change of anything that it has read wakes whoever tracks.
    /// What is read inside of a ``transaction(_:)`` or an `update` is not tracked.
    ///
    /// The framework is notified on the thread that commits. When that isn't the main thread, it is notified once more on the
    /// main actor: a view that was reading while the commit happened is registered only after its body has returned, and would
    /// otherwise miss it.
    ///
    /// - Parameter body: Reads from the cache, which it is given.
    /// - Returns: What the body returns.
    /// - Throws: What the body throws.
    /// - Complexity: The body; when somebody tracks, O(*n*) on average for *n* entities that it reads.
    @inlinable
    public func tracked<Result, Failure: Error>(
        _ body: (FlatCache) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        if TrackingProbe.ofThread.isTracked { return try trackedRead(body) }
        return try body(self)
    }

    @usableFromInline
    func trackedRead<Result, Failure: Error>(_ body: (FlatCache) throws(Failure) -> Result) throws(Failure) -> Result {
        guard let snapshot = history.snapshotOfThread else {
            return try ObservedRead.run(in: self) { observer throws(Failure) in
                try observer.record(in: self) { () throws(Failure) in try body(self) }
            }
        }
        // In a transaction nothing is settled yet, and what is being watched already need not be watched twice.
        guard snapshot.draft == nil, snapshot.dependencies == nil else { return try body(self) }
        return try ObservedRead.run(in: self) { observer throws(Failure) in
            try observer.record(on: snapshot) { () throws(Failure) in try body(self) }
        }
    }
}
