import Testing

/// The checker finds out a cache that breaks its promises.
@Suite("Histories: planted faults")
struct PlantedFaultTests {
    private let shape = HistoryProgram.Shape(kinds: [.single, .single, .several, .transaction, .transaction, .read])

    @Test("S1, S2, S3, N2: Each planted fault is found out", arguments: FaultyCache.Fault.allCases)
    func isFoundOut(_ fault: FaultyCache.Fault) async {
        let recorder = HistoryRecorder { FaultyCache(fault) }
        // Most are found within ten rounds; this ends with the first.
        let seeds = (0..<5_000).map { UInt64($0) }
        #expect(await recorder.firstComplaint(seeds, shape) != nil)
    }

    @Test("A cache without a fault is not accused")
    func withoutFault() async {
        let complaint = await HistoryRecorder { FaultyCache(nil) }.firstComplaint(HistorySettings.seeds(300), shape)
        #expect(complaint == nil, "\(complaint ?? "")")
    }
}
