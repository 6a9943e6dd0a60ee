import TestThreads
import Testing

@Suite("Planted faults", .mayBlock)
struct PlantedFaultTests {
    @Test("Each planted fault is found", .ends, arguments: PlantedFaultCase.tried)
    func isFound(_ planted: PlantedFaultCase) async throws {
        #expect(try await planted.fault.isFound())
    }

    @Test("The history of a cache without a fault raises no complaint")
    func withoutFault() async {
        let recorder = HistoryRecorder { FaultyCache(nil) }
        let complaint = await recorder.firstComplaint(HistorySettings.seeds(300), HistoryFault.shape)
        #expect(complaint == nil, "\(complaint ?? "")")
    }
}
