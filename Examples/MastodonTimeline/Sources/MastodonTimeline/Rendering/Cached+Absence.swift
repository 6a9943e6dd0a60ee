import FlatCache

extension Cached {
    /// What to say in place of an entity that isn't stored: that it is being loaded, or why it could not be.
    ///
    /// `nil` when there is nothing to say: nobody has asked for it, or the server doesn't have it.
    var absence: Absence? {
        let status = status
        if status.isLoading { return .loading }
        switch status.error {
        case nil, .notFound, .removed, .cancelled: return nil
        case .failed(_, let error): return .failed("\(error)")
        case .some(let error): return .failed("\(error)")
        }
    }
}

/// Why an entity isn't there, and may come yet.
enum Absence: Equatable {
    case loading
    case failed(String)
}

extension Absence: CustomStringConvertible {
    var description: String {
        switch self {
        case .loading: "loading …"
        case .failed(let reason): "could not be loaded: \(reason)"
        }
    }
}
