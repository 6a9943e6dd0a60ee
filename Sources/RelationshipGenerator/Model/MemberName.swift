/// The name of a member in the form that overload resolution uses.
struct MemberName: Sendable {
    /// `author`, or with argument labels `author(in:)`; backticks removed.
    let name: String
    let isStatic: Bool
    var location: SourceLocation

    init(name: String, isStatic: Bool, location: SourceLocation) {
        self.name = name
        self.isStatic = isStatic
        self.location = location
    }
}
