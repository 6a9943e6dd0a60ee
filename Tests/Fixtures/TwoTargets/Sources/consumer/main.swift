import Blog
import FlatCache
import Names
import People

let cache = FlatCache.current
let post = Post(id: "1", authorID: 7, editorIDs: [8, 9])
cache.set(post)
cache.set(contentsOf: [Person(id: 7, name: "Ada"), Person(id: 8, name: "Bob")])
let handle = Cached(Post.self, id: "1")
print(try post.require(\.author).name, handle.editors.map(\.name), handle.reader?.name ?? "nobody", countNames())
do {
    print(try handle.require(\.editors).count)
} catch {
    print(error)
}
try handle.set(\.reader, to: Person(id: 7, name: "Countess"))
print(handle.reader?.name ?? "nobody")
_ = Post.relationships.author
