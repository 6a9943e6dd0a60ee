import BenchmarkReport
import FlatCache
import Foundation
import Observation

/// Reads that the Observation framework hears of if somebody tracks, against bare calls of the cache.
enum TrackingRaces {
    private static let bare = "bare get"

    /// Reads while nobody tracks.
    static func untracked(_ population: Population) -> Race {
        let row = "accessor/tracked"
        return Race(row) {
            let posts = population.replacements
            let cache = FlatCache()
            cache.set(contentsOf: (0...population.count / 10).map { Author(number: $0) })
            let tracked = repeatedly(on: posts) { posts in
                processorTime { for post in posts { use(cache.tracked { $0.get(Author.self, id: post.authorID) }) } }
            }
            let accessor = repeatedly(on: posts) { posts in
                processorTime { for post in posts { use(post.author) } }
            }
            let plain = repeatedly(on: posts) { posts in
                processorTime { for post in posts { use(post.authorByHand(in: cache)) } }
            }
            let reference = Contestant.Identity(row, "by hand")
            return [
                Contestant(row, FlatCacheStore.name, against: reference, measure: tracked),
                Contestant(row, reference.subject, against: reference, measure: plain),
                Contestant(row, "post.author", against: reference) { FlatCache.withCurrent(cache, accessor) },
            ]
        }
    }

    /// What a view does that shows ten posts: it reads them while the framework tracks, and one of them changes.
    static func tracking(_ population: Population) -> Race {
        let row = "accessor/tracking"
        return Race(row) {
            let store = FlatCacheStore()
            store.set(contentsOf: population.posts[...])
            let models = Dictionary(uniqueKeysWithValues: population.posts.map { ($0.id, PostModel($0)) })
            let screens = screens(of: population.replacements)
            let each = repeatedly(on: screens) { screens in
                time(screens) { ids in
                    for id in ids { use(store.cache.tracked { $0.get(Post.self, id: id) }) }
                } change: {
                    store.set($0)
                }
            }
            let together = repeatedly(on: screens) { screens in
                time(screens) { ids in
                    store.cache.tracked { cache in
                        for id in ids { use(cache.get(Post.self, id: id)) }
                    }
                } change: {
                    store.set($0)
                }
            }
            let plain = repeatedly(on: screens) { screens in
                time(screens) { ids in
                    for id in ids { use(store.get(id)) }
                } change: {
                    store.set($0)
                }
            }
            let byHand = repeatedly(on: screens) { screens in
                time(screens) { ids in
                    for id in ids { use(models[id]?.post) }
                } change: {
                    models[$0.id]?.post = $0
                }
            }
            let reference = Contestant.Identity(row, bare)
            return [
                (FlatCacheStore.name, each), (bare, plain), ("read together", together), ("@Observable", byHand),
            ].map { subject, measure in
                Contestant(row, subject, against: reference) { measure() / Double(postsOfScreen) }
            }
        }
    }

    private static let postsOfScreen = 10

    /// What a screen shows, and the change of the post in its middle.
    private typealias Screen = (ids: [String], change: Post)

    private static func screens(of posts: [Post]) -> [Screen] {
        stride(from: 0, to: posts.count, by: postsOfScreen).map { begin in
            let shown = posts[begin..<begin + postsOfScreen]
            return (shown.map(\.id), posts[begin + postsOfScreen / 2])
        }
    }

    private static func time(
        _ screens: ArraySlice<Screen>,
        read: ([String]) -> Void,
        change: (Post) -> Void
    ) -> Duration {
        let time = processorTime {
            for screen in screens {
                withObservationTracking {
                    read(screen.ids)
                } onChange: {
                }
                change(screen.change)
            }
        }
        // What was left for the main actor to do.
        RunLoop.main.run(until: .now)
        return time
    }
}

/// A post as those observe it who have no cache: by an object of its own.
@Observable
private final class PostModel {
    var post: Post

    init(_ post: Post) {
        self.post = post
    }
}
