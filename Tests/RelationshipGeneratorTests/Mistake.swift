import Testing

/// A mistake and what is said about it.
struct Mistake: CustomTestStringConvertible {
    /// What is wrong.
    var name: String
    var source: String
    /// `line:column` and the message.
    var error: String

    init(_ name: String, _ source: String, _ error: String) {
        self.name = name
        self.source = source
        self.error = error
    }

    var testDescription: String { name }

    /// What is printed.
    var printed: [String] {
        let place = error.prefix { $0 != " " }
        return ["File1.swift:\(place): error: \(error.dropFirst(place.count + 1))"]
    }
}
