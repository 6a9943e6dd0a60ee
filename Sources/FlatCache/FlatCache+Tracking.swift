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
        if let snapshot = history.snapshotOfThread {
            // In a transaction nothing is settled yet, and what is being watched already need not be watched twice.
            guard snapshot.draft == nil, !snapshot.isWatched else { return try body(self) }
            snapshot.beginTracking()
            defer { snapshot.endTracking() }
            return try body(self)
        }
        let snapshot = history.object.openSnapshot()
        snapshot.beginTracking()
        defer {
            snapshot.endTracking()
            history.object.close(snapshot)
        }
        return try RunningBody.run(on: snapshot) { () throws(Failure) in try body(self) }
    }
}

extension FlatCache {
    /// Runs a body whose reads the Observation framework doesn't track.
    ///
    ///     let title = FlatCache.withoutTracking { post.title }        // doesn't draw the view again when it changes
    ///
    /// That is so for handles, lists, references, accessors and ``tracked(_:)``, of all caches, on this thread. Reads by the
    /// methods of a cache, such as ``get(_:id:)``, need it only inside of ``tracked(_:)``. What a closure that is observed by
    /// ``observe(_:onChange:)`` reads stays observed. Callbacks that the body's commits call are outside of it.
    ///
    /// - Parameter body: Reads.
    /// - Returns: What the body returns.
    /// - Throws: What the body throws.
    /// - Complexity: The body.
    public static func withoutTracking<Result, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try TrackingProbe.withoutTracking(body)
    }
}
