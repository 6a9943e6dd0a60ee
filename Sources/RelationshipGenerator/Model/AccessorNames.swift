/// The names that accessors get from an identifier property, without the backticks that Swift may need.
struct AccessorNames: Equatable {
    /// `author`, `comments`.
    let accessor: String
    /// `setAuthor`, `setComments`.
    let setter: String
    /// `fetchAuthor`, `fetchComments`.
    let fetch: String

    init(accessor: String) {
        self.accessor = accessor
        setter = "set" + accessor.capitalizedFirst
        fetch = "fetch" + accessor.capitalizedFirst
    }

    /// The members that accessors add to a type, as overload resolution tells them apart.
    var members: [String] {
        // A method that can be called like the generated one would be called in its place.
        [accessor, "\(accessor)(in:)", setter, "\(setter)(_:)", "\(setter)(_:in:)"]
            + [fetch, "\(fetch)(_:)", "\(fetch)(in:)", "\(fetch)(_:in:)", "\(fetch)(_:in:isolation:)"]
    }

    /// The members of every handle, which hide relationships and properties of their names on handles.
    static let handleMembers: Set<String> = [
        "cache", "cached", "description", "fetch", "hash", "hashValue", "id", "key", "missing",
        "observe",
        "publisher", "remove", "require", "set", "status", "update", "updates", "value",
    ]
}

extension String {
    /// The string with its first letter as a capital.
    var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
