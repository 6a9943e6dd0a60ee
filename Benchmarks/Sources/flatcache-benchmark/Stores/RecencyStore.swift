import Synchronization

/// A dictionary of limited size that drops the value that was used longest ago: a linked list in an array.
struct RecencyDictionary<Key: Hashable, Value> {
    private struct Node {
        var key: Key
        var value: Value
        var newer = -1
        var older = -1
    }

    private let capacity: Int
    private var places: [Key: Int] = [:]
    private var nodes: [Node] = []
    private var newest = -1
    private var oldest = -1

    init(capacity: Int) {
        self.capacity = capacity
        places.reserveCapacity(capacity)
        nodes.reserveCapacity(capacity)
    }

    /// Returns a value, which becomes the newest.
    mutating func get(_ key: Key) -> Value? {
        guard let place = places[key] else { return nil }
        makeNewest(place)
        return nodes[place].value
    }

    /// Stores a value, which becomes the newest.
    ///
    /// - Returns: The key whose value was dropped for it.
    mutating func set(_ key: Key, _ value: Value) -> Key? {
        if let place = places[key] {
            nodes[place].value = value
            makeNewest(place)
            return nil
        }
        if nodes.count < capacity {
            places[key] = nodes.count
            nodes.append(Node(key: key, value: value))
            link(nodes.count - 1)
            return nil
        }
        let place = oldest
        unlink(place)
        let dropped = nodes[place].key
        places[dropped] = nil
        nodes[place] = Node(key: key, value: value)
        places[key] = place
        link(place)
        return dropped
    }

    private mutating func makeNewest(_ place: Int) {
        if place == newest { return }
        unlink(place)
        link(place)
    }

    private mutating func unlink(_ place: Int) {
        let (newer, older) = (nodes[place].newer, nodes[place].older)
        if newer >= 0 { nodes[newer].older = older } else { newest = older }
        if older >= 0 { nodes[older].newer = newer } else { oldest = newer }
    }

    private mutating func link(_ place: Int) {
        nodes[place].newer = -1
        nodes[place].older = newest
        if newest >= 0 { nodes[newest].newer = place } else { oldest = place }
        newest = place
    }
}

/// A least recently used cache as one writes it by hand.
final class RecencyStore: Sendable {
    private let posts: Mutex<RecencyDictionary<String, Post>>

    init(capacity: Int) {
        posts = Mutex(RecencyDictionary(capacity: capacity))
    }

    func set(_ post: Post) { posts.withLock { _ = $0.set(post.id, post) } }
}
