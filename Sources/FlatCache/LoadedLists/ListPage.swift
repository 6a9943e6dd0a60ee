/// A page of a list, as a server sends it.
///
///     ListPage(posts, next: response.nextCursor)
///     ListPage(posts, next: response.nextCursor, previous: response.previousCursor)
///
/// It is the answer of the loader of a list; see <doc:ListsThatLoad>. The entities are
/// in the order of the list, in whatever direction the page is loaded. A page without a `next` cursor is the last one, and a
/// page without a `previous` cursor is the first one.
public struct ListPage<Value: Cachable, Cursor: Sendable>: Sendable {
    let content: PayloadContent
    /// Stores the entities in the transaction of the calling thread, and returns the listed identifiers.
    let store: @Sendable (FlatCache, WriteCondition) -> [Value.ID]
    let next: Cursor?
    let previous: Cursor?

    /// Creates a page of entities.
    ///
    /// - Parameters:
    ///   - values: The entities, in the order of the list.
    ///   - next: The cursor of the page that follows, or `nil` if this is the last one.
    ///   - previous: The cursor of the page that precedes, or `nil` if this is the first one.
    @inlinable public init(_ values: some Sequence<Value>, next: Cursor?, previous: Cursor? = nil) {
        let values = Array(values)
        self.init(values, values.map { $0.id }, next: next, previous: previous) { $0.write() }
    }

    /// Creates a page of entities.
    ///
    /// - Parameter write: Writes the entities. It is a closure because closures are specialized for the type.
    @usableFromInline init(
        _ values: [Value],
        _ ids: [Value.ID],
        next: Cursor?,
        previous: Cursor?,
        _ write: @escaping (FlatCache._PayloadEntities<Value>) -> Void
    ) {
        let entities = CollectedEntities<Value>(values, write)
        let payload = Payload<[NoRoot]>(content: PayloadContent(parts: [entities], problems: []), root: PayloadRoot())
        self.init(payload, next: next, previous: previous) { _ in ids }
    }

    /// Creates a page of a payload with an array of entities.
    ///
    /// - Parameters:
    ///   - payload: The payload, whose other entities are stored, too.
    ///   - next: The cursor of the page that follows, or `nil` if this is the last one.
    ///   - previous: The cursor of the page that precedes, or `nil` if this is the first one.
    public init(_ payload: Payload<[Value]>, next: Cursor?, previous: Cursor? = nil) where Value: Decodable {
        self.init(payload, next: next, previous: previous) { $0.value?.map { $0.id } ?? [] }
    }

    /// Creates a page of a payload of any form.
    ///
    ///     ListPage(payload, next: "2") { $0.value?.items.map(\.id) ?? [] }
    ///
    /// - Parameters:
    ///   - payload: The payload, whose entities are all stored.
    ///   - next: The cursor of the page that follows, or `nil` if this is the last one.
    ///   - previous: The cursor of the page that precedes, or `nil` if this is the first one.
    ///   - ids: A closure that returns the listed identifiers, in order.
    public init<Root>(
        _ payload: Payload<Root>,
        next: Cursor?,
        previous: Cursor? = nil,
        ids: @escaping @Sendable (StoredPayload<Root>) -> [Value.ID]
    ) {
        content = payload.content
        store = { cache, condition in ids(cache.store(payload.content, payload.root, if: condition, origin: .server)) }
        self.next = next
        self.previous = previous
    }
}

/// The root of the payload of a page that has no other one.
private struct NoRoot: Decodable, Sendable {}

/// How a refreshed first page joins a list that has entities already.
public enum ListJoining: Hashable, Sendable {
    /// The list has the entities of the page alone. ``CachedList/loadMore(after:)`` continues after them.
    case replace
    /// The page comes first, and the entities below it stay after it, in their order.
    ///
    /// If the last entity of the page joins it to what earlier pages have brought, entities of these pages that are listed above
    /// this place and aren't in the page leave the list. If it joins it to nothing, and more follow it, there is a gap after the
    /// page; see ``CachedList/gaps``.
    case insertAbove
}

/// The reason why a list can't be loaded.
///
/// The errors of a loader are thrown as they are.
public enum ListError: Error, Hashable, Sendable {
    /// No loader is set for the list with this name.
    case noLoader(String)
    /// Nothing is stored under the name, and the policy doesn't allow a call of the loader.
    case notLoaded(String)
    /// The loader of the list with this name would wait for itself.
    ///
    /// A loader that waits for a page of its own list, directly or through fetchers and other loaders, can wait forever. The
    /// request that closes the cycle throws this error instead, for whatever place of the list. If it is the request of an
    /// entity, it throws ``FetchError/cyclic(_:)``, which says what counts as a request of the loader.
    case cyclic(String)
    /// The loader of the list with this name can't be asked for the page around an entity, because it takes only cursors.
    case cursorsOnly(String)
    /// The cache of the list with this name is deallocated.
    case cacheGone(String)
}

extension ListError: CustomStringConvertible {
    /// A message that describes the problem and the remedy.
    public var description: String {
        switch self {
        case .noLoader(let name): "The list '\(name)' has no loader. Call 'setLoader' before it is loaded"
        case .notLoaded(let name):
            "The list '\(name)' isn't stored, and the policy doesn't allow to load it. Use another policy, such as 'cacheFirst'"
        case .cyclic(let name):
            """
            The list '\(name)' can't be loaded from inside a call of its own loader: the two would wait for each other. Return \
            the entities from that loader, or load the list after it
            """
        case .cursorsOnly(let name):
            """
            The list '\(name)' can't be opened around an entity, because its loader takes only cursors. Set a loader that takes a \
            'ListPageRequest'
            """
        case .cacheGone(let name):
            "The cache of the list '\(name)' is deallocated. Keep the cache while the list is loaded"
        }
    }
}
