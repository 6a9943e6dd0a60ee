extension FlatCache {
    /// Runs a body whose reads from this cache are tracked by the Observation framework, and returns the body's result.
    ///
    ///     var body: some View {
    ///         Text(cache.tracked { $0.get(Post.self, id: id)?.title } ?? "")      // drawn again when that post changes
    ///     }
    ///
    /// Reads by handles, lists, references and generated accessors are always tracked. Reads by methods of the cache
    /// are tracked only in this body. If the framework tracks reads, the body reads one state of the cache, as in
    /// ``read(_:)``, and a change of an entity that it read notifies the framework. Otherwise the body just runs. Reads
    /// in the body of a ``transaction(_:)`` or an `update` are not tracked.
    ///
    /// The framework is notified on the thread that commits, once for all changes since the read. It is notified when
    /// an entity is stored, replaced by another value or removed, and when the cache is deallocated. Writing an equal
    /// value of an `Equatable` type doesn't notify.
    ///
    /// The framework registers a reader when its function returns, such as the `body` of a view. If another thread
    /// changes an entity before that, the cache repeats the notification. It repeats it immediately on the main actor,
    /// so readers there miss no change. For readers on other threads it repeats it for half a minute to a minute, with
    /// pauses that double. A function on another thread that continues to run for longer after it reads can miss a
    /// change. If more than 32,768 notifications are repeated at a time, the period is shorter.
    ///
    /// If many missing entities of a type were read, the insertion of one can also notify the readers of others.
    ///
    /// Each call of `withObservationTracking` keeps about a kilobyte until what it has read changes, as with every
    /// `Observable` object. Don't call it again without having been notified.
    ///
    /// Use ``withoutTracking(_:)`` to read without tracking.
    ///
    /// - Parameter body: A closure that receives the cache and reads from it.
    /// - Returns: The body's return value.
    /// - Throws: The error that the body throws.
    /// - Complexity: The time of the body. If its reads are tracked, also O(*n*) on average for *n* entities that it
    ///   reads.
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
            // Reads in a transaction are not tracked. Reads of a snapshot that is already tracked need not be tracked
            // twice.
            guard snapshot.transaction == nil, !snapshot.isWatched else { return try body(self) }
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
        return try ReadContext.run(on: snapshot) { () throws(Failure) in try body(self) }
    }
}

extension FlatCache {
    /// Runs a body whose reads are not tracked by the Observation framework, and returns the body's result.
    ///
    ///     let title = FlatCache.withoutTracking { post.title }        // doesn't draw the view again when it changes
    ///
    /// This applies to handles, lists, references, accessors and ``tracked(_:)``, of all caches, on this thread. Reads
    /// by methods of a cache, such as ``get(_:id:)``, are tracked only in the body of ``tracked(_:)``. Reads by the
    /// first closure of ``observe(initial:_:onChange:)`` remain observed. Reads by callbacks that a commit of the body
    /// calls are not part of the body.
    ///
    /// - Parameter body: A closure that reads.
    /// - Returns: The body's return value.
    /// - Throws: The error that the body throws.
    /// - Complexity: The body.
    public static func withoutTracking<Result, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try TrackingProbe.withoutTracking(body)
    }
}

extension FlatCache {
    /// Runs a body that reads for a description, whose reads are neither tracked nor observed.
    func withoutWatching<Result>(_ body: () -> Result) -> Result {
        if let snapshot = history.snapshotOfThread { return snapshot.withoutWatching(body) }
        return TrackingProbe.withoutTracking(body)
    }
}
