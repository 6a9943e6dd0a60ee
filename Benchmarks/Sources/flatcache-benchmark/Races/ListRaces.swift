import BenchmarkReport
import FlatCache
import Synchronization

/// Lists of 1,000 posts that nobody observes, against what one writes by hand.
enum ListRaces {
    private static let listed = 1_000
    private static let page = 20
    private static let listedIDs = (0..<listed).map { Post(number: $0).id }
    /// The page after each of 50 lists.
    private static let pages = (0..<50).map { number in
        (0..<page).map { Post(number: listed + number * page + $0) }
    }

    /// Pages of posts at the ends of lists: both store the posts.
    static func appends() -> Race {
        let row = "list/append-page"
        return Race(row) {
            let (ids, pages) = (listedIDs, pages)
            let cache = FlatCache()
            let lists = pages.indices.map { cache.list("list \($0)", of: Post.self) }
            let mutex = MutexLists(pages.count)
            return [
                contestant(row, FlatCacheStore.name) {
                    withExtendedLifetime(cache) {
                        for list in lists { list.replace(withIDs: ids) }
                        return processorTime {
                            for (list, page) in zip(lists, pages) { list.append(contentsOf: page) }
                        }
                    }
                },
                contestant(row, MutexStore.name) {
                    for list in pages.indices { mutex.replace(withIDs: ids, list) }
                    return processorTime {
                        for (list, page) in zip(pages.indices, pages) { mutex.append(page, to: list) }
                    }
                },
            ]
        }
    }

    /// Pages that a loader answers at once, at the ends of lists.
    static func loadedPages() -> Race {
        let row = "page/append"
        return Race(row) {
            let (ids, pages) = (listedIDs, pages)
            let cache = FlatCache()
            let lists = pages.indices.map { cache.list("list \($0)", of: Post.self) }
            for (number, list) in lists.enumerated() {
                list.setLoader(cursorAfter: { _ in number }) { (cursor: Int?) in
                    ListPage(pages[cursor ?? 0], next: cursor.map { $0 + 1 })
                }
            }
            let mutex = MutexLists(pages.count)
            return [
                contestant(row, FlatCacheStore.name) {
                    withExtendedLifetime(cache) {
                        for list in lists { list.replace(withIDs: ids) }
                        return processorTimeOfTask { for list in lists { _ = try? await list.loadMore() } }
                    }
                },
                contestant(row, MutexStore.name) {
                    for list in pages.indices { mutex.replace(withIDs: ids, list) }
                    return processorTimeOfTask {
                        for list in pages.indices {
                            // One who joins a call by hand has a task, too.
                            let loading = Task { pages[list] }
                            mutex.append(await loading.value, to: list)
                        }
                    }
                },
            ]
        }
    }

    /// A contestant that appends a page to each list at a time.
    private static func contestant(_ row: String, _ subject: String, time: @escaping () -> Duration) -> Contestant {
        let measure = repeatedly(on: Array(0..<50), chunk: 50) { _ in time() }
        return Contestant(row, subject, against: .baseline(of: row)) { measure() / Double(page) }
    }

    /// Reads of all posts of a list.
    static func values(_ population: Population) -> Race {
        let row = "list/values"
        return Race(row) {
            let cache = FlatCache()
            cache.set(contentsOf: population.posts)
            let list = cache.list("all", of: Post.self)
            list.replace(withIDs: population.ids)
            let mutex = MutexLists(1)
            mutex.append(population.posts, to: 0)
            mutex.replace(withIDs: population.ids, 0)
            return [
                contestant(row, FlatCacheStore.name, population) { withExtendedLifetime(cache) { list.values } },
                contestant(row, MutexStore.name, population) { mutex.values(of: 0) },
            ]
        }
    }

    /// Sets of posts of a list that is observed, against the same without the observer.
    static func observed(_ population: Population, listed count: Int, _ row: String) -> Race {
        Race(row, slowness: 2) {
            let posts = Array(population.replacements.prefix(count))
            return [FlatCacheStore.name, "no observer"].map { subject in
                let cache = FlatCache()
                cache.set(contentsOf: population.posts)
                let list = cache.list("observed", of: Post.self)
                list.replace(withIDs: population.ids.prefix(count))
                let isObserved = subject == FlatCacheStore.name
                let subscription = isObserved ? list.observe { use($0.ids.count) } : nil
                let measure = repeatedly(on: posts, chunk: 10) { posts in
                    processorTime { for post in posts { cache.set(post) } }
                }
                return Contestant(row, subject, against: .init(row, "no observer")) {
                    withExtendedLifetime(subscription) { measure() }
                }
            }
        }
    }

    private static func contestant(
        _ row: String,
        _ subject: String,
        _ population: Population,
        values: @escaping () -> [Post]
    ) -> Contestant {
        let measure = repeatedly(on: Array(0..<200)) { turns in
            processorTime { for _ in turns { use(values()) } }
        }
        return Contestant(row, subject, against: .baseline(of: row)) { measure() / Double(population.count) }
    }
}

/// Lists by hand: for each an array for the order and a set against duplicates, and a dictionary of all posts.
private final class MutexLists: Sendable {
    private struct Content: Sendable {
        var lists: [(ids: [String], members: Set<String>)]
        var posts: [String: Post] = [:]
    }

    private let content: Mutex<Content>

    init(_ count: Int) {
        content = Mutex(Content(lists: Array(repeating: ([], []), count: count)))
    }

    func replace(withIDs ids: [String], _ list: Int) {
        content.withLock { $0.lists[list] = (ids, Set(ids)) }
    }

    func append(_ page: [Post], to list: Int) {
        content.withLock { content in
            for post in page {
                content.posts[post.id] = post
                if content.lists[list].members.insert(post.id).inserted { content.lists[list].ids.append(post.id) }
            }
        }
    }

    func values(of list: Int) -> [Post] {
        content.withLock { content in content.lists[list].ids.compactMap { content.posts[$0] } }
    }
}
