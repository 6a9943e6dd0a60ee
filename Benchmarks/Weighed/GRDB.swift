import GRDB

let queue = try DatabaseQueue()

struct Post: Codable, Equatable, FetchableRecord, PersistableRecord {
    let id: String
    var title: String
    var likes: Int
}

func createPost() throws {
    try queue.write { database in
        try database.create(table: Post.databaseTableName) { table in
            table.primaryKey("id", .text)
            table.column("title", .text).notNull()
            table.column("likes", .integer).notNull()
        }
    }
}

func setPost() throws {
    try queue.write { try Post(id: "1", title: "a", likes: 1).save($0) }
}

func getPost() throws {
    print(try queue.read { try Post.fetchOne($0, key: "1") }?.title ?? "")
}

func updatePost() throws {
    try queue.write { database in
        guard var post = try Post.fetchOne(database, key: "1") else { return }
        post.likes += 1
        try post.update(database)
    }
}

func removePost() throws {
    _ = try queue.write { try Post.deleteOne($0, key: "1") }
}

func observePost() {
    let observation = ValueObservation.tracking { try Post.fetchOne($0, key: "1") }
    let subscription = observation.start(in: queue, scheduling: .async(onQueue: .main)) {
        print($0)
    } onChange: {
        print($0?.title ?? "")
    }
    subscription.cancel()
}

func batchPost() throws {
    let posts = [Post(id: "1", title: "a", likes: 1)]
    try queue.write { database in
        for post in posts { try post.save(database) }
    }
}

func transactionPost() throws {
    try queue.inTransaction { database in
        try Post(id: "1", title: "a", likes: 1).save(database)
        return .commit
    }
}

func queryPost() throws {
    let request = Post.filter(Column("likes") == 1).order(Column("title"))
    let found = try queue.read { try request.fetchAll($0) }
    print(found.count)
}
