import Foundation
import SeededRandom
import Testing

@testable import FlatCacheStore

@Suite struct SyncPolicyTests {
    @Test("D1: With 'eachBatch' a batch survives a crash when its write has returned, with 'onFlush' after a flush")
    func policies() throws {
        var random = SeededGenerator(seed: 1)
        for (sync, survives) in [(FileStore.SyncPolicy.eachBatch, true), (.onFlush, false)] {
            let system = SimulatedFileSystem()
            let store = FileStore(system, sync: sync)
            try store.open(.readWrite)
            try store.set("1", "one")
            try expectRecords(survives ? [posts: ["1": "one"]] : [:], in: system.afterCrash(.nothing, &random))
            try store.flush()
            try expectRecords([posts: ["1": "one"]], in: system.afterCrash(.nothing, &random))
        }
    }

    @Test("D1: With 'interval' batches are synced in the background", .timeLimit(.minutes(30)))
    func interval() async throws {
        let system = SimulatedFileSystem()
        let store = FileStore(system, sync: .interval(.milliseconds(1)))
        try store.open(.readWrite)
        for value in ["one", "two"] {
            let (synced, signal) = AsyncStream.makeStream(of: Void.self)
            system.onSync = { signal.yield() }
            try store.set("1", value)
            for await _ in synced { break }
            var random = SeededGenerator(seed: 1)
            try expectRecords([posts: ["1": value]], in: system.afterCrash(.nothing, &random))
        }
        #expect(store.backgroundError == nil)
    }

    @Test(
        "D3: A failure of a sync in the background is reported, and the next flush catches up",
        .timeLimit(.minutes(30))
    )
    func failingInterval() async throws {
        let system = SimulatedFileSystem()
        let store = FileStore(system, sync: .interval(.milliseconds(1)))
        try store.open(.readWrite)
        // The write is the next call, and the sync the one after it.
        system.fault = .failure(atCall: system.calls + 1, EIO)
        try store.set("1", "one")
        while store.backgroundError == nil { await Task.yield() }
        try store.flush()
        var random = SeededGenerator(seed: 1)
        try expectRecords([posts: ["1": "one"]], in: system.afterCrash(.nothing, &random))
    }

    @Test("A proof that everything was synced is written once")
    func proof() throws {
        let system = SimulatedFileSystem()
        try withStore(FileStore(system)) { try $0.set("1", "one") }
        let files = system.files
        for _ in 0..<3 { try withStore(FileStore(system)) { _ in } }
        #expect(system.files == files)
    }
}
