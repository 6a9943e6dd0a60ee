/// The names that accessors get from an identifier property, without the backticks that Swift may need.
struct AccessorNames: Equatable {
    /// `author`, `comments`.
    let accessor: String
    /// `cachedAuthor`, `cachedComments`.
    let cached: String
    /// `setAuthor`, `setComments`.
    let setter: String
    /// `fetchAuthor`, `fetchComments`.
    let fetch: String
    /// `requireAuthor`, `requireComments`, where the annotation asks for them.
    let require: String
    /// `missingCommentIDs`, for collections.
    let missing: String

    init(accessor: String, property: String) {
        self.accessor = accessor
        cached = "cached" + accessor.capitalizedFirst
        setter = "set" + accessor.capitalizedFirst
        fetch = "fetch" + accessor.capitalizedFirst
        require = "require" + accessor.capitalizedFirst
        missing = "missing" + property.capitalizedFirst
    }

    /// The members that accessors add to a type, as overload resolution tells them apart.
    func members(isToMany: Bool, isThrowing: Bool) -> [String] {
        // A method that can be called like the generated one would be called in its place.
        let setters = [setter, "\(setter)(_:)", "\(setter)(_:in:)"]
        let fetches = [fetch, "\(fetch)(_:)", "\(fetch)(in:)", "\(fetch)(_:in:)", "\(fetch)(_:in:isolation:)"]
        let common = [accessor, "\(accessor)(in:)", cached, "\(cached)(in:)"] + setters + fetches
        return common + (isToMany ? [missing, "\(missing)(in:)"] : [])
            + (isThrowing ? [require, "\(require)(in:)"] : [])
    }

    /// The members that accessors add to the handles of a type.
    func handleMembers(isToMany: Bool, isThrowing: Bool) -> [String] {
        [accessor, cached, "\(setter)(_:)", "\(fetch)(_:isolation:)", "\(fetch)(_:)", "\(fetch)"]
            + (isToMany ? [missing] : []) + (isThrowing ? [require] : [])
    }

    /// The members of every handle, which no accessor may be named like.
    static let handleMembers: Set<String> = [
        "id", "key", "cache", "value", "values", "description", "hashValue", "isLoading", "error", "state",
        "states", "flatCacheKey", "publisher",
    ]
}

extension String {
    /// The string with its first letter as a capital.
    var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
