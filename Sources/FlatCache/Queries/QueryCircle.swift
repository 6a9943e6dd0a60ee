extension FlatCache.Query {
    /// Runs a body that asks the conditions and sort keys.
    func whileAsked<Result>(in cache: FlatCache, _ body: () -> Result) -> Result {
        mayRead ? RunningQuery.run(self, of: cache.history.object, body) : body()
    }

    /// Whether the conditions or sort keys lead back to the query, whose own answer is empty for them.
    func isCircle(in cache: FlatCache) -> Bool {
        guard mayRead, RunningQuery.isCircle(self, of: cache.history.object) else { return false }
        #if DEBUG
        DeveloperNotes.sayOnce("circle of \(Value.self)") {
            """
            a condition or sort key of a query of '\(Value.self)' reads the answer of the same query, maybe by other queries. \
            It reads an empty answer there. Let it read entities instead
            """
        }
        #endif
        return true
    }
}
