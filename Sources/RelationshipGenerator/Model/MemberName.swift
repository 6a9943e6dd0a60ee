/// The name of a member in the form that overload resolution uses.
package struct MemberName: Hashable, Sendable {
    /// `author`, or with argument labels `author(in:)`; backticks removed.
    package var name: String
    package var isStatic: Bool
    package var location: SourceLocation

    package init(name: String, isStatic: Bool, location: SourceLocation) {
        self.name = name
        self.isStatic = isStatic
        self.location = location
    }
}
