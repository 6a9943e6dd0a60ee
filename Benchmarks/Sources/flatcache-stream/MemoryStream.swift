import FlatCache
import Synchronization

/// Posts that are appended to a list, page by page, beside an observer of the type, with a limit.
///
/// When the list has 1,000 identifiers, the first ones are removed as new ones come.
struct MemoryStream {
    let count: Int
    private let limit = 10_000
    private let pageLength = 20
    private let listLength = 1_000
    private let warmUp = 50_000

    init(count: Int) {
        self.count = count
    }

    /// Streams the posts, and returns whether memory and limit were kept.
    func run() -> Bool {
        print("\(count) entities through a list, an observer of the type and a limit of \(limit)")
        let cache = FlatCache()
        cache.setLimit(limit, for: Post.self)
        let list = cache.list("home", of: Post.self)
        let balance = Balance()
        let subscription = cache.observe(all: Post.self) { changes in
            balance.add(changes.inserted.count - changes.removed.count - changes.evicted.count)
        }
        var measurement = Measurement()
        var hits = 0
        for start in stride(from: 0, to: count, by: pageLength) {
            if start == min(warmUp, count / 2) / pageLength * pageLength { measurement.noteMemory() }
            list.append(contentsOf: Post.page(start..<min(start + pageLength, count)))
            measurement.note(count: cache.count(of: Post.self))
            if start >= listLength {
                list.remove(ids: (start - listLength..<start - listLength + pageLength).map(Post.id))
            }
            // A user who scrolls back, and one who looks at something older.
            for back in [100, 5_000, 30_000] where back <= start {
                if cache.get(Post.self, id: Post.id(start - back)) != nil { hits += 1 }
            }
        }
        let stored = cache.count(of: Post.self)
        let listed = list.ids.count
        let isMet = measurement.report(
            count,
            measured: count - min(warmUp, count / 2),
            countLimit: limit,
            growth: 4_000_000,
            [
                (balance.now == stored, "the observer has \(balance.now) entities, the cache \(stored)"),
                // Before eviction, the observer sees a page above the limit.
                (balance.highest <= limit + pageLength, "a commit has left \(balance.highest) entities"),
                (listed <= listLength + pageLength, "the list has \(listed) identifiers"),
                (hits > 0, "no read has found its post"),
            ]
        )
        withExtendedLifetime(subscription) {}
        return isMet
    }
}

/// The number of entities, as an observer knows it.
private final class Balance: Sendable {
    private let state = Mutex((now: 0, highest: 0))

    func add(_ difference: Int) {
        state.withLock {
            $0.now += difference
            $0.highest = max($0.highest, $0.now)
        }
    }

    var now: Int { state.withLock { $0.now } }
    var highest: Int { state.withLock { $0.highest } }
}
