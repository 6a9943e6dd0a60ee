import FlatCacheStore
import Foundation
import GRDB

/// The table of all records.
///
/// A record that is written again gets a new row with a higher `position`, so this is the order of the last writes.
///
/// Names of types are data, because GRDB ends texts at a zero.
enum RecordTable {
    /// The number of bytes after which records are passed on.
    private static let partSize = 1 << 20

    static func create(in database: Database) throws {
        try database.execute(
            sql: """
                CREATE TABLE IF NOT EXISTS record (
                    position INTEGER PRIMARY KEY,
                    type BLOB NOT NULL,
                    kind INTEGER NOT NULL,
                    key BLOB NOT NULL,
                    value BLOB NOT NULL,
                    UNIQUE (type, kind, key)
                );
                CREATE INDEX IF NOT EXISTS recordsOfGroup ON record (type, kind, position);
                """
        )
    }

    // MARK: - Reading

    static func counts(in database: Database) throws -> [RecordGroup: Int] {
        var counts: [RecordGroup: Int] = [:]
        let rows = try Row.fetchCursor(database, sql: "SELECT type, kind, count(*) FROM record GROUP BY type, kind")
        while let row = try rows.next() {
            guard let kind = RecordGroup.Kind(rawValue: row[1]) else { continue }
            counts[RecordGroup(kind, of: String(decoding: row[0] as Data, as: UTF8.self))] = row[2]
        }
        return counts
    }

    /// Calls a closure with the records of a group, in parts.
    static func read(
        _ group: RecordGroup,
        from database: Database,
        _ body: ([StoredRecord]) throws -> Void
    ) throws {
        let rows = try Row.fetchCursor(
            database.cachedStatement(
                sql: "SELECT key, value FROM record WHERE type = ? AND kind = ? ORDER BY position"
            ),
            arguments: [group.typeData, group.kind.rawValue]
        )
        var records: [StoredRecord] = []
        var size = 0
        while let row = try rows.next() {
            let record = StoredRecord(key: try row.bytes(at: 0), value: try row.bytes(at: 1))
            records.append(record)
            size += record.key.count + record.value.count
            if size >= partSize {
                try body(records)
                records = []
                size = 0
            }
        }
        if !records.isEmpty { try body(records) }
    }

    static func records(
        of keys: [ArraySlice<UInt8>],
        in group: RecordGroup,
        from database: Database
    ) throws -> [StoredRecord] {
        let statement = try database.cachedStatement(
            sql: "SELECT value FROM record WHERE type = ? AND kind = ? AND key = ?"
        )
        let type = group.typeData
        return try keys.compactMap { key in
            let rows = try Row.fetchCursor(statement, arguments: [type, group.kind.rawValue, Data(key)])
            return try rows.next().map { StoredRecord(key: key, value: try $0.bytes(at: 0)) }
        }
    }

    static func size(in database: Database) throws -> StoreSize {
        func number(_ pragma: String) throws -> Int { try Int.fetchOne(database, sql: "PRAGMA \(pragma)") ?? 0 }
        let pageSize = try number("page_size")
        return StoreSize(
            bytes: try number("page_count") * pageSize,
            unusedBytes: try number("freelist_count") * pageSize
        )
    }

    // MARK: - Writing

    static func write(_ batch: StoreBatch, to database: Database) throws {
        let removeAll = try database.cachedStatement(sql: "DELETE FROM record WHERE type = ? AND kind = ?")
        let remove = try database.cachedStatement(sql: "DELETE FROM record WHERE type = ? AND kind = ? AND key = ?")
        let put = try database.cachedStatement(
            sql: "INSERT OR REPLACE INTO record (type, kind, key, value) VALUES (?, ?, ?, ?)"
        )
        for part in batch {
            let (type, kind) = (part.group.typeData, part.group.kind.rawValue)
            if part.removesAll { try removeAll.execute(arguments: [type, kind]) }
            for change in part.changes {
                if let value = change.value {
                    try put.execute(arguments: [type, kind, Data(change.key), Data(value)])
                } else {
                    try remove.execute(arguments: [type, kind, Data(change.key)])
                }
            }
        }
    }

    static func erase(in database: Database) throws {
        try database.execute(sql: "DELETE FROM record")
    }
}

extension RecordGroup {
    /// The name of the type, as data that is equal if the names are equal as strings.
    fileprivate var typeData: Data { Data(type.precomposedStringWithCanonicalMapping.utf8) }
}

extension Row {
    fileprivate func bytes(at index: Int) throws -> ArraySlice<UInt8> {
        try withUnsafeData(atIndex: index) { $0.map { [UInt8]($0)[...] } ?? [] }
    }
}
