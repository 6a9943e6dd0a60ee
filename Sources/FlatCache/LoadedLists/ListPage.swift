/// A page of a list, as a server sends it.
///
///     ListPage(posts, next: response.nextCursor)
///     ListPage(posts, next: response.nextCursor, previous: response.previousCursor)
///
/// It is the answer of the loader of a list; see <doc:ListsThatLoad>. The entities are
/// in the order of the list, in whatever direction the page is loaded.
///
/// A page without a `next` cursor is the last one: what earlier pages have brought below it leaves the list. A page
/// that is loaded upwards without a `previous` cursor is the first one: what earlier pages have brought above it leaves
/// the list. For many servers a short page isn't the last one, so decide by what the server says.
public struct ListPage<Value: Cachable, Cursor: Sendable>: Sendable {
    /// The identifiers of a page, the cursors of those beside it, and what could not be stored.
    typealias Stored = (ids: [Value.ID], next: Cursor?, previous: Cursor?, problems: [PayloadProblem])

    let content: PayloadContent
    /// Stores the entities in the transaction of the calling thread.
    let store: @Sendable (FlatCache, WriteCondition) throws -> Stored
    /// The cursors, if they are known before the entities are stored.
    private let next: Cursor?
    private let previous: Cursor?

    /// Creates a page of entities.
    ///
    /// - Parameters:
    ///   - values: The entities, in the order of the list.
    ///   - next: The cursor of the page that follows, or `nil` if this is the last one.
    ///   - previous: The cursor of the page that precedes, or `nil` if this is the first one.
    public init(_ values: some Sequence<Value>, next: Cursor?, previous: Cursor? = nil) {
        let values = Array(values)
        let ids = values.map { $0.id }
        let entities = CollectedEntities<Value>(values) { $0.write() }
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
    /// The closure is called in the transaction that stores the page, and may be called more than once. Entities that
    /// it writes are part of the commit. It must not change the list.
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
        store = { cache, condition in
            let stored = cache.store(payload.content, payload.root, if: condition, origin: .server)
            return (ids(stored), next, previous, stored.problems)
        }
        self.next = next
        self.previous = previous
    }

    /// Creates a page of a response that has the cursors, too.
    ///
    ///     ListPage(try decoder.decode(Payload<PostPage>.self, from: data), ids: \.postIDs, next: \.nextCursor)
    ///
    /// If the root can't be decoded, nothing is stored, and the first ``PayloadProblem`` is thrown to all who wait for the
    /// page, and is the ``CachedList/error``.
    ///
    /// - Parameters:
    ///   - response: The response, whose entities are all stored.
    ///   - ids: The property with the listed identifiers, in order.
    ///   - next: The property with the cursor of the page that follows, which is `nil` if this is the last one.
    ///   - previous: The property with the cursor of the page that precedes, or `nil` if there is none.
    public init<Response: PayloadConvertible>(
        _ response: Response,
        ids: any KeyPath<Response.Root, [Value.ID]> & Sendable,
        next: any KeyPath<Response.Root, Cursor?> & Sendable,
        previous: (any KeyPath<Response.Root, Cursor?> & Sendable)? = nil
    ) {
        self.init(
            response,
            ids: { $0[keyPath: ids] },
            next: { $0[keyPath: next] },
            previous: Self.cursor(at: previous)
        )
    }

    /// The closure that takes a cursor from a response.
    private static func cursor<Root>(
        at property: (any KeyPath<Root, Cursor?> & Sendable)?
    ) -> @Sendable (Root) -> Cursor? {
        { root in property.flatMap { root[keyPath: $0] } }
    }

    /// Deprecated, because a list with such pages has no end.
    @available(*, deprecated, message: "'next' is never nil here: write 'next: { $0.next.isEmpty ? nil : $0.next }'")
    public init<Response: PayloadConvertible>(
        _ response: Response,
        ids: any KeyPath<Response.Root, [Value.ID]> & Sendable,
        next: any KeyPath<Response.Root, Cursor> & Sendable,
        previous: (any KeyPath<Response.Root, Cursor?> & Sendable)? = nil
    ) {
        self.init(
            response,
            ids: { $0[keyPath: ids] },
            next: { $0[keyPath: next] },
            previous: Self.cursor(at: previous)
        )
    }

    /// Unavailable, because a response is stored from a payload.
    @available(*, unavailable, message: "decode 'Payload<…>' of the response's type, instead of the type itself")
    public init<Response: Decodable>(
        _ response: Response,
        ids: any KeyPath<Response, [Value.ID]> & Sendable,
        next: any KeyPath<Response, Cursor?> & Sendable
    ) {
        self.init([], next: nil)
    }

