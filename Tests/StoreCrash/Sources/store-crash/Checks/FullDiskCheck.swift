import FlatCache
import FlatCacheStore
import Foundation
import SeededRandom

/// Uses a store on a small volume that becomes full: `folder` is its root.
struct FullDiskCheck {
    let options: Options

    private var folder: URL { options.folder.appending(path: "store", directoryHint: .isDirectory) }

    func run() async throws {
        let begin = ContinuousClock.now
        do {
            var book = Book()
            for _ in 0..<3 { book = try await recover(from: book) }
            for round in 0..<options.count { book = try await kill(round, from: book) }
            print(
                """
                seed \(options.seed): 3 recoveries and \(options.count) kills up to step \(book.step), \
                in \((ContinuousClock.now - begin).components.seconds) s
                """
            )
        } catch {
            throw Failure("full-disk --seed \(options.seed): \(error)")
        }
    }

    /// Goes on in memory while the disk is full, and writes everything when it isn't any more.
    private func recover(from book: Book) async throws -> Book {
        let (writes, continuation) = AsyncStream.makeStream(of: ContinuousClock.Instant.self)
        let bank = try await Bank(at: folder, options.ledger, book) { operation, moment in
            if operation == .write, moment == .end { continuation.yield(.now) }
        }
        bank.makeSteps(40)
        try await bank.cache.flush()
        let acknowledged = try bank.check().step

        let disk = try FullDisk(options.folder)
        try await expectNoSpace(.write) {
            // Some more fits into the last block.
            for _ in 0..<1_000 {
                bank.makeSteps(10)
                try await bank.cache.flush()
            }
        }
        bank.makeSteps(40)
        // The next write is begun by a timer, so its error goes to the handler.
        guard let reported = await bank.errors.next() else { throw Failure("no error is reported") }
        try await expectNoSpace(.write) { throw reported }
        try expectNoSpaceForCompaction(of: bank)
        bank.errors.removeAll()
        let last = try bank.check(least: acknowledged + 50).step
        let reader = try await Bank(at: folder, options.ledger, access: .readOnly)
        try reader.check(least: acknowledged)

        let freed = ContinuousClock.now
        disk.free()
        // No call and no commit makes the store try again.
        _ = await writes.first { $0 > freed }
        bank.errors.removeAll()
        try await reader.cache.store?.refresh()
        try reader.check(least: last)
        try bank.store.store.compact()
        try await bank.close()
        return try bank.check()
    }

    private func expectNoSpace(_ operation: StoreError.Operation, _ body: () async throws -> Void) async throws {
        do {
            try await body()
        } catch StoreError.failed(operation, FileStoreError.failed(_, _, ENOSPC)) {
            return
        }
        throw Failure("a full disk is no error of '\(operation)'")
    }

    private func expectNoSpaceForCompaction(of bank: Bank) throws {
        do {
            try bank.store.store.compact()
        } catch FileStoreError.failed(_, _, ENOSPC) {
            return
        }
        throw Failure("a store can be compacted on a full disk")
    }

    /// Kills a process that writes to the disk while it is full, and checks what the store has, before and after the space
    /// is freed.
    private func kill(_ round: Int, from book: Book) async throws -> Book {
        var generator = SeededGenerator(seed: options.seed, stream: round)
        let writer = try ChildProcess([
            "writer", "--folder", folder.path, "--seed", "\(options.seed)", "--round", "\(round)",
            "--tolerates-errors", "yes",
        ])
        try KillMoment.afterOpening(.milliseconds(generator.below(50))).wait(for: writer)
        let disk = try FullDisk(options.folder)
        try KillMoment.during(.write, count: 1, .milliseconds(generator.below(50))).wait(for: writer)
        try writer.kill()
        let seen = try await Bank(at: folder, options.ledger, book, access: .readOnly).check(least: writer.acknowledged)
        do {
            let bank = try await Bank(at: folder, options.ledger, seen)
            try bank.check()
            try await bank.cache.store?.close()
        } catch StoreError.failed(_, FileStoreError.failed(_, _, ENOSPC)) {
            // It can't be opened for writing.
        }
        disk.free()
        let bank = try await Bank(at: folder, options.ledger, seen)
        try bank.check(least: seen.step)
        bank.makeSteps(10)
        try await bank.close()
        return try bank.check()
    }
}
