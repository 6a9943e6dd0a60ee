import FlatCache
import Synchronization

struct Post: Cachable, Equatable {
    let id: String
    var title: String
    var body: String
    var authorID: String
    var likes: Int
    var replies: Int
    var reposts: Int
    var flags: Int
}
func makePost(_ n: Int) -> Post {
    Post(id: "1170205656939\(10000 + n)", title: "Title of the post number \(n)", body: "Body of post number \(n), long enough", authorID: "1170205660922\(n)", likes: n, replies: 0, reposts: 0, flags: 0)
}
print(MemoryLayout<Post>.size)
final class Baseline: Sendable {
    let storage = Mutex<[String: Post]>([:])
    func get(id: String) -> Post? { storage.withLock { $0[id] } }
    func set(_ p: Post) { storage.withLock { $0[p.id] = p } }
}
let n = Int(CommandLine.arguments.dropFirst().first ?? "1000")!
let rounds = 15
let posts = (0..<n).map(makePost)
let ids = posts.map(\.id).shuffled()
let cache = FlatCache()
let base = Baseline()
cache.set(contentsOf: posts)
for p in posts { base.set(p) }
@inline(never) func blackHole<T>(_ x: T) {}
func time(_ body: () -> Void) -> Double {
    let c = ContinuousClock()
    let d = c.measure(body)
    return Double(d.components.attoseconds) / 1e9 + Double(d.components.seconds) * 1e9
}
let reps = max(1, 1_000_000 / n)
func compare(_ name: String, _ a: () -> Void, _ b: () -> Void) {
    var ratios: [Double] = [], at: [Double] = [], bt: [Double] = []
    for r in 0..<rounds {
        var x = 0.0, y = 0.0
        if r % 2 == 0 { x = time(a); y = time(b) } else { y = time(b); x = time(a) }
        ratios.append(x / y); at.append(x); bt.append(y)
    }
    let per = Double(n * reps)
    print(name, "ours", at.sorted()[rounds/2] / per, "base", bt.sorted()[rounds/2] / per, "ratio", ratios.sorted()[rounds/2])
}
compare("get", { var h = 0; for _ in 0..<reps { for id in ids { if let p = cache.get(Post.self, id: id) { h &+= p.likes; blackHole(p) } } }; blackHole(h) },
               { var h = 0; for _ in 0..<reps { for id in ids { if let p = base.get(id: id) { h &+= p.likes; blackHole(p) } } }; blackHole(h) })
let missing = ids.map { $0 + "x" }
compare("miss", { for _ in 0..<reps { for id in missing { blackHole(cache.get(Post.self, id: id) == nil) } } },
               { for _ in 0..<reps { for id in missing { blackHole(base.get(id: id) == nil) } } })
compare("overwrite", { for _ in 0..<reps { for p in posts { cache.set(p) } } }, { for _ in 0..<reps { for p in posts { base.set(p) } } })
let handles = ids.map { Cached(Post.self, id: $0, in: cache) }
compare("handle", { for _ in 0..<reps { for h in handles { if let p = h.value { blackHole(p) } } } },
               { for _ in 0..<reps { for id in ids { if let p = base.get(id: id) { blackHole(p) } } } })
