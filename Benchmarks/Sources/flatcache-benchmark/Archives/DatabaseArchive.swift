#if DATABASE
import FlatCache
import Foundation
import GRDB

/// A table of SQLite whose rows are read by position, as one writes it by hand for speed.
struct RowArchive: Archive {
    static let name = "GRDB rows"
    private let table: MessageTable

    init(of messages: [Message], in folder: URL) throws {
        table = try MessageTable(of: messages, in: folder)
    }

    func restoredCache() throws -> FlatCache {
        try table.restoredCache { database in
            let rows = try Row.fetchCursor(database, sql: "SELECT * FROM message")
            return try Array(rows.map { Message(columns: $0) })
        }
    }
}

/// The same table, whose rows are decoded by the `Codable` conformance, as GRDB does it without further code.
struct RecordArchive: Archive {
    static let name = "GRDB Codable"
    static let hasOwnFormat = false
    private let table: MessageTable

    init(of messages: [Message], in folder: URL) throws {
        table = try MessageTable(of: messages, in: folder)
    }

    func restoredCache() throws -> FlatCache {
        try table.restoredCache { try Message.fetchAll($0) }
    }
}

/// A database in a file, with one table.
private struct MessageTable {
    private let path: String

    init(of messages: [Message], in folder: URL) throws {
        path = folder.appending(path: "messages.sqlite").path
        let queue = try DatabaseQueue(path: path)
        try queue.write { database in
            try database.execute(
                sql: """
                    CREATE TABLE message (
                        id TEXT NOT NULL PRIMARY KEY, createdAt TEXT NOT NULL, text TEXT NOT NULL,
                        warning TEXT NOT NULL, visibility TEXT NOT NULL, uri TEXT NOT NULL, page TEXT NOT NULL,
                        replies INTEGER NOT NULL, shares INTEGER NOT NULL, likes INTEGER NOT NULL,
                        isSensitive BOOLEAN NOT NULL, language TEXT, isLiked BOOLEAN, isShared BOOLEAN,
                        isMuted BOOLEAN, isPinned BOOLEAN, senderID TEXT NOT NULL
                    ) WITHOUT ROWID
                    """
            )
            for message in messages { try message.insert(database) }
        }
        try queue.close()
    }

    func restoredCache(_ read: (Database) throws -> [Message]) throws -> FlatCache {
        let cache = FlatCache()
        let queue = try DatabaseQueue(path: path)
        cache.set(contentsOf: try queue.read(read))
        try queue.close()
        return cache
    }
}

extension Message: FetchableRecord, PersistableRecord {
    fileprivate init(columns row: Row) {
        id = row[0]
        createdAt = row[1]
        text = row[2]
        warning = row[3]
        visibility = row[4]
        uri = row[5]
        page = row[6]
        replies = row[7]
        shares = row[8]
        likes = row[9]
        isSensitive = row[10]
        language = row[11]
        isLiked = row[12]
        isShared = row[13]
        isMuted = row[14]
        isPinned = row[15]
        senderID = row[16]
    }
}
#endif
