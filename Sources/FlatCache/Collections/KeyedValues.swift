/// Values by key, as in a dictionary.
///
/// The dictionaries and sets of the standard library end the process when they notice that keys break the rules of
/// `Hashable`. The types of these keys belong to users. Here such keys are found or not, and nothing else goes wrong. Each
/// key is hashed once, so growth and removal run no user code except releases.
///
/// Keys are in the order of their insertion, as long as none is removed.
@frozen @usableFromInline
struct KeyedValues<Key: Hashable, Value> {
    @usableFromInline var entries: ContiguousArray<Entry> = []
    /// The places of the first entries of the chains, by the last bits of the hashes, or -1 for none.
    ///
    /// It is empty while there are few entries. Its length is a power of two.
    @usableFromInline var chains: ContiguousArray<Int> = []

    @frozen @usableFromInline struct Entry {
        @usableFromInline let hash: UInt32
        @usableFromInline let key: Key
        @usableFromInline var value: Value
        /// The place of the next entry of the chain, or -1 for none.
        @usableFromInline var next = -1

        @inlinable init(_ hash: UInt32, _ key: Key, _ value: Value) {
            self.hash = hash
            self.key = key
            self.value = value
        }
    }

    /// The number of entries up to which a linear search is faster.
    @inlinable static var shortLength: Int { 8 }

    @inlinable init() {}

    @inlinable var count: Int { entries.count }
    @inlinable var isEmpty: Bool { entries.isEmpty }
    @inlinable var keys: [Key] { entries.map { $0.key } }
    @inlinable var values: [Value] { entries.map { $0.value } }

    /// The value of a key.
    ///
    /// - Complexity: O(1) on average.
    @inlinable subscript(key: Key) -> Value? {
        get { place(of: key, HashedID(key).bits).map { entries[$0].value } }
        set {
            if let newValue { self[key, default: newValue] = newValue } else { _ = removeValue(forKey: key) }
        }
    }

    /// The value of a key, which is inserted if there is none.
    ///
    /// - Complexity: O(1) on average over many insertions.
    @inlinable subscript(key: Key, default value: @autoclosure () -> Value) -> Value {
        get { self[key] ?? value() }
        _modify {
            let hash = HashedID(key).bits
            let place = place(of: key, hash) ?? insert(Entry(hash, key, value()))
            yield &entries[place].value
        }
    }

    /// Removes a key and its value.
    ///
    /// - Returns: The value, or `nil` if there was none.
    /// - Complexity: O(1) on average.
    @inlinable mutating func removeValue(forKey key: Key) -> Value? {
        place(of: key, HashedID(key).bits).map { remove(at: $0) }
    }

    @inlinable func place(of key: Key, _ hash: UInt32) -> Int? {
        if chains.isEmpty { return entries.firstIndex { $0.hash == hash && $0.key == key } }
        var place = chains[chain(of: hash)]
        while place >= 0 {
            if entries[place].hash == hash, entries[place].key == key { return place }
            place = entries[place].next
        }
        return nil
    }

    @inlinable func chain(of hash: UInt32) -> Int { Int(truncatingIfNeeded: hash) & (chains.count - 1) }

    @inlinable mutating func insert(_ entry: Entry) -> Int {
        entries.append(entry)
        if entries.count > Self.shortLength && entries.count > chains.count {
            chains = ContiguousArray(repeating: -1, count: Swift.max(32, chains.count * 2))
            for place in entries.indices { link(place) }
        } else if !chains.isEmpty {
            link(entries.count - 1)
        }
        return entries.count - 1
    }

    /// Puts an entry at the beginning of its chain.
    @inlinable mutating func link(_ place: Int) {
        let chain = chain(of: entries[place].hash)
        entries[place].next = chains[chain]
        chains[chain] = place
    }

    /// Replaces a place in its chain.
    @inlinable mutating func relink(_ place: Int, to replacement: Int) {
        let chain = chain(of: entries[place].hash)
        if chains[chain] == place {
            chains[chain] = replacement
            return
        }
        var before = chains[chain]
        while before >= 0 {
            if entries[before].next == place {
                entries[before].next = replacement
                return
            }
            before = entries[before].next
        }
    }

    @inlinable mutating func remove(at place: Int) -> Value {
        let last = entries.count - 1
        if !chains.isEmpty {
            relink(place, to: entries[place].next)
            if place != last { relink(last, to: place) }
        }
        entries.swapAt(place, last)
        return entries.removeLast().value
    }
}

extension KeyedValues: Sendable where Key: Sendable, Value: Sendable {}
extension KeyedValues.Entry: Sendable where Key: Sendable, Value: Sendable {}

/// Keys that may break the rules of `Hashable`, as a set.
@frozen @usableFromInline
struct KeySet<Key: Hashable>: Hashable {
    @usableFromInline var members = KeyedValues<Key, Void>()

    @inlinable init(_ keys: some Sequence<Key>) {
        for key in keys { _ = insert(key) }
    }

    @inlinable var isEmpty: Bool { members.isEmpty }

    /// The keys, each once, in their order.
    @inlinable var keys: [Key] { members.keys }

    @inlinable func contains(_ key: Key) -> Bool { members.place(of: key, HashedID(key).bits) != nil }

    /// Adds a key.
    ///
    /// - Returns: Whether it wasn't a member.
    @inlinable mutating func insert(_ key: Key) -> Bool {
        let hash = HashedID(key).bits
        if members.place(of: key, hash) != nil { return false }
        _ = members.insert(.init(hash, key, ()))
        return true
    }

    /// The keys that another set doesn't have.
    @inlinable func subtracting(_ other: KeySet) -> [Key] { keys.filter { !other.contains($0) } }

    /// The keys that another set doesn't have, and those that only the other one has.
    @inlinable func difference(to other: KeySet) -> ([Key], [Key]) { (subtracting(other), other.subtracting(self)) }

    @inlinable static func == (lhs: KeySet, rhs: KeySet) -> Bool {
        // A copy is equal although keys aren't equal to themselves.
        let isCopy =
            lhs.members.entries.withUnsafeBufferPointer { $0.baseAddress }
            == rhs.members.entries.withUnsafeBufferPointer { $0.baseAddress }
        if isCopy { return true }
        return lhs.members.count == rhs.members.count && lhs.keys.allSatisfy(rhs.contains)
    }

    @inlinable func hash(into hasher: inout Hasher) {
        hasher.combine(members.entries.reduce(0) { $0 ^ $1.hash })
    }
}

extension KeySet: Sendable where Key: Sendable {}

extension KeySet: CustomStringConvertible {
    /// The first keys, and the number of others, in a description.
    @usableFromInline var description: String {
        let keys = keys
        return "[\(Summary.list(keys.count, keys.lazy.map { String(reflecting: $0) }, limit: 3))]"
    }
}
