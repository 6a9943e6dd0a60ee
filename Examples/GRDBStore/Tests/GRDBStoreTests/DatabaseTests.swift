import FlatCacheStore
import Foundation
import GRDB
import Testing

@testable import GRDBStore

/// What the checks for all stores can't find out.
@Suite struct DatabaseTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)

    @Test("Each transaction is synced before a write returns")
    func writesAreSynced() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let connection = try Connection.writing(in: folder)
        defer { connection.close() }
        let (journal, synchronous) = try connection.database.read { database in
            (
                try String.fetchOne(database, sql: "PRAGMA journal_mode"),
                try Int.fetchOne(database, sql: "PRAGMA synchronous")
            )
        }
        #expect(journal == "wal")
        // 2 is FULL, and 1 is NORMAL, which doesn't sync transactions.
        #expect(synchronous == 2)
    }

    @Test("A read by position needs no sorting, and a read of keys no search")
    func indexesAreUsed() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let connection = try Connection.writing(in: folder)
        defer { connection.close() }
        func plan(_ query: String) throws -> String {
            let rows = try connection.database.read { try Row.fetchAll($0, sql: "EXPLAIN QUERY PLAN \(query)") }
            return rows.map { $0["detail"] }.joined(separator: "; ")
        }
        let read = try plan("SELECT key, value FROM record WHERE type = x'' AND kind = 1 ORDER BY position")
        #expect(read == "SEARCH record USING INDEX recordsOfGroup (type=? AND kind=?)")
        let keys = try plan("SELECT value FROM record WHERE type = x'' AND kind = 1 AND key = x''")
        #expect(keys == "SEARCH record USING INDEX sqlite_autoindex_record_1 (type=? AND kind=? AND key=?)")
    }

    @Test("An error names the folder and the remedy")
    func errorsAreDescribed() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = GRDBStore(at: folder)
        let missing = #expect(throws: GRDBStoreError.self) { try store.open(.readOnly) }
        #expect(
            missing?.description
                == "There is no store in '\(folder.path)'. Open it with '.readWrite' once to create it"
        )
        try store.open(.readWrite)
        let other = GRDBStore(at: folder)
        let inUse = #expect(throws: GRDBStoreError.self) { try other.open(.readWrite) }
        #expect(
            inUse?.description
                == "Another store writes '\(folder.path)'. Close or suspend it, or open this one with '.readOnly'"
        )
    }
}
