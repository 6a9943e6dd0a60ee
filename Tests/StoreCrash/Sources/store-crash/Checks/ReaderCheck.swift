import FlatCacheStore
import Foundation

/// Reads a store while another process writes and compacts it.
struct ReaderCheck {
    let options: Options

    func run() async throws {
        let begin = ContinuousClock.now
        let writer = try ChildProcess([
            "writer", "--folder", options.folder.path, "--seed", "\(options.seed)", "--round", "\(options.round)",
        ])
        do {
            let refreshes = try await read(besides: writer)
            // The kernel has released the lock.
            try writer.kill()
            let bank = try await Bank(at: options.folder, options.ledger)
            let last = try bank.check(least: writer.acknowledged)
            bank.makeSteps(1)
            try await bank.close()
            print(
                """
                seed \(options.seed): \(refreshes) refreshes and \(writer.compactions) compactions up to step \(last.step), \
                in \((ContinuousClock.now - begin).components.seconds) s
                """
            )
        } catch {
            try? writer.kill()
            throw Failure("readers --seed \(options.seed): \(error)\nThe store: \(options.folder.path)")
        }
        try? FileManager.default.removeItem(at: options.folder)
    }

    /// Refreshes until it was often enough, and beside compactions.
    ///
    /// - Returns: The number of refreshes.
    private func read(besides writer: ChildProcess) async throws -> Int {
        try writer.wait { if case .opened = $0 { true } else { false } }
        var reader = try await Bank(at: options.folder, options.ledger, access: .readOnly)
        var book = try reader.check()
        var refreshes = 0
        while refreshes < options.count || writer.compactions < options.count / 30 {
            try writer.wait { $0 == .ended(.write) }
            while try writer.next(until: .now) != nil {}
            if refreshes % 20 == 19 {
                try await refuseSecondWriter()
                reader = try await Bank(at: options.folder, options.ledger, book, access: .readOnly)
            } else {
                try await reader.cache.store?.refresh()
            }
            book = try reader.check(least: writer.acknowledged)
            refreshes += 1
        }
        return refreshes
    }

    private func refuseSecondWriter() async throws {
        do {
            _ = try await Bank(at: options.folder, options.ledger)
        } catch StoreError.failed(.open, FileStoreError.inUse) {
            return
        }
        throw Failure("a second process could open the store for writing")
    }
}
