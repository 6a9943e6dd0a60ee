/// A case of an enum of coding keys.
struct CodingKeyCase: Sendable {
    /// The raw value of a case, as far as a scan shows it.
    enum RawValue: Sendable {
        case none, number
        /// The value of a string literal.
        case string(String)
        /// A literal of several lines, or another expression.
        case unreadable
    }

    /// The name, backticks removed.
    let name: String
    let rawValue: RawValue
    /// The `#if` branches around the case inside its enum, outermost first.
    var conditions: [ConditionalBranch] { enclosing?.branches ?? [] }
    var enclosing: EnclosingBranches?
    var location: SourceLocation

    /// The coding key, or `nil` if it can't be read.
    var key: String? {
        switch rawValue {
        // The key of a case with a number is its name. Formats with numeric keys use the number, too.
        case .none, .number: name
        case .string(let text): text
        case .unreadable: nil
        }
    }
}
