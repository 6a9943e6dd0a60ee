/// The identifiers of a list without an order, for membership tests.
@usableFromInline typealias ListMembers<ID: Hashable & Sendable> = IDTrie<ID, Void>

extension IDTrie where Content == Void {
    /// Adds an identifier.
    ///
    /// - Returns: Whether it wasn't a member.
    /// - Complexity: O(1) on average.
    @_specialize(where ID == String) @_specialize(where ID == Int)
    @inlinable mutating func insert(_ id: ID) -> Bool { root.insert(Entry(Key(id), ()), 0, replacing: false) }
}

/// Contents by identifier, as a value whose copies share most of their memory.
///
/// A changed copy shares all nodes with the original except the path to the change. This is a hash trie, after Phil
/// Bagwell. A branch has a child for each value of some bits of the hash, and a bucket has the identifiers for which
/// these bits are the same. An identifier is hashed once when it is looked up, and not again when it is moved.
@frozen @usableFromInline
struct IDTrie<ID: Hashable & Sendable, Content: Sendable>: Sendable {
    @usableFromInline var root = Node()

    @inlinable init() {}

    /// Returns whether an identifier has a content.
    ///
    /// - Complexity: O(1) on average.
    @_specialize(where ID == String, Content == Void) @_specialize(where ID == Int, Content == Void)
    @inlinable func contains(_ id: ID) -> Bool { self[id] != nil }

    /// The content of an identifier, or `nil` if there is none.
    ///
    /// - Complexity: O(1) on average.
    @inlinable subscript(id: ID) -> Content? { root.content(of: Key(id), 0) }

    /// Sets the content of an identifier.
    ///
    /// - Complexity: O(1) on average.
    @inlinable mutating func set(_ content: Content, for id: ID) {
        _ = root.insert(Entry(Key(id), content), 0, replacing: true)
    }

    /// Removes an identifier.
    ///
    /// - Returns: Whether it had a content.
    /// - Complexity: O(1) on average.
    @_specialize(where ID == String, Content == Void) @_specialize(where ID == Int, Content == Void)
    @inlinable mutating func remove(_ id: ID) -> Bool { root.remove(Key(id), 0) }

    /// The identifiers that other contents don't have.
    ///
    /// - Complexity: O(log *n*) if one was made from the other by one change, because shared nodes are skipped. Otherwise
    ///   O(*n*) on average.
    @_specialize(where ID == String, Content == Void) @_specialize(where ID == Int, Content == Void)
    @inlinable func subtracting(_ other: IDTrie) -> [ID] {
        var rest: [ID] = []
        root.subtract(other.root, 0, into: &rest)
        return rest
    }

    /// An identifier with its hash.
    @frozen @usableFromInline
    struct Key: Sendable {
        @usableFromInline let hash: UInt
        @usableFromInline let id: ID

        @inlinable init(_ id: ID) {
            hash = UInt(HashedID(id).bits)
            self.id = id
        }

        @inlinable func isEqual(to other: Key) -> Bool { hash == other.hash && id == other.id }

        /// The index of a branch's child for the identifier.
        ///
        /// The depth is the number of branches above the branch.
        @inlinable func child(_ depth: Int) -> Int {
            Int(truncatingIfNeeded: hash >> UInt(depth &* Node.bitsOfBranch)) & (Node.childCount - 1)
        }
    }

    /// An identifier with its content.
    @frozen @usableFromInline
    struct Entry: Sendable {
        @usableFromInline let key: Key
        @usableFromInline let content: Content

        @inlinable init(_ key: Key, _ content: Content) {
            self.key = key
            self.content = content
        }
    }

    /// A bucket with entries, or a branch with children.
    @frozen @usableFromInline
    struct Node: Sendable {
        @usableFromInline var entries: [Entry] = []
        @usableFromInline var children: [Node] = []

        @inlinable init() {}

        @inlinable static var bitsOfBranch: Int { 3 }
        @inlinable static var childCount: Int { 1 << bitsOfBranch }
        /// The maximum number of entries of a bucket.
        ///
        /// A bucket has more only if all their hashes are the same.
        @inlinable static var bucketCapacity: Int { 32 }

        @inlinable var isBucket: Bool { children.isEmpty }

        @inlinable func content(of key: Key, _ depth: Int) -> Content? {
            if isBucket { return entries.firstIndex { $0.key.isEqual(to: key) }.map { entries[$0].content } }
            return children[key.child(depth)].content(of: key, depth &+ 1)
        }

        /// Adds an entry, unless there is one with its identifier, which it can replace.
        ///
        /// - Returns: Whether the identifier is new.
        @inlinable mutating func insert(_ entry: Entry, _ depth: Int, replacing: Bool) -> Bool {
            if !isBucket {
                return children[entry.key.child(depth)].insert(entry, depth &+ 1, replacing: replacing)
            }
            if let index = entries.firstIndex(where: { $0.key.isEqual(to: entry.key) }) {
                if replacing { entries[index] = entry }
                return false
            }
            entries.append(entry)
            if isOverfull { divide(depth) }
            return true
        }

        /// Whether a bucket has too many entries.
        @inlinable var isOverfull: Bool {
            entries.count > Self.bucketCapacity && !entries.allSatisfy { $0.key.hash == entries[0].key.hash }
        }

        /// Turns a bucket into a branch.
        @inlinable mutating func divide(_ depth: Int) {
            children = Array(repeating: Node(), count: Self.childCount)
            for entry in entries { children[entry.key.child(depth)].entries.append(entry) }
            entries = []
            for child in children.indices where children[child].isOverfull { children[child].divide(depth &+ 1) }
        }

        /// Adds the entries that another node at the same place doesn't have to an array.
        @inlinable func subtract(_ other: Node, _ depth: Int, into rest: inout [ID]) {
            if isShared(with: other) { return }
            if isBucket {
                for entry in entries where other.content(of: entry.key, depth) == nil { rest.append(entry.key.id) }
            } else if other.isBucket {
                for child in children { child.subtract(other, depth &+ 1, into: &rest) }
            } else {
                for (child, otherChild) in zip(children, other.children) {
                    child.subtract(otherChild, depth &+ 1, into: &rest)
                }
            }
        }

        /// Whether two nodes have the same memory.
        @inlinable func isShared(with other: Node) -> Bool {
            entries.withUnsafeBufferPointer { $0.baseAddress }
                == other.entries.withUnsafeBufferPointer { $0.baseAddress }
                && children.withUnsafeBufferPointer { $0.baseAddress }
                    == other.children.withUnsafeBufferPointer { $0.baseAddress }
                && entries.count == other.entries.count && children.count == other.children.count
        }

        @inlinable mutating func remove(_ key: Key, _ depth: Int) -> Bool {
            if isBucket {
                guard let index = entries.firstIndex(where: { $0.key.isEqual(to: key) }) else { return false }
                entries.remove(at: index)
                return true
            }
            guard children[key.child(depth)].remove(key, depth &+ 1) else { return false }
            if children.allSatisfy({ $0.isBucket && $0.entries.isEmpty }) { children = [] }
            return true
        }
    }
}
