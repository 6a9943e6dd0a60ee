/// A fault that a cache, or a model of it, could have.
///
/// It is planted to test the tests: the search that looks for such faults in FlatCache must find it.
protocol PlantedFault: Sendable, CaseIterable {
    /// Runs that search on a cache with the fault.
    ///
    /// - Returns: Whether the search has found the fault.
    func isFound() async throws -> Bool
}
