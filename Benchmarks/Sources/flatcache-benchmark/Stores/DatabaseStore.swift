#if DATABASE
import GRDB

/// SQLite in memory through GRDB, with statements that are prepared once.
final class DatabaseStore: SynchronousStore {
    static let name = "GRDB"
    static let largestSample = 5_000
    private let queue: DatabaseQueue

    init() {
        queue = succeed {
            let queue = try DatabaseQueue()
            try queue.write { database in
                try database.execute(
                    sql: """
                        CREATE TABLE post (
                            id TEXT NOT NULL PRIMARY KEY, title TEXT NOT NULL, text TEXT NOT NULL,
                            authorID TEXT NOT NULL, likes INTEGER NOT NULL, replies INTEGER NOT NULL,
                            reposts INTEGER NOT NULL, views INTEGER NOT NULL
                        ) WITHOUT ROWID
                        """
                )
            }
            return queue
        }
    }

    func get(_ id: String) -> Post? {
        succeed {
            try queue.read { database in
                let statement = try database.cachedStatement(sql: "SELECT * FROM post WHERE id = ?")
                return try Post.fetchOne(statement, arguments: [id])
            }
        }
    }

    func set(_ post: Post) {
        succeed { try queue.write { try Self.insert(post, into: $0) } }
    }

    func set(contentsOf posts: ArraySlice<Post>) {
        succeed {
            try queue.write { database in
                for post in posts { try Self.insert(post, into: database) }
            }
        }
    }

    func like(_ id: String) {
        succeed {
            try queue.write { database in
                try database.cachedStatement(sql: "UPDATE post SET likes = likes + 1 WHERE id = ?")
                    .execute(arguments: [id])
            }
        }
    }

    func remove(_ id: String) {
        succeed {
            try queue.write { database in
                try database.cachedStatement(sql: "DELETE FROM post WHERE id = ?").execute(arguments: [id])
            }
        }
    }

    /// Creates an index of the posts by their likes.
    func indexLikes() { succeed { try queue.write { try $0.execute(sql: "CREATE INDEX byLikes ON post(likes)") } } }

    /// The posts that a query finds.
    func posts(_ sql: String) -> [Post] {
        succeed { try queue.read { try Post.fetchAll($0.cachedStatement(sql: sql)) } }
    }

    /// Calls a closure with the posts that have -1 views, sorted by their likes, after each transaction that changes them.
    ///
    /// - Returns: What ends the observation when it is released.
    func observeMarked(_ onChange: @escaping @Sendable ([Post]) -> Void) -> AnyDatabaseCancellable {
        succeed { try queue.write { try $0.execute(sql: "CREATE INDEX IF NOT EXISTS byViews ON post(views)") } }
        let request = SQLRequest<Post>(sql: "SELECT * FROM post WHERE views = -1 ORDER BY likes", cached: true)
        return DatabaseRegionObservation(tracking: request).start(in: queue) {
            fatalError("The database failed: \($0)")
        } onChange: { database in
            onChange(succeed { try request.fetchAll(database) })
        }
    }

    private static func insert(_ post: Post, into database: Database) throws {
        try database.cachedStatement(sql: "INSERT OR REPLACE INTO post VALUES (?, ?, ?, ?, ?, ?, ?, ?)").execute(
            arguments: [
                post.id, post.title, post.text, post.authorID, post.likes, post.replies, post.reposts, post.views,
            ]
        )
    }
}

extension Post: FetchableRecord {
    init(row: Row) throws {
        // By position, which is faster than by name.
        id = row[0]
        title = row[1]
        text = row[2]
        authorID = row[3]
        likes = row[4]
        replies = row[5]
        reposts = row[6]
        views = row[7]
    }
}
#endif
