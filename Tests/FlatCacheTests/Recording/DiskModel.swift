@testable import FlatCache

/// What a store would have, as dictionaries.
struct DiskModel: Equatable {
    var counters: [Int: Counter] = [:]
    var posts: [String: Post] = [:]
    var lists: [String: [Int]] = [:]
    var references: [String: Int] = [:]

    init() {}

    /// The state that a cache shows.
    init(of cache: FlatCache, lists: [String] = [], references: [String] = []) {
        self = cache.read {
            var state = DiskModel()
            for counter in cache.allValues(of: Counter.self) { state.counters[counter.id] = counter }
            for post in cache.allValues(of: Post.self) { state.posts[post.id] = post }
            for name in lists {
                let ids = Array(cache.list(name, of: Counter.self).ids)
                if !ids.isEmpty { state.lists[name] = ids }
            }
            for name in references { state.references[name] = cache.reference(name, of: Counter.self).id }
            return state
        }
    }

    /// Applies changes, and returns the number of changed entities.
    @discardableResult
    mutating func apply(_ changes: RecordedChanges) -> Int {
        var count = 0
        let counters = changes.entities(of: Counter.self)
        if counters.isCleared { self.counters = [:] }
        while let piece = counters.next() {
            for change in piece { self.counters[change.id] = change.value }
            count += piece.count
        }
        let posts = changes.entities(of: Post.self)
        if posts.isCleared { self.posts = [:] }
        while let piece = posts.next() {
            for change in piece { self.posts[change.id] = change.value }
            count += piece.count
        }
        let lists = changes.lists(of: Counter.self)
        if lists.isCleared { self.lists = [:] }
        while let piece = lists.next() {
            for change in piece { self.lists[change.name] = change.ids?.isEmpty == false ? change.ids : nil }
        }
        let references = changes.references(of: Counter.self)
        if references.isCleared { self.references = [:] }
        while let piece = references.next() {
            for change in piece { self.references[change.name] = change.id }
        }
        return count
    }
}

extension ChangeRecorder {
    /// A recorder of the types of the model.
    static func recording(_ cache: FlatCache, onChange: @escaping @Sendable () -> Void = {}) -> ChangeRecorder {
        let recorder = ChangeRecorder(onChange: onChange)
        recorder.record(Counter.self, in: cache)
        recorder.record(Post.self, in: cache)
        return recorder
    }
}
