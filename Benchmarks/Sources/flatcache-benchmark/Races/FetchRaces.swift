import BenchmarkReport
import FlatCache

/// Fetches from a server that answers at once: what is left is the cost of asking.
enum FetchRaces {
    /// Fetches of what is stored, against reads from a function that may wait, too.
    static func hits(_ population: Population) -> Race {
        let row = "fetch/hit"
        return Race(row) {
            let cache = FlatCache()
            cache.set(contentsOf: population.posts)
            cache.setFetcher(of: Post.self) { _ in [] }
            let fetching = repeatedly(on: population.ids) { ids in
                processorTimeOfTask { for id in ids { use(try? await cache.fetch(Post.self, id: id)) } }
            }
            let reading = repeatedly(on: population.ids) { ids in
                processorTimeOfTask { for id in ids { use(await get(id, from: cache)) } }
            }
            let reference = Contestant.Identity(row, "async get")
            return [
                Contestant(row, FlatCacheStore.name, against: reference, measure: fetching),
                Contestant(row, reference.subject, against: reference, measure: reading),
            ]
        }
    }

    @inline(never)
    private static func get(_ id: String, from cache: FlatCache) async -> Post? {
        cache.get(Post.self, id: id)
    }

    private static let waiters = 1_000

    /// Tasks of one actor that ask for 100 posts, ten for each, while nothing is stored.
    static func joined() -> Race {
        let row = "fetch/joined"
        return Race(row) {
            let posts = (0..<100).map { Post(number: $0) }
            let server = Dictionary(uniqueKeysWithValues: posts.map { ($0.id, $0) })
            let asked = (0..<waiters).map { posts[$0 % posts.count].id }
            let cache = FlatCache()
            cache.setFetcher(of: Post.self) { ids in ids.compactMap { server[$0] } }
            let reference = Contestant.Identity(row, "actor of tasks")
            return [
                contestant(row, FlatCacheStore.name, against: reference) {
                    cache.removeAll(of: Post.self)
                    let screen = Screen()
                    return processorTimeOfTask {
                        await screen.show(asked) { _, id in try? await cache.fetch(Post.self, id: id) }
                    }
                },
                contestant(row, reference.subject, against: reference) {
                    let screen = Screen()
                    let loader = Loader { server[$0] }
                    return processorTimeOfTask { await screen.show(asked) { _, id in await loader.fetch(id) } }
                },
            ]
        }
    }

    private static func contestant(
        _ row: String,
        _ subject: String,
        against reference: Contestant.Identity,
        time: @escaping () -> Duration
    ) -> Contestant {
        let measure = repeatedly(on: Array(0..<10), chunk: 1) { _ in time() }
        return Contestant(row, subject, against: reference) { measure() / Double(waiters) }
    }
}

/// Shows posts on an actor of its own, as an app does on the main actor.
private actor Screen {
    func show(_ ids: [String], _ fetch: @escaping @Sendable (isolated Screen, String) async -> Post?) async {
        let tasks = ids.map { id in Task { use(await fetch(self, id)) } }
        for task in tasks { await task.value }
    }
}

/// What one writes by hand: who asks for something that is on its way waits for the same task. Every post is a call.
private actor Loader {
    private var posts: [String: Post] = [:]
    private var running: [String: Task<Post?, Never>] = [:]
    private let load: @Sendable (String) async -> Post?

    init(_ load: @escaping @Sendable (String) async -> Post?) {
        self.load = load
    }

    func fetch(_ id: String) async -> Post? {
        if let post = posts[id] { return post }
        if let task = running[id] { return await task.value }
        let task = Task { await load(id) }
        running[id] = task
        let post = await task.value
        running[id] = nil
        posts[id] = post
        return post
    }
}
