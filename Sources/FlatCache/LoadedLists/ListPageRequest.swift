/// The page that a loader is asked for, if it loads pages in both directions.
///
///     home.setLoader { (request: ListPageRequest<Post, String>) in
///         let response = switch request {
///         case .first: try await api.posts()
///         case .after(let cursor): try await api.posts(after: cursor)
///         case .before(let cursor): try await api.posts(before: cursor)
///         case .around(let id): try await api.posts(around: id)
///         }
///         return ListPage(response.posts, next: response.next, previous: response.previous)
///     }
///
/// The entities of each page are in the order of the list, in both directions.
public enum ListPageRequest<Value: Cachable, Cursor: Sendable>: Sendable {
    /// The first page, which ``CachedList/refresh(_:)`` asks for.
    case first
    /// The page that follows, with its cursor, which ``CachedList/loadMore(after:)`` asks for.
    case after(Cursor)
    /// The page that precedes, with its cursor, which ``CachedList/loadPrevious(before:)`` asks for.
    case before(Cursor)
    /// The page around an entity, which ``CachedList/refresh(around:)`` asks for.
    case around(Value.ID)
}

extension ListPageRequest where Cursor == any Sendable {
    /// The request with the cursor type of a loader.
    ///
    /// A cursor of another type, of before the loader was set, is that of no page. The first page is asked for then.
    func typed<Typed: Sendable>(_ type: Typed.Type) -> ListPageRequest<Value, Typed> {
        switch self {
        case .first: .first
        case .after(let cursor): (cursor as? Typed).map { .after($0) } ?? .first
        case .before(let cursor): (cursor as? Typed).map { .before($0) } ?? .first
        case .around(let id): .around(id)
        }
    }

    /// The cursor, or `nil` if there is none.
    var cursor: (any Sendable)? {
        switch self {
        case .first, .around: nil
        case .after(let cursor), .before(let cursor): cursor
        }
    }

    /// Whether it is the first page.
    var isFirst: Bool { if case .first = self { true } else { false } }
}
