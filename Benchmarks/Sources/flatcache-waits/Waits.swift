import AllocatedMemory
import FlatCache
import Foundation

/// Measures how long a reader of single entities waits while others use whole types, and what must not grow faster than
/// what is stored.
///
///     swift run -c release --package-path Benchmarks flatcache-waits [ENTITIES]
@main
enum Waits {
    static func main() {
        let arguments = CommandLine.arguments.dropFirst()
        guard arguments.count <= 1, let count = arguments.first.map({ Int($0) }) ?? 1_000_000, count > 0 else {
            FileHandle.standardError.write(Data("Usage: flatcache-waits [ENTITIES]\n".utf8))
            exit(EX_USAGE)
        }
        print("\(count) entities                            takes   longest wait of a reader")
        wholeTypes(count)
        print("\nGrowth")
        growth()
    }

    private static func wholeTypes(_ count: Int) {
        let posts = (0..<count).map { Post(number: $0) }
        let changed = (0..<count).map { Post(number: $0, likes: 1) }
        let ids = posts.map(\.id)
        let cache = FlatCache()

        measure("nothing, for comparison", ids, in: cache) { Thread.sleep(forTimeInterval: 0.5) }
        measure("set(contentsOf:), empty before", ids, in: cache) { cache.set(contentsOf: posts) }
        measure("set(contentsOf:), all replaced", ids, in: cache) { cache.set(contentsOf: changed) }
        measure("allValues(of:)", ids, in: cache) { _ = cache.allValues(of: Post.self) }
        measure("count(of:) in a read", ids, in: cache) { _ = cache.read { cache.count(of: Post.self) } }
        measure("a transaction that changes all", ids, in: cache) {
            cache.transaction {
                for post in posts { cache.set(post) }
            }
        }
        measure("set(contentsOf:), a read is open", ids, in: cache) {
            cache.read { onOtherThread { cache.set(contentsOf: changed) } }
        }
        measure("removeAll(of:)", ids, in: cache) { cache.removeAll(of: Post.self) }
        cache.set(contentsOf: posts)
        measure("removeAll(of:), a read is open", ids, in: cache) {
            cache.read { onOtherThread { cache.removeAll(of: Post.self) } }
        }
        cache.set(contentsOf: posts)
        let watcher = cache.observe {
            cache.count(of: Post.self)
        } onChange: { _ in
        }
        measure("removeAll(of:), the type is observed", ids, in: cache) { cache.removeAll(of: Post.self) }
        watcher.cancel()
    }

    private static func measure(_ name: String, _ ids: [String], in cache: FlatCache, _ body: () -> Void) {
        let reader = LongestWait(of: ids, in: cache)
        let time = ContinuousClock().measure(body)
        let wait = reader.stop()
        line(name, milliseconds(time.milliseconds), milliseconds(wait))
    }

    private static func growth() {
        // Their metadata is made by the first who asks, and is nobody's cost.
        let types = ManyTypes.all
        ManyTypes.store(types, in: FlatCache())
        let before = allocated_bytes()
        let cache = FlatCache()
        let tables = ContinuousClock().measure { ManyTypes.store(types, in: cache) }
        let bytes = withExtendedLifetime(cache) { allocated_bytes() - before }
        line("10,000 types, an entity each", milliseconds(tables.milliseconds), "\(bytes / 1_000_000) MB")
        let removal = ContinuousClock().measure { cache.removeAll() }
        line("removeAll() of them", milliseconds(removal.milliseconds), "")

        let list = cache.list("home", of: Post.self)
        let appends = ContinuousClock().measure {
            for number in 0..<20_000 { list.append(ids: CollectionOfOne("\(number)")) }
        }
        line("20,000 appends to a list", milliseconds(appends.milliseconds), "")
    }

    private static func milliseconds(_ value: Double) -> String {
        "\(value.formatted(.number.precision(.fractionLength(1)).grouping(.never))) ms"
    }

    private static func line(_ name: String, _ figures: String...) {
        let columns = figures.map { String(repeating: " ", count: max(0, 14 - $0.count)) + $0 }
        print(name.padding(toLength: 36, withPad: " ", startingAt: 0) + columns.joined())
    }
}

/// Runs a body on another thread and waits for its end.
private func onOtherThread(_ body: @escaping @Sendable () -> Void) {
    let hasEnded = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
        body()
        hasEnded.signal()
    }
    hasEnded.wait()
}
