import FlatCache

/// Which statuses a screen lists.
enum Feed: Hashable, Sendable {
    /// Statuses that the server chose, in its order.
    case home([Status.ID])
    /// All statuses by an account that have been seen so far, newest first.
    case profile(Account.ID)
}

extension Feed {
    var title: String {
        switch self {
        case .home: "Home"
        case .profile(let id): "Profile of @\(FlatCache.current.get(Account.self, id: id)?.handle ?? id)"
        }
    }

    /// The statuses to list, without those that aren't stored.
    var statuses: [Status] {
        switch self {
        case .home(let ids): FlatCache.current.get(ids: ids)
        case .profile(let id): FlatCache.current.get(Account.self, id: id)?.statuses ?? []
        }
    }

    /// The keys of the entities that decide which statuses are listed, stored or not.
    var keys: Set<FlatCacheKey> {
        switch self {
        case .home(let ids): Set(ids.map(Status.flatCacheKey(id:)))
        case .profile(let id): [Account.flatCacheKey(id: id)]
        }
    }
}
