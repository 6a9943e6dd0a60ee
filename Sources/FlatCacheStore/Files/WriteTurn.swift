import Foundation

/// Lets one thread after the other write, in the order in which they come.
///
/// It isn't a lock, because closures of users run in a turn: a thread that wants a second turn gets an error.
final class WriteTurn: @unchecked Sendable {  // The condition guards the variable.
    private let condition = NSCondition()
    private var owner: ObjectIdentifier?
    /// The numbers of the turn that is next or runs, and of the next thread that comes.
    private var (current, next) = (0, 0)

    /// The number of threads that have their turn or wait for it.
    var threadCount: Int {
        condition.lock()
        defer { condition.unlock() }
        return next - current
    }

    /// Runs a body when no other thread has its turn.
    ///
    /// - Throws: The error of the body, or that of ``requireNone(in:)``.
    func take<Result>(in folder: StoreFolder, _ body: () throws -> Result) throws -> Result {
        try requireNone(in: folder)
        condition.lock()
        let number = next
        next += 1
        while current != number { condition.wait() }
        owner = ObjectIdentifier(Thread.current)
        condition.unlock()
        defer {
            condition.lock()
            owner = nil
            current += 1
            // Only one of those that wait is next.
            condition.broadcast()
            condition.unlock()
        }
        return try body()
    }

    /// Throws an error if the calling thread has its turn, because it would wait for itself.
    func requireNone(in folder: StoreFolder) throws {
        condition.lock()
        defer { condition.unlock() }
        if owner == ObjectIdentifier(Thread.current) { throw FileStoreError.writing(folder: folder.path) }
    }
}
