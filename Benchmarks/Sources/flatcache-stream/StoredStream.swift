import FlatCache
import FlatCacheStore
import Foundation

/// Posts that are stored with a limit before a store on disk, from which evicted ones are fetched.
struct StoredStream {
    let count: Int
    private let limit = 1_000
    private let pageLength = 20
    /// The number of posts between two flushes, before which the store needs them in memory.
    private let flushLength = 500

    init(count: Int) {
        self.count = count
    }

    /// Streams the posts, and returns whether memory and limit were kept.
    func run() async throws -> Bool {
        print("\(count) entities through a limit of \(limit) before a store on disk")
        let folder = FileManager.default.temporaryDirectory.appending(path: "flatcache-stream-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let cache = try await FlatCache(store: FileStore(at: folder), onDemand: [Post.self])
        cache.setLimit(limit, for: Post.self)
        var measurement = Measurement()
        var generator = SystemRandomNumberGenerator()
        let warmUp = min(10_000, count / 2) / flushLength * flushLength
        var (highestAfterFlush, broughtBack, wrong) = (0, 0, 0)
        for start in stride(from: 0, to: count, by: pageLength) {
            if start == warmUp { measurement.noteMemory() }
            cache.set(contentsOf: Post.page(start..<min(start + pageLength, count)))
            measurement.note(count: cache.count(of: Post.self))
            if (start + pageLength) % flushLength != 0 { continue }
            try await cache.flush()
            cache.evictNow()
            highestAfterFlush = max(highestAfterFlush, cache.count(of: Post.self))
            for _ in 0..<10 {
                let number = Int.random(in: 0..<start, using: &generator)
                if cache.get(Post.self, id: Post.id(number)) == nil { broughtBack += 1 }
                let post = try await cache.fetch(Post.self, id: Post.id(number), .cacheOnly)
                if post != Post(number: number) { wrong += 1 }
            }
            measurement.note(count: cache.count(of: Post.self))
        }
        let isMet = measurement.report(
            count,
            measured: count - warmUp,
            countLimit: limit + flushLength + pageLength,
            // The index of the store: its entry and the key.
            growth: 4_000_000 + (count - warmUp) * 100,
            [
                (highestAfterFlush <= limit, "\(highestAfterFlush) entities were in memory after a flush"),
                (broughtBack > 0, "no evicted entity was fetched"),
                (wrong == 0, "\(wrong) of the fetched entities had other values"),
            ]
        )
        print("  \(broughtBack) evicted entities fetched from the store")
        try await cache.store?.close()
        return isMet
    }
}
