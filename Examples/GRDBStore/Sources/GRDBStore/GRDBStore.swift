public import FlatCacheStore
public import Foundation
import GRDB
import Synchronization

/// A store that keeps its records in a table of an SQLite database.
///
///     let store = GRDBStore(at: folder)
///     let cache = try await FlatCache(store: store, for: Post.self, Author.self)
///
/// A batch is a transaction. The database syncs each transaction before ``write(_:)`` returns, so ``flush()`` has nothing to do.
///
/// One store writes a folder at a time. Others read it beside, in this process or another.
public final class GRDBStore: EntityStore {
    private let folder: URL
    private let connection = Mutex<Connection?>(nil)

    /// Creates a store, without accessing the folder.
    ///
    /// - Parameter folder: The folder, which ``open(_:)`` creates if necessary.
    public init(at folder: URL) {
        self.folder = folder
    }

    /// Opens the database, and creates it if it doesn't exist and the access is `readWrite`.
    ///
    /// - Parameter access: Whether records are written.
    /// - Throws: A ``GRDBStoreError``, or a `DatabaseError` of GRDB.
    public func open(_ access: StoreAccess) throws {
        try connection.withLock { connection in
            if connection != nil { throw GRDBStoreError.alreadyOpen(folder.path) }
            connection = try access == .readWrite ? .writing(in: folder) : .reading(in: folder)
        }
    }

    /// Closes the database.
    public func close() {
        connection.withLock { $0.take()?.close() }
    }

    /// Returns the groups that have records, with the number of their records.
    public func groups() throws -> [RecordGroup: Int] {
        try withDatabase(RecordTable.counts)
    }

    /// Calls a closure with all records of some groups, in parts, in the order in which they were written last.
    ///
    /// - Parameters:
    ///   - groups: The groups.
    ///   - body: A closure that is called with a group and some of its records. It must not call the store.
    public func read(_ groups: Set<RecordGroup>, _ body: (RecordGroup, [StoredRecord]) throws -> Void) throws {
        try withDatabase { database in
            for group in groups { try RecordTable.read(group, from: database) { try body(group, $0) } }
        }
    }

    /// Returns the records of some keys of a group, without those that don't exist.
    ///
    /// - Parameters:
    ///   - group: The group.
    ///   - keys: The keys.
    public func read(_ group: RecordGroup, keys: [ArraySlice<UInt8>]) throws -> [StoredRecord] {
        try withDatabase { try RecordTable.records(of: keys, in: group, from: $0) }
    }

    /// Writes a batch in a transaction, which is on the disk when this returns.
    ///
    /// - Parameter batch: The changes.
    public func write(_ batch: StoreBatch) throws {
        try withWriter { try $0.database.write { try RecordTable.write(batch, to: $0) } }
    }

    /// Does nothing, because the batches of ``write(_:)`` are on the disk already.
    public func flush() throws { try withWriter { _ in } }

    /// Removes all records.
    public func removeAll() throws {
        try withWriter { try $0.database.write(RecordTable.erase) }
    }

    /// The number of bytes of the database without its write-ahead log, and of those that are unused.
    public func size() throws -> StoreSize {
        try withDatabase(RecordTable.size)
    }
}

// MARK: - Several processes

extension GRDBStore {
    /// Lets reads find what another store has written since the last call.
    ///
    /// The write-ahead log of the database grows until all stores that are open for reading have been refreshed or closed.
    ///
    /// - Returns: `everything` if something was written, because the database doesn't tell what.
    public func refresh() throws -> StoreNews {
        try withConnection { $0.access == .readOnly ? try $0.beginReading() : .none }
    }

    /// Lets another store write, until ``resume()``.
    ///
    /// Reads find the same records meanwhile.
    public func suspend() throws {
        try withConnection { connection in
            guard connection.writerLock != nil else { return }
            _ = try connection.beginReading()
            connection.writerLock = nil
        }
    }

    /// Begins to write again after ``suspend()``.
    ///
    /// - Returns: `everything` if something was written meanwhile, because the database doesn't tell what.
    public func resume() throws -> StoreNews {
        try withConnection { connection in
            guard connection.access == .readWrite, connection.writerLock == nil else { return .none }
            let writerLock = try WriterLock(in: folder)
            let news = try connection.endReading()
            connection.writerLock = writerLock
            return news
        }
    }
}

// MARK: - The connection

extension GRDBStore {
    /// Calls a closure with the open database.
    private func withConnection<Result: Sendable>(_ body: (inout Connection) throws -> Result) throws -> Result {
        try connection.withLock { connection in
            guard var open = connection else { throw GRDBStoreError.notOpen(folder.path) }
            defer { connection = open }
            return try body(&open)
        }
    }

    /// Calls a closure that reads.
    private func withDatabase<Result: Sendable>(_ body: (Database) throws -> Result) throws -> Result {
        // Without a transaction: a store that doesn't write has one already, and the other has the only connection that writes.
        try withConnection { try $0.database.unsafeRead(body) }
    }

    /// Calls a closure that writes.
    private func withWriter<Result: Sendable>(_ body: (inout Connection) throws -> Result) throws -> Result {
        try withConnection { connection in
            guard connection.writerLock != nil else { throw GRDBStoreError.notWritable(folder.path) }
            return try body(&connection)
        }
    }
}
