import SeededRandom
import Testing

@testable import FlatCacheStore

@Suite struct CrashTests {
    /// Runs the steps of the sweep up to a crash at a call.
    ///
    /// - Returns: The history, or `nil` if the steps have fewer calls.
    private func history(crashingAtCall call: Int, _ sync: FileStore.SyncPolicy) throws -> StoreHistory? {
        var history = StoreHistory(sync: sync)
        history.system.fault = .crash(atCall: call)
        do {
            for step in Step.sweep {
                try history.run(step)
                if history.system.calls > call { return history }
            }
            return nil
        } catch is SimulatedFileSystem.Crash {
            return history
        }
    }

    @Test(
        "D1: After a crash at any call, a prefix of the batches is there with all that was acknowledged",
        arguments: [FileStore.SyncPolicy.onFlush, .eachBatch]
    )
    func everyCall(sync: FileStore.SyncPolicy) throws {
        var random = SeededGenerator(seed: 1)
        var call = 0
        while let history = try history(crashingAtCall: call, sync) {
            for number in 0..<Extent.count(5, full: 100) {
                let survival = number < 2 ? [.nothing, .everything][number] : SimulatedFileSystem.Survival.random
                var copy = history
                try copy.crash(survival, &random)
                // The store goes on, and what it writes then survives.
                try copy.run(.write([StoreBatch.Part(posts, ["new": "\(call)"])]))
                try copy.run(.flush)
                try copy.crash(.nothing, &random)
            }
            call += 1
        }
        #expect(call > 100)
    }

    @Test("D1: After a crash at any call of opening after a crash, nothing more is missing")
    func openingAfterCrash() throws {
        var random = SeededGenerator(seed: 2)
        var call = 0
        while let history = try history(crashingAtCall: call, .onFlush) {
            for opening in stride(from: 0, to: 30, by: Extent.count(3, full: 1)) {
                var copy = history
                try copy.crashWhileOpening(atCall: opening, .random, &random)
            }
            call += Extent.count(3, full: 1)
        }
    }

    @Test("D1: Frames of two batches that were written to the same place are never one batch")
    func mixedFrames() throws {
        let empty = SimulatedFileSystem()
        try withStore(FileStore(empty)) { _ in }
        func log(_ digit: String) throws -> (name: String, bytes: [UInt8]) {
            let system = SimulatedFileSystem(empty.files)
            let store = FileStore(system)
            try store.open(.readWrite)
            let value = String(repeating: digit, count: 200)
            // Two frames of the same size.
            try store.write(StoreBatch.Part(posts, ["1": value]), StoreBatch.Part(feeds, ["1": value]))
            return try #require(system.lastLog)
        }
        let (name, first) = try log("1")
        let second = try log("2").bytes
        try #require(first.count == second.count && first.count > 500)
        // The first frame of one attempt, the last one of the other, as after a crash that lost writes in between.
        let frame = LogHeader.size + (first.count - LogHeader.size) / 2
        let mixed = SimulatedFileSystem(empty.files.merging([name: Array(first[..<frame] + second[frame...])]) { $1 })
        try expectRecords([:], in: mixed)
    }

    @Test(
        "D1: Random sequences of writes, flushes, crashes, compactions and erasures keep a prefix of the batches",
        arguments: Seeds.first(150, full: 3000, orAsIn: "FLATCACHE_SEQUENCES")
    )
    func sequences(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var history = StoreHistory(
            sync: random.below(4) == 0 ? .eachBatch : .onFlush,
            sealing: random.below(4) == 0 ? .toy(key: 7) : nil
        )
        try history.run(.open)
        for _ in 0..<60 {
            do {
                history.system.fault = nil
                if random.below(8) == 0 {
                    history.system.fault = .crash(atCall: history.system.calls + random.below(25))
                }
                try history.runRandomSteps(&random)
            } catch is SimulatedFileSystem.Crash {
                try history.crash(random.pick(from: SimulatedFileSystem.Survival.allCases), &random)
            } catch {
                Issue.record("seed \(seed): \(error)\n\(history.log)")
                return
            }
            let found = try history.found
            guard found == history.current else {
                Issue.record("seed \(seed): found \(found.summary)\n\(history.log)")
                return
            }
        }
    }
}

extension StoreHistory {
    fileprivate mutating func runRandomSteps(_ random: inout SeededGenerator) throws {
        switch random.below(16) {
        case 0: try run(.compact)
        case 1...3: try run(.flush)
        case 4:
            try run(.close)
            try run(.open)
        case 5 where random.below(3) == 0: try run(.erase)
        case 6:
            try run(.suspend)
            try run(.resume)
        default: try run(.randomWrite(&random))
        }
    }
}
