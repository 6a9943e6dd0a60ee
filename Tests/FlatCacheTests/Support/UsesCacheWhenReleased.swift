import FlatCache

/// Something that reads and writes caches when it is released, as the models of an app may.
///
/// It needs all shards of a type, so that it waits for ever if its thread holds the lock of one of them.
final class UsesCacheWhenReleased: Sendable {
    private let caches: [FlatCache]
    private let released: Recorder<Int>?

    init(_ caches: [FlatCache], _ released: Recorder<Int>? = nil) {
        self.caches = caches
        self.released = released
    }

    deinit {
        released?.record(1)
        for cache in caches { useEverything(of: cache) }
    }
}

/// Reads and writes keys of a cache, and whole types.
func useEverything(of cache: FlatCache) {
    cache.set(Post(id: "used", title: "by a deinit"))
    _ = cache.get(Post.self, id: "used")
    _ = cache.count(of: Counter.self) + cache.count(of: Post.self)
    for id in 0..<64 { _ = cache.contains(Counter.self, id: id) }
    _ = Cached(Counter.self, id: 1, in: cache).value
    cache.remove(Post.self, id: "used")
}
