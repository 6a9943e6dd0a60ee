/// How fetching of an entity goes.
///
///     if handle.status.isLoading { ProgressView() }
///     if let error = handle.status.error { … }
public struct EntityStatus: Sendable {
    /// Whether the entity is being fetched, by whomever.
    public let isLoading: Bool

    /// Why the last attempt to fetch the entity has failed; `nil` when it has not, and from the next success on.
    ///
    /// The error stays while the next attempt is being made. The success of any fetcher that brings the entity clears it, and so
    /// does clearing the cache. Being cancelled is no failure.
    public let error: FetchError?

    /// The request whose error that is, which stands for the error in comparisons.
    private let errorTicket: UInt64

    init<Value>(_ status: FetchStatus<Value>?) {
        isLoading = status?.isLoading ?? false
        error = status?.error
        errorTicket = status?.errorTicket ?? 0
    }
}

extension EntityStatus: Equatable {
    /// Returns whether two are the same; errors are the same when they are of one attempt.
    public static func == (lhs: EntityStatus, rhs: EntityStatus) -> Bool {
        lhs.isLoading == rhs.isLoading && lhs.errorTicket == rhs.errorTicket
    }
}

/// How fetching of one entity goes: the library's own entity beside that of the user.
///
/// It is stored when a request is announced, and removed in the commit of the answer; what has failed stays until the next
/// success. There is none for an entity that isn't being fetched and whose last attempt has not failed.
struct FetchStatus<Value: Cachable>: Bookkeeping, Equatable {
    let id: Value.ID
    /// The newest request, so that older ones, which may end later, don't speak for it.
    let ticket: UInt64
    var isLoading = true
    var error: FetchError?
    /// The request whose error that is, which stands for the error in comparisons.
    var errorTicket: UInt64 = 0

    static func == (lhs: Self, rhs: Self) -> Bool {
        lhs.ticket == rhs.ticket && lhs.isLoading == rhs.isLoading && lhs.errorTicket == rhs.errorTicket
    }
}
