import FlatCacheStore
import Foundation
import SeededRandom

/// Kills a writing process at random moments, and checks what its store has then.
struct KillCheck {
    private let options: Options
    private var generator: SeededGenerator
    private var chapter = Chapter(number: 0)
    private var statistics = KillStatistics()

    /// A store from its creation on.
    private struct Chapter {
        let number: Int
        /// What the store had when it was checked last.
        var book = Book()
    }

    init(_ options: Options) {
        self.options = options
        generator = SeededGenerator(seed: options.seed)
    }

    private var folder: URL { options.folder.appending(path: "store-\(chapter.number)", directoryHint: .isDirectory) }
    /// The store as the last kill has left it.
    private var copy: URL { options.folder.appending(path: "killed", directoryHint: .isDirectory) }
    private var ledger: Ledger { Ledger(seed: options.seed * 1_000 + UInt64(chapter.number)) }

    mutating func run() async throws {
        let begin = ContinuousClock.now
        for round in 0..<options.count { try await run(round) }
        print("seed \(options.seed): \(statistics), in \((ContinuousClock.now - begin).components.seconds) s")
        try? FileManager.default.removeItem(at: options.folder)
    }

    private mutating func run(_ round: Int) async throws {
        let moment = KillMoment(&generator)
        let acknowledged: Int
        do {
            acknowledged = try kill(at: moment, in: round)
            try keepCopy()
        } catch {
            throw Failure("seed \(options.seed), round \(round), to be killed \(moment): \(error)\(replay(round))")
        }
        do {
            try await check(least: acknowledged, in: round)
        } catch {
            throw Failure(
                """
                seed \(options.seed), round \(round), killed \(moment): \(error)\(replay(round))
                The store as the kill has left it: \(copy.path)
                Check it again: store-crash check --folder \(copy.path) --seed \(ledger.seed) --least \(acknowledged)
                """
            )
        }
        if generator.below(12) == 0 {
            try? FileManager.default.removeItem(at: folder)
            chapter = Chapter(number: chapter.number + 1)
        }
    }

    private func replay(_ round: Int) -> String {
        "\nThe same kills, at about the same moments: .ci/store-kills \(round + 1) \(options.seed)"
    }

    /// Runs a process until it is killed.
    ///
    /// - Returns: The last step that it has acknowledged.
    private mutating func kill(at moment: KillMoment, in round: Int) throws -> Int {
        let process = try ChildProcess([
            "writer", "--folder", folder.path, "--seed", "\(ledger.seed)", "--round", "\(round)",
        ])
        let begin = ContinuousClock.now
        try moment.wait(for: process)
        try process.kill()
        statistics.add(process.running, ContinuousClock.now - begin)
        return process.acknowledged
    }

    private func keepCopy() throws {
        try? FileManager.default.removeItem(at: copy)
        if FileManager.default.fileExists(atPath: folder.path) {
            try FileManager.default.copyItem(at: folder, to: copy)
        }
    }

    private mutating func check(least: Int, in round: Int) async throws {
        let seen = try await checkReading(least: least)
        let settings = WriteSettings(round: round)
        let bank = try await Bank(at: folder, ledger, chapter.book, settings: settings)
        let found = try bank.check(least: max(least, seen))
        statistics.add(steps: found.step - chapter.book.step, bank.store.store.openingReport)
        // The store can be written, and the next process finds what is written.
        bank.makeSteps(1 + generator.below(20))
        try await bank.cache.flush()
        chapter.book = try bank.check(least: found.step + 1)
        try await bank.close()
    }

    /// Checks what a store has that doesn't write the folder, and so doesn't mend anything.
    ///
    /// - Returns: The step that it has seen.
    private func checkReading(least: Int) async throws -> Int {
        do {
            return try await Bank(at: folder, ledger, chapter.book, access: .readOnly).check(least: least).step
        } catch StoreError.failed(.open, FileStoreError.missing) where max(least, chapter.book.step) == 0 {
            // Killed before it has created the store.
            return 0
        }
    }
}
