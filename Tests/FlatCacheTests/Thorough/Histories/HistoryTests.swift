import TestThreads
import Testing

/// What threads see of FlatCache, explained.
@Suite("Histories", .mayBlock)
struct HistoryTests {
    @Test("S1: Operations on one key are linearizable, and so are the notifications of its observer (N2)")
    func singleKeys() async {
        await check(500, .init(calls: 4...8, keys: Array(History.Key.all.prefix(2)), kinds: [.single]))
    }

    @Test("S1: Operations on single keys of two types are linearizable, key by key")
    func manyCallsOnSingleKeys() async {
        await expectNoComplaint(100, .init(calls: 30...60, kinds: [.single])) { round in
            round.history.keys.lazy.map { round.part(of: $0) }.compactMap(\.complaint).first
        }
    }

    @Test("S1, S5: Commits of many entities and reads of whole types are linearizable")
    func severalKeys() async {
        await check(500, .init(kinds: [.single, .single, .several]))
    }

    @Test("S2: Transactions over keys and types are single operations, nested and failed ones too")
    func transactions() async {
        await check(500, .init(kinds: [.single, .several, .transaction, .transaction]))
    }

    @Test("S3: Reads of several keys see one state, whatever commits meanwhile")
    func reads() async {
        await check(500, .init(kinds: [.single, .several, .transaction, .read, .read]))
    }

    private func check(_ rounds: Int, _ shape: HistoryProgram.Shape) async {
        await expectNoComplaint(rounds, shape, \.complaint)
    }

    private func expectNoComplaint(
        _ rounds: Int,
        _ shape: HistoryProgram.Shape,
        _ complaint: (RecordedRound) -> String?
    ) async {
        let recorder = HistoryRecorder { FlatCacheSubject() }
        if let complaint = await recorder.firstComplaint(HistorySettings.seeds(rounds), shape, complaint) {
            Issue.record("\(complaint)")
        }
    }
}
