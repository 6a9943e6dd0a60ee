/// The way in which an entity that is stored combines with the entity that is already stored under its identifier.
///
///     struct Post: Cachable {
///         let id: String
///         var updatedAt: Date?
///         var commentIDs: [String]
///
///         static let merge: Merge<Post> = .newest(by: \.updatedAt).then(.union(of: \.commentIDs))
///     }
///
/// A type has one merge, ``Cachable/merge``. Where the app has a type `Merge` of its own, it is written
/// `FlatCache.Merge`.
///
/// ## What is merged
///
/// Every whole entity that comes in is merged:
///
/// - `set(_:)`, `set(contentsOf:)`, and `update(_:)` with an entity,
/// - entities that are stored with a list, a reference or a generated setter,
/// - `set(_:)` of a handle, and the entities in `update(storing:_:)`,
/// - the answers of fetchers,
/// - the entities of payloads. Properties that a payload leaves out are filled in from the stored entity before.
///   Patches aren't merged.
///
/// If a batch or an answer has an identifier twice, its entities are merged in order. The result of an `update` isn't
/// merged, because its body has received the stored entity. An entity that moves because a body changes its identifier
/// replaces the one at the new identifier. Nothing is merged if no entity is stored, so `insertIfAbsent(_:)` doesn't
/// merge, and nor does the first write after a removal.
///
/// If the stored entity is kept, nothing is changed, nobody is notified, and its age stays. If a fetcher returns only
/// outdated versions of a stale entity, the entity remains stale.
///
/// ## Merges of one's own
///
/// A closure returns the entity to store, or `nil` to keep the stored one:
///
///     static let merge = Merge<Post> { stored, incoming in
///         var merged = incoming
///         merged.isRead = stored.isRead || incoming.isRead
///         return merged
///     }
///
/// The closure should depend on its arguments only. It is called with no lock held, on the thread that writes. It is
/// called again if another thread writes the entity before the result is stored, and it may be called more than once in
/// a transaction. So concurrent unions lose no identifier. After eight such calls, other threads wait before they write
/// the entity. It must not wait until another thread has written the entity.
///
/// In a transaction, an entity is merged with the state that the body reads, and again at the commit if another thread
/// has written it meanwhile. The body isn't run again for this, unless it reads the merged entity. The result of `set`
/// describes the state that the body reads.
///
/// If the closure uses a cache nevertheless, its reads and writes are not part of a transaction around the write. If it
/// always writes the merged entity, or an entity that the transaction has read, the body or the merge runs again, at
/// most nine times, and its result replaces the write. After `allValues` or `count` of the written type, the
/// transaction runs forever.
///
/// The closure must not change the identifier. If it returns an entity with another identifier, the incoming entity is
/// stored instead.
@frozen
public struct Merge<Value: Cachable>: Sendable {
    /// The closure, or `nil` for ``replace``, so that the check for it is evaluated when the code is specialized.
    @usableFromInline let combine: (@Sendable (_ stored: Value, _ incoming: Value) -> Value?)?

    @inlinable init(combine: (@Sendable (_ stored: Value, _ incoming: Value) -> Value?)?) {
        self.combine = combine
    }

    /// Creates a merge with a closure.
    ///
    /// - Parameter combine: A closure that returns the entity to store, or `nil` to keep the stored one. It isn't
    ///   called if no entity is stored.
    @inlinable
    public init(_ combine: @escaping @Sendable (_ stored: Value, _ incoming: Value) -> Value?) {
        self.init(combine: combine)
    }

    /// The incoming entity replaces the stored one.
    @inlinable
    public static var replace: Merge { Merge(combine: nil) }

    /// The entity with the newer stamp is stored.
    ///
    ///     static let merge: Merge<Post> = .newest(by: \.updatedAt)
    ///
    /// If the incoming entity has an older stamp, the stored one is kept. If the stamps are equal, the incoming entity is
    /// stored.
    ///
    /// `nil` is older than any stamp, like the date of the last edit of an entity that was never edited. So an entity
    /// without a stamp doesn't replace one that has a stamp. If neither has one, the incoming entity is stored.
    ///
    /// - Parameter stamp: Returns the stamp of an entity, such as a date or the number of a version.
    @inlinable
    public static func newest<Stamp: Comparable & Sendable>(
        by stamp: @escaping @Sendable (Value) -> Stamp?
    ) -> Merge {
        Merge { stored, incoming in
            guard let old = stamp(stored) else { return incoming }
            guard let new = stamp(incoming), new >= old else { return nil }
            return incoming
        }
    }

