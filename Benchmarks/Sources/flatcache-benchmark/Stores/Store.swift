/// Something that keeps posts by identifier: the cache, or what one might use in its place.
///
/// Methods do an operation on each of many posts and tell how long that took. The loop is the implementation's own, so
/// that what is measured are direct calls, each compiled for its store.
protocol Store: Sendable {
    /// The name of the subject in the figures.
    static var name: String { get }

    /// The most operations that a measurement takes where it can't take fewer for a slow store.
    static var largestSample: Int { get }

    /// Creates an empty store.
    init()

    func timeGets(of ids: ArraySlice<String>) -> Duration
    func timeSets(of posts: ArraySlice<Post>) -> Duration
    /// Sets all posts in one call.
    func timeBatch(of posts: ArraySlice<Post>) -> Duration
    /// Sets all posts in one transaction, or what comes near to one: nobody sees some of them without the others.
    func timeTransaction(of posts: ArraySlice<Post>) -> Duration
    /// Adds a like to each post, atomically.
    func timeUpdates(of ids: ArraySlice<String>) -> Duration
    func timeRemovals(of ids: ArraySlice<String>) -> Duration
}

extension Store {
    static var largestSample: Int { .max }
    var name: String { Self.name }
}

/// A store whose operations are plain calls.
protocol SynchronousStore: Store {
    func get(_ id: String) -> Post?
    func set(_ post: Post)
    func set(contentsOf posts: ArraySlice<Post>)
    func transact(_ posts: ArraySlice<Post>)
    func like(_ id: String)
    func remove(_ id: String)
}

extension SynchronousStore {
    /// Where there is one lock, holding it is all there is to a transaction.
    func transact(_ posts: ArraySlice<Post>) { set(contentsOf: posts) }

    func timeGets(of ids: ArraySlice<String>) -> Duration {
        processorTime { for id in ids { use(get(id)) } }
    }

    func timeSets(of posts: ArraySlice<Post>) -> Duration {
        processorTime { for post in posts { set(post) } }
    }

    func timeBatch(of posts: ArraySlice<Post>) -> Duration {
        processorTime { set(contentsOf: posts) }
    }

    func timeTransaction(of posts: ArraySlice<Post>) -> Duration {
        processorTime { transact(posts) }
    }

    func timeUpdates(of ids: ArraySlice<String>) -> Duration {
        processorTime { for id in ids { like(id) } }
    }

    func timeRemovals(of ids: ArraySlice<String>) -> Duration {
        processorTime { for id in ids { remove(id) } }
    }
}

/// All subjects, the cache and the baseline first.
let allStores: [any Store.Type] =
    [
        FlatCacheStore.self, MutexStore.self, OriginalStore.self, ActorStore.self, BarrierQueueStore.self,
        NSCacheStore.self,
    ] + databases

/// The databases, which copy what is stored.
#if DATABASE
let databases: [any Store.Type] = [DatabaseStore.self]
#else
let databases: [any Store.Type] = []
#endif

/// Takes a result as an app does, without doing anything with it, and can't be optimized away with what made it.
@inline(never)
@_optimize(none)
func use<Value>(_ value: borrowing Value?) {}
