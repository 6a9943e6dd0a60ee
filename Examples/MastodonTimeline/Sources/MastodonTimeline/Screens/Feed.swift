import FlatCache

/// Which statuses a screen lists.
enum Feed: Hashable, Sendable {
    /// Statuses that the server chose, in its order.
    case home([Status.ID])
    /// All statuses by an account that have been seen so far, newest first.
    case profile(Account.ID)
}

extension Feed {
    func title(in cache: FlatCache) -> String {
        switch self {
        case .home: "Home"
        case .profile(let id): "Profile of @\(cache.get(Account.self, id: id)?.handle ?? id)"
        }
    }

    /// Returns the statuses to list, without those that aren't stored.
    func statuses(in cache: FlatCache) -> [Status] {
        switch self {
        case .home(let ids): cache.get(ids: ids)
        case .profile(let id): cache.get(Account.self, id: id)?.statuses(in: cache) ?? []
        }
    }

    /// Returns the keys of the entities that decide which statuses are listed, stored or not.
    func keys(in cache: FlatCache) -> Set<FlatCacheKey> {
        switch self {
        case .home(let ids):
            return Set(ids.map(Status.flatCacheKey(id:)))
        case .profile(let id):
            let statusIDs = cache.get(Account.self, id: id)?.statusIDs ?? []
            return Set(statusIDs.map(Status.flatCacheKey(id:))).union([Account.flatCacheKey(id: id)])
        }
    }
}
