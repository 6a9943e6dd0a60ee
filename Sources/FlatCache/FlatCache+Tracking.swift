extension FlatCache {
    /// Runs a body, and tells the Observation framework of everything that the body reads from this cache.
    @inlinable
    public func tracked<Result, Failure: Error>(_ body: (FlatCache) throws(Failure) -> Result) throws(Failure) -> Result {
        try body(self)
    }
}
