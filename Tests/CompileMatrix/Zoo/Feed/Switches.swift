import FlatCache

// With library evolution too, a switch over all cases needs no default.

// Kinds of changes may become more.

func name(_ kind: ChangeKind) -> String {
    switch kind {
    case .initial: "initial"
    case .inserted: "inserted"
    case .updated: "updated"
    case .removed: "removed"
    default: "something new"
    }
}

// With library evolution too, a switch over all errors needs no default.

func entities(_ error: FlatCache.FetchError) -> [FlatCacheKey] {
    switch error {
    case .noFetcher(let keys), .notCached(let keys), .notFound(let keys), .removed(let keys): keys
    case .cyclic(let keys), .failed(let keys, _), .cancelled(let keys): keys
    case .cacheGone(let key): [key]
    }
}

func missingEntities(_ error: FlatCache.RelationshipError) -> [FlatCacheKey] {
    switch error {
    case .constantIdentifier: []
    case .ownerMissing(let key): [key]
    case .relatedMissing(_, _, let keys): keys
    }
}
