import Testing

/// An invalid source with its error.
struct Mistake: CustomTestStringConvertible {
    /// A name for the mistake.
    var name: String
    var source: String
    /// `line:column` and the message of the error.
    var error: String

    init(_ name: String, _ source: String, _ error: String) {
        self.name = name
        self.source = source
        self.error = error
    }

    var testDescription: String { name }

    /// The printed error.
    var printed: [String] {
        let place = error.prefix { $0 != " " }
        return ["File1.swift:\(place): error: \(error.dropFirst(place.count + 1))"]
    }
}

/// The entities that the errors of a post refer to.
let modelsOfPost = """
    import FlatCache
    struct Author: Cachable { let id: String }
    struct Comment: Cachable { let id: Int }

    """

/// The errors of a `struct Post` with members that begin in line 5.
func errorsOfPost(_ members: String) -> [String] {
    errors(in: [modelsOfPost + "struct Post: Cachable {\n" + members + "\n}\n"])
}
