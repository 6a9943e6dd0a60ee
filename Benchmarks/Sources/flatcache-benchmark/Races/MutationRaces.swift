import BenchmarkReport
import FlatCache
import Synchronization

/// Changes that are shown before a server has confirmed them, against what one writes by hand.
enum MutationRaces {
    /// Mutations of posts that have no other, against updates.
    static func single(_ population: Population) -> Race {
        let row = "mutate/one"
        return Race(row) {
            let cache = FlatCache()
            cache.set(contentsOf: population.posts)
            let sending = blockedMutation(in: cache)
            let byHand = OptimisticPosts(population.posts)
            let reference = Contestant.Identity(row, "update")
            return [
                Contestant(
                    row,
                    FlatCacheStore.name,
                    against: reference,
                    measure: repeatedly(on: population.ids) { ids in
                        var mutations: [Mutation<Void>] = []
                        mutations.reserveCapacity(ids.count)
                        let time = processorTime {
                            for id in ids { mutations.append(like(id, in: cache)) }
                        }
                        for mutation in mutations { mutation.cancel() }
                        withExtendedLifetime(sending) {}
                        return time
                    }
                ),
                Contestant(
                    row,
                    OptimisticPosts.name,
                    against: reference,
                    measure: repeatedly(on: population.ids) { ids in
                        var numbers: [(String, Int)] = []
                        numbers.reserveCapacity(ids.count)
                        let time = processorTime {
                            for id in ids { numbers.append((id, byHand.change(id) { $0.likes += 1 })) }
                        }
                        for (id, number) in numbers { byHand.drop(number, of: id) }
                        return time
                    }
                ),
                Contestant(
                    row,
                    reference.subject,
                    against: reference,
                    measure: repeatedly(on: population.ids) { ids in
                        processorTime {
                            for id in ids { cache.update(Post.self, id: id) { $0.likes += 1 } }
                        }
                    }
                ),
            ]
        }
    }

    /// One mutation more of posts with many, per mutation.
    static func many(_ population: Population) -> Race {
        let row = "mutate/100-layers"
        return Race(row) {
            let reference = Contestant.Identity(row, "50 layers")
            func contestant(_ subject: String, layers: Int) -> Contestant {
                let ids = Array(population.ids.prefix(100))
                let cache = FlatCache()
                cache.set(contentsOf: population.posts.prefix(100))
                let sending = blockedMutation(in: cache)
                let pending = ids.flatMap { id in (1..<layers).map { _ in like(id, in: cache) } }
                let measure = repeatedly(on: ids) { ids in
                    var mutations: [Mutation<Void>] = []
                    let time = processorTime {
                        for id in ids { mutations.append(like(id, in: cache)) }
                    }
                    for mutation in mutations { mutation.cancel() }
                    withExtendedLifetime((sending, pending)) {}
                    return time
                }
                return Contestant(row, subject, against: reference) { measure() / Double(layers) }
            }
            return [contestant(FlatCacheStore.name, layers: 100), contestant(reference.subject, layers: 50)]
        }
    }

    /// Writes of posts that have one mutation each.
    static func rebases(_ population: Population) -> Race {
        let row = "rebase"
        return Race(row) {
            let cache = FlatCache()
            cache.set(contentsOf: population.posts)
            let sending = blockedMutation(in: cache)
            let pending = population.ids.map { like($0, in: cache) }
            let byHand = OptimisticPosts(population.posts)
            for id in population.ids { _ = byHand.change(id) { $0.likes += 1 } }
            let posts = population.replacements
            return [
                Contestant(
                    row,
                    FlatCacheStore.name,
                    against: .init(row, OptimisticPosts.name),
                    measure: repeatedly(on: posts) { posts in
                        withExtendedLifetime((sending, pending)) {
                            processorTime {
                                for post in posts { cache.set(post) }
                            }
                        }
                    }
                ),
                Contestant(
                    row,
                    OptimisticPosts.name,
                    against: .init(row, OptimisticPosts.name),
                    measure: repeatedly(on: posts) { posts in
                        processorTime {
                            for post in posts { byHand.set(post) }
                        }
                    }
                ),
            ]
        }
    }

    /// A mutation whose answer never comes, so that those of its order aren't sent.
    private static func blockedMutation(in cache: FlatCache) -> Mutation<Void> {
        cache.mutate(order: .serial("likes")) { _ in
        } send: {
            await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
        }
    }

    private static func like(_ id: String, in cache: FlatCache) -> Mutation<Void> {
        cache.mutate(Post.self, id: id, order: .serial("likes")) {
            $0.likes += 1
        } send: {
        }
    }
}

/// Posts with changes that aren't confirmed, written by hand: closures over a dictionary, which are called again.
private final class OptimisticPosts: Sendable {
    static let name = "by hand"

    private typealias Change = (number: Int, body: @Sendable (inout Post) -> Void)

    private struct State {
        var confirmed: [String: Post] = [:]
        var visible: [String: Post] = [:]
        var changes: [String: [Change]] = [:]
        var lastNumber = 0

        mutating func show(_ id: String) {
            guard var post = confirmed[id] else { return }
            for change in changes[id] ?? [] { change.body(&post) }
            visible[id] = post
        }
    }

    private let state: Mutex<State>

    init(_ posts: [Post]) {
        let stored = Dictionary(uniqueKeysWithValues: posts.map { ($0.id, $0) })
        state = Mutex(State(confirmed: stored, visible: stored))
    }

    func set(_ post: Post) {
        state.withLock { state in
            state.confirmed[post.id] = post
            state.show(post.id)
        }
    }

    func change(_ id: String, _ body: @escaping @Sendable (inout Post) -> Void) -> Int {
        state.withLock { state in
            state.lastNumber += 1
            state.changes[id, default: []].append((state.lastNumber, body))
            state.show(id)
            return state.lastNumber
        }
    }

    func drop(_ number: Int, of id: String) {
        state.withLock { state in
            state.changes[id]?.removeAll { $0.number == number }
            if state.changes[id]?.isEmpty == true { state.changes[id] = nil }
            state.show(id)
        }
    }
}
