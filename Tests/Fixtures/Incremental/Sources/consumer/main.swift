import FlatCache
import Models

let post = Post()
FlatCache.shared.set(Author(id: "7"))
print(post.authorID)
