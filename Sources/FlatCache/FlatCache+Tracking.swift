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
    /// The framework is notified on the thread that commits, once for the changes since the reading: when an entity becomes
    /// another value, is stored or is removed, and when the cache goes. Writing an equal value doesn't notify.
    ///
    /// The framework registers a reader when its function has returned, such as the `body` of a view. A change that another
    /// thread makes before that is notified again: on the main actor at once, so that those who read there miss nothing; and
    /// for readers on other threads with pauses that double, for half a minute to a minute. A function on another thread that
    /// reads and then runs for longer can miss a change. Where more than 32,768 changes are notified again at a time, the time
    /// is shorter.
    ///
    /// Where many missing entities of a type are read, each insertion of one can notify the readers of others.
    ///
    /// ``withoutTracking(_:)`` reads without being tracked.
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
