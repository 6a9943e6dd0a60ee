import FlatCache
import FlatCacheStore
import Foundation

/// A cache with a store in a folder, and what a correct store would have.
final class Bank {
    let ledger: Ledger
    let store: ObservedStore
    let cache: FlatCache
    let errors: ReportedErrors
    /// What the cache should have.
    private var book: Book

    /// Opens the store of a folder.
    ///
    /// - Parameters:
    ///   - folder: The folder.
    ///   - ledger: The steps of the store.
    ///   - book: A book of the steps that the store has at least.
    ///   - access: Whether it is written.
    ///   - settings: How it is written.
    ///   - observe: Receives the operations of the store.
    init(
        at folder: URL,
        _ ledger: Ledger,
        _ book: Book = Book(),
        access: StoreAccess = .readWrite,
        settings: WriteSettings = WriteSettings(round: 0),
        observe: @escaping @Sendable (Operation, ObservedStore.Moment) -> Void = { _, _ in }
    ) async throws(StoreError) {
        let sealing = FileStore.Sealing {
            $0.map { $0 ^ 0x5A }
        } open: {
            $0.map { $0 ^ 0x5A }
        }
        let files = FileStore(at: folder, sync: settings.sync, sealing: ledger.isSealed ? sealing : nil)
        let errors = ReportedErrors()
        self.ledger = ledger
        self.book = book
        self.errors = errors
        store = ObservedStore(files, observe)
        cache = try await FlatCache(
            store: store,
            for: Deposit.self,
            Loan.self,
            Note.self,
            Position.self,
            Visit.self,
            Ballast.self,
            access: access,
            writingAfter: settings.delay,
            onError: errors.add
        )
    }

    /// Makes steps, a commit each.
    func makeSteps(_ count: Int) { for _ in 0..<count { cache.makeNextStep(of: ledger) } }

    /// Checks that the cache has what it should have after the step at which it is.
    ///
    /// - Parameters:
    ///   - least: The step at which it is at least.
    /// - Returns: The book of the step.
    @discardableResult
    func check(least: Int = 0) throws -> Book {
        try errors.check()
        let found = Book(of: cache)
        let least = max(least, book.step)
        if found.step < least {
            throw Failure("step \(found.step) is the last one, but step \(least) was acknowledged")
        }
        if let problem = found.brokenInvariant {
            throw Failure("no prefix of the commits, at step \(found.step): \(problem)")
        }
        book.advance(to: found.step, of: ledger)
        if let problem = book.difference(to: found) { throw Failure("after step \(found.step), \(problem)") }
        return book
    }

    /// Writes everything and closes the store.
    func close() async throws {
        try await cache.store?.close()
        try errors.check()
    }
}

/// How a process writes: another way in each round.
struct WriteSettings {
    let sync: FileStore.SyncPolicy
    let delay: Duration
    /// How many threads commit.
    let threads: Int

    init(round: Int) {
        sync = [.onFlush, .eachBatch, .interval(.milliseconds(5))][round % 3]
        delay = .milliseconds([0, 1, 5, 20][round / 3 % 4])
        threads = 1 + round / 2 % 2
    }
}