    /// The incoming entity is stored with the identifiers of both entities.
    ///
    ///     static let merge: Merge<Post> = .union(of: \.commentIDs)
    ///
    /// In an array, the stored identifiers come first, then the new ones, each once. All other properties are those of
    /// the incoming entity.
    ///
    /// - Parameter property: A property that holds an array or a set of identifiers.
    @inlinable
    public static func union<IDs: _IdentifierCollection & Sendable>(
        of property: any WritableKeyPath<Value, IDs> & Sendable
    ) -> Merge where IDs.Element: Hashable & Sendable {
        Merge { stored, incoming in
            var merged = incoming
            merged[keyPath: property] = stored[keyPath: property].united(with: incoming[keyPath: property])
            return merged
        }
    }

    /// The incoming entity is stored with the identifiers of both entities.
    ///
    /// In an array, the stored identifiers come first, then the new ones, each once. All other properties are those of
    /// the incoming entity.
    ///
    /// - Parameter property: A property that holds an array or a set of identifiers, or `nil`. If the property of one
    ///   entity is `nil`, the identifiers of the other one are stored.
    @inlinable
    public static func union<IDs: _IdentifierCollection & Sendable>(
        of property: any WritableKeyPath<Value, IDs?> & Sendable
    ) -> Merge where IDs.Element: Hashable & Sendable {
        Merge { stored, incoming in
            guard let old = stored[keyPath: property] else { return incoming }
            var merged = incoming
            merged[keyPath: property] = incoming[keyPath: property].map { old.united(with: $0) } ?? old
            return merged
        }
    }

    /// Returns a merge that applies another one to the result of this one.
    ///
    ///     static let merge: Merge<Post> = .newest(by: \.updatedAt).then(.union(of: \.commentIDs))
    ///
    /// If this merge keeps the stored entity, the other one isn't applied.
    ///
    /// - Parameter next: The merge of the stored entity and the result of this merge.
    @inlinable
    public func then(_ next: Merge) -> Merge {
        guard let combine else { return next }
        guard let combineNext = next.combine else { return self }
        return Merge { stored, incoming in
            combine(stored, incoming).flatMap { combineNext(stored, $0) }
        }
    }
}

extension Merge {
    /// Whether the incoming entity always replaces the stored one.
    @inlinable var isReplace: Bool {
        if case .none = combine { true } else { false }
    }

    /// Whether an entity is kept if another one comes in, for which user code may run.
    func keeps(_ stored: Value, over incoming: Value) -> Bool { combine.map { $0(stored, incoming) == nil } ?? false }

    /// A closure that returns the entity to store for an incoming entity, or `nil` to keep the stored one.
    ///
    /// Its argument is the stored entity, or `nil` if none is stored. It may run user code.
    @usableFromInline func resolver(for incoming: Value) -> (Value?) -> Value? {
        { [combine] stored in
            guard let combine, let stored else { return incoming }
            guard let merged = combine(stored, incoming) else { return nil }
            // A slot always belongs to the same identifier.
            return merged.id == incoming.id ? merged : incoming
        }
    }
}

extension _IdentifierCollection where Element: Hashable {
    /// The identifiers of this collection, then those of another one, each once.
    @inlinable func united(with other: Self) -> Self {
        var known: Set<Element> = []
        var all: [Element] = []
        for id in self where known.insert(id).inserted { all.append(id) }
        for id in other where known.insert(id).inserted { all.append(id) }
        return Self(_identifiers: all)
    }
}

extension Merge: CustomStringConvertible, CustomReflectable {
    /// A line with the type: `Merge<Blog.Post>: replace`, or `combine` with a closure.
    public var description: String {
        Summary.line(Summary.name("Merge", of: Value.self), nil, [isReplace ? "replace" : "combine"])
    }

    /// No members, so that `dump` prints the line alone.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
