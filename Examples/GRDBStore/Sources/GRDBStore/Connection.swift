import FlatCacheStore
import Foundation
import GRDB

/// The open database of a store.
struct Connection {
    let access: StoreAccess
    let database: DatabaseQueue
    /// The permission to write, which a store that is suspended or open for reading doesn't have.
    var writerLock: WriterLock?
    /// The version of the database that was seen last.
    private var version = 0

    /// Opens a database for writing, and creates it if it doesn't exist.
    static func writing(in folder: URL) throws -> Connection {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let writerLock = try WriterLock(in: folder)
        var configuration = sharedConfiguration
        // Readers and a writer don't wait for each other.
        configuration.journalMode = .wal
        let database = try DatabaseQueue(path: databaseFile(in: folder).path, configuration: configuration)
        try database.writeWithoutTransaction { database in
            // GRDB sets NORMAL, with which the last transactions are lost if the system crashes.
            try database.execute(sql: "PRAGMA synchronous = FULL; PRAGMA fullfsync = ON")
        }
        try database.write(RecordTable.create)
        var connection = Connection(access: .readWrite, database: database, writerLock: writerLock)
        _ = try connection.news()
        return connection
    }

    /// Opens a database for reading.
    static func reading(in folder: URL) throws -> Connection {
        let file = databaseFile(in: folder)
        if !FileManager.default.fileExists(atPath: file.path) { throw GRDBStoreError.missing(folder.path) }
        var configuration = sharedConfiguration
        configuration.readonly = true
        let database = try DatabaseQueue(path: file.path, configuration: configuration)
        var connection = Connection(access: .readOnly, database: database)
        _ = try connection.beginReading()
        return connection
    }

    private init(access: StoreAccess, database: DatabaseQueue, writerLock: WriterLock? = nil) {
        self.access = access
        self.database = database
        self.writerLock = writerLock
    }

    private static var sharedConfiguration: Configuration {
        var configuration = Configuration()
        // A transaction lasts from one refresh to the next, so that all reads find the same records.
        configuration.allowsUnsafeTransactions = true
        // Only for the moment in which a store is opened or closed.
        configuration.busyMode = .timeout(5)
        return configuration
    }

    private static func databaseFile(in folder: URL) -> URL { folder.appending(path: "records.sqlite") }

    /// Begins a transaction that sees the newest records, and ends the one before.
    mutating func beginReading() throws -> StoreNews {
        try database.unsafeRead { database in
            if database.isInsideTransaction { try database.rollback() }
            try database.beginTransaction(.deferred)
            // The first read determines what a transaction sees.
            _ = try Row.fetchOne(database, sql: "SELECT 1 FROM record LIMIT 1")
        }
        return try news()
    }

    /// Ends the transaction of ``beginReading()``.
    mutating func endReading() throws -> StoreNews {
        try database.unsafeRead { if $0.isInsideTransaction { try $0.rollback() } }
        return try news()
    }

    /// Returns whether another connection has written since the last call.
    private mutating func news() throws -> StoreNews {
        let newVersion = try database.unsafeRead { try Int.fetchOne($0, sql: "PRAGMA data_version") ?? 0 }
        defer { version = newVersion }
        return newVersion == version ? .none : .everything
    }

    func close() {
        // It fails only while a statement runs, and the database is closed with its last reference then.
        try? database.close()
    }
}

/// The permission to write a folder, which one store has at a time.
///
/// It is a transaction that excludes all others on a database without content. SQLite holds it with a lock of the system, which
/// is released if the process dies, and distinguishes the connections of one process.
final class WriterLock: Sendable {
    private let database: DatabaseQueue

    /// Takes the permission.
    ///
    /// - Throws: ``GRDBStoreError/inUse(_:)`` immediately if another store has it.
    init(in folder: URL) throws {
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        configuration.busyMode = .immediateError
        let path = folder.appending(path: "writer.lock").path
        do {
            database = try DatabaseQueue(path: path, configuration: configuration)
            try database.writeWithoutTransaction { try $0.beginTransaction(.exclusive) }
        } catch DatabaseError.SQLITE_BUSY {
            throw GRDBStoreError.inUse(folder.path)
        }
    }

    deinit { try? database.close() }
}
