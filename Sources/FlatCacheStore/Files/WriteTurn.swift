import Foundation

/// Lets one thread after the other write.
///
/// It isn't a lock, because closures of users run in a turn: a thread that wants a second turn gets an error.
final class WriteTurn: @unchecked Sendable {  // The condition guards the variable.
    private let condition = NSCondition()
    private var owner: ObjectIdentifier?

    /// Runs a body when no other thread has its turn.
    ///
    /// - Throws: The error of the body, or that of ``requireNone(in:)``.
    func take<Result>(in folder: StoreFolder, _ body: () throws -> Result) throws -> Result {
        try requireNone(in: folder)
        condition.lock()
        while owner != nil { condition.wait() }
        owner = ObjectIdentifier(Thread.current)
        condition.unlock()
        defer {
            condition.lock()
            owner = nil
            condition.signal()
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
