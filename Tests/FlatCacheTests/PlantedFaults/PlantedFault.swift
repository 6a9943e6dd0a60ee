import Testing

/// A fault that a cache, or a model of it, could have.
///
/// It is planted to test the tests: the search that looks for such faults in FlatCache must find it.
protocol PlantedFault: Sendable, CaseIterable {
    /// Runs that search on a cache with the fault.
    ///
    /// - Returns: Whether the search has found the fault.
    func isFound() async throws -> Bool
}

/// One row of the table of planted faults.
struct PlantedFaultCase: Sendable, CustomTestStringConvertible {
    let fault: any PlantedFault
    let testDescription: String

    /// Every planted fault of every search.
    static let all: [PlantedFaultCase] = {
        var all = cases(of: ModelFault.self) + cases(of: HistoryFault.self) + cases(of: CommitProtocolFault.self)
        #if DEBUG
        all += cases(of: StressFault.self) + cases(of: RandomFetchGraph.Fault.self)
        #endif
        return all
    }()

    private static func cases<Fault: PlantedFault>(of type: Fault.Type) -> [PlantedFaultCase] {
        type.allCases.map { PlantedFaultCase(fault: $0, testDescription: "\(type): \($0)") }
    }
}
