import FlatCache

enum StoreError: Error { case authorIsMissing }

struct Message {
    let posts: [Post]
}

struct Row {
    let title: String?
    let author: String?
}

var message: Message { leftOut() }

func upload(_ changes: TypeChanges<Post>) {}
