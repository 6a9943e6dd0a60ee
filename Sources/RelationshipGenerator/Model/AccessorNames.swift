/// The names of the accessors of an identifier property, without backticks.
struct AccessorNames {
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

    /// The members that accessors add to a type, in the form that overload resolution uses.
    var members: [String] {
        // A method with a matching call would be called instead of the generated one.
        [accessor, "\(accessor)(in:)", setter, "\(setter)(_:)", "\(setter)(_:in:)"]
            + [fetch, "\(fetch)(_:)", "\(fetch)(in:)", "\(fetch)(_:in:)", "\(fetch)(_:in:isolation:)"]
    }

    /// The members of every handle, which shadow relationships and properties of the same names on handles.
    static let handleMembers = Set(
        words: """
            cache cached customMirror description fetch hash hashValue id key missing mutate mutations observe publisher \
            remove require set status update updates value
            """
    )
}

extension String {
    /// The string with its first letter in upper case.
    var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
