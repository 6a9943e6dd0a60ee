import SeededRandom
import Testing

/// One row of the table of planted faults.
struct PlantedFaultCase: Sendable, CustomTestStringConvertible {
    let fault: any PlantedFault
    let testDescription: String

    /// Every planted fault of every search, or every fourth.
    static let tried = Extent.isFull ? all : all.enumerated().filter { $0.offset % 4 == 0 }.map(\.element)

    private static let all: [PlantedFaultCase] = {
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