    /// Unavailable, because a response is stored from a payload.
    @available(*, unavailable, message: "decode 'Payload<…>' of the response's type, instead of the type itself")
    public init<Response: Decodable>(
        _ response: Response,
        ids: any KeyPath<Response, [Value.ID]> & Sendable,
        next: any KeyPath<Response, Cursor?> & Sendable,
        previous: any KeyPath<Response, Cursor?> & Sendable
    ) {
        self.init([], next: nil)
    }

    /// Creates a page of a response that has the cursors, too, which closures take from it.
    ///
    ///     ListPage(payload, ids: { $0.posts.map(\.id) }, next: { $0.links.next?.cursor })
    ///
    /// The closures are called in the transaction that stores the page, and may be called more than once. Entities that
    /// they write are part of the commit. They must not change the list. If the root can't be decoded, nothing is
    /// stored, and the first ``PayloadProblem`` is thrown to all who wait for the page, and is the
    /// ``CachedList/error``.
    ///
    /// - Parameters:
    ///   - response: The response, whose entities are all stored.
    ///   - ids: Returns the listed identifiers, in order.
    ///   - next: Returns the cursor of the page that follows, or `nil` if this is the last one.
    ///   - previous: Returns the cursor of the page that precedes, or `nil` if this is the first one.
    public init<Response: PayloadConvertible>(
        _ response: Response,
        ids: @escaping @Sendable (Response.Root) -> [Value.ID],
        next: @escaping @Sendable (Response.Root) -> Cursor?,
        previous: @escaping @Sendable (Response.Root) -> Cursor? = { _ in nil }
    ) {
        let payload = response.payload
        content = payload.content
        store = { cache, condition in
            let stored = cache.store(payload.content, payload.root, if: condition, origin: .server)
            guard let root = stored.value else {
                let nothing = DecodingError.Context(codingPath: [], debugDescription: "the response has no value")
                let error = DecodingError.valueNotFound(Response.Root.self, nothing)
                throw stored.problems.first ?? PayloadProblem(error, of: Response.Root.self, at: [])
            }
            return (ids(root), next(root), previous(root), stored.problems)
        }
        self.next = nil
        self.previous = nil
    }
}

/// The root of the payload of a page that has no other one.
private struct NoRoot: Decodable, Sendable {}

/// How a refreshed first page joins a list that has entities already.
///
/// ## What pages change
///
/// An identifier is listed once, at the place that the newest page gives it. What pages have brought on the side from
/// which a page is loaded keeps its place: above a page that is loaded downwards, and below one that is loaded upwards.
/// What a page of a later request has brought stays.
///
/// Where a page joins an earlier one, it decides what is listed: identifiers that pages have brought there and that
/// aren't in the page leave the list.
///
/// - What the app has added itself, such as a new post, stays beside its neighbour, or above the page if the app has
///   put it at the beginning meanwhile. With the first page that has it, it counts as brought by a page. A store keeps
///   which identifiers the app has added.
/// - Identifiers with which the app replaces the list count as brought by pages.
/// - What the app has removed from the list meanwhile isn't listed, unless the app has added it again.
/// - Entities that were removed from the cache meanwhile aren't listed. If the list still has the identifier, it stays;
///   see ``CachedList/missingIDs``.
/// - What only a pending mutation shows isn't in the confirmed list, and stays where the mutation has put it.
///
/// ## When pages join
///
/// A page joins what is listed below if it ends with entities that are listed in the same order, without a gap between,
/// at least two more than it leaves out. One that it repeats doesn't suffice, because the server can have moved it up:
/// an old post is pinned, or has a new date. Those that it leaves out count as deleted. Otherwise there is a gap after
/// the page, which the next pages close. For pages that are loaded upwards, the same is true of their first entities.
/// On the side from which a page is loaded, nothing needs to be repeated.
///
/// - Pages of one entity don't join, nor do small ones where much was deleted.
/// - If a page ends with several entities that the server has moved up in their order, it looks as if it repeated them,
///   and there is no gap after it. `replace` replaces the list.
public enum ListJoining: Hashable, Sendable {
    /// The list has the entities of the page, and what the app has added since the call began, above them unless it was
    /// listed before. ``CachedList/loadMore(after:)`` continues after the page.
    case replace
    /// The page comes first, and the entities below it stay after it, in their order.
    ///
    /// If the page doesn't join what earlier pages have brought, and more follow it, there is a gap after the page; see
    /// ``CachedList/gaps``.
    case insertAbove
}

extension ListPage: CustomStringConvertible, CustomReflectable {
    /// A line with the count and the cursors: `ListPage<Blog.Post>: 20 entities of 1 type, next "2"`.
    public var description: String {
        Summary.line(
            Summary.name("ListPage", of: Value.self),
            nil,
            content.facts + [
                next.map { "next \(Summary.value($0))" }, previous.map { "previous \(Summary.value($0))" },
            ]
        )
    }

    /// No members, so that `dump` prints the line alone.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
