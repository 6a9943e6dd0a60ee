/// A page of a list, as a server sends it.
///
///     ListPage(posts, next: response.nextCursor)
///     ListPage(posts, next: response.nextCursor, previous: response.previousCursor)
///
/// It is the answer of the loader of a list; see <doc:ListsThatLoad>. The entities are
/// in the order of the list, in whatever direction the page is loaded. A page without a `next` cursor is the last one, and a
/// page without a `previous` cursor is the first one.
public struct ListPage<Value: Cachable, Cursor: Sendable>: Sendable {
    /// The identifiers of a page, and the cursors of those beside it.
    typealias Stored = (ids: [Value.ID], next: Cursor?, previous: Cursor?)

    let content: PayloadContent
    /// Stores the entities in the transaction of the calling thread.
    let store: @Sendable (FlatCache, WriteCondition) throws -> Stored
    /// What is known of the cursors before the entities are stored.
    private let facts: [String?]

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
            (ids(cache.store(payload.content, payload.root, if: condition, origin: .server)), next, previous)
        }
        facts = [next.map { "next \(Summary.value($0))" }, previous.map { "previous \(Summary.value($0))" }]
    }

    /// Creates a page of a response that has the cursors, too.
    ///
    ///     ListPage(try decoder.decode(Payload<PostPage>.self, from: data), ids: \.postIDs, next: \.nextCursor)
    ///
    /// The closures are called in the transaction that stores the page, and may be called more than once. If the root can't be
    /// decoded, the list isn't changed, and the first ``PayloadProblem`` is thrown to all who wait for the page.
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
            return (ids(root), next(root), previous(root))
        }
        facts = []
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
    /// The page joins what earlier pages have brought if it ends with their entities in the listed order, without a gap between, at
    /// least two more than it leaves out. Those that it leaves out are no longer listed then. If it doesn't join, and more follow
    /// it, there is a gap after the page; see ``CachedList/gaps``.
    case insertAbove
}

extension ListPage: CustomStringConvertible, CustomReflectable {
    /// A line with the count and the cursors: `ListPage<Blog.Post>: 20 entities of 1 type, next "2"`.
    public var description: String {
        Summary.line(
            Summary.name("ListPage", of: Value.self),
            nil,
            content.facts + facts
        )
    }

    /// No members, so that `dump` prints the line alone.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
