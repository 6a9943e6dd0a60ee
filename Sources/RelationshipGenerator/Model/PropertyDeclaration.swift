/// A stored property, or a case of an enum with the type of its associated value.
package struct PropertyDeclaration: Sendable {
    /// The name, backticks removed.
    package var name: String
    /// The type as written, white space and comments normalised: `[Comment.ID]?`; `nil` when none is written.
    package var type: String?
    package var isVariable: Bool
    /// Whether the declaration is a case.
    var isCase = false
    /// Whether the property is lazy, so that reading it may change the value.
    package var isLazy = false
    /// Whether the declaration has an initial value.
    package var hasInitialValue = false
    /// The type that the initial value shows, if no type is written.
    package var inferredType: String?
    /// All attributes of the property, as written, without those in `#if`.
    package var attributes: [String] = []
    /// The access level as written.
    package var access: AccessLevel?
    /// The access level of the setter as written: `private(set)`.
    package var setterAccess: AccessLevel?
    /// The `@available` attributes of the property, as written.
    package var availability: [String] = []
    /// The `#if` branches around the property inside its type, outermost first, without the branches around the type.
    package var conditions: [ConditionalBranch] { enclosing?.branches ?? [] }
    var enclosing: EnclosingBranches?
    package var location: SourceLocation

    /// Whether other files can't refer to the property.
    var isHidden: Bool { access.map { $0 <= .fileprivate } ?? false }

    package init(name: String, type: String?, isVariable: Bool, location: SourceLocation) {
        self.name = name
        self.type = type
        self.isVariable = isVariable
        self.location = location
    }
}

extension PropertyDeclaration {
    /// The declaration with another name and type, in a short form for messages: `authorID: String` or `user(User.ID)`.
    func declaration(_ name: String, _ type: String) -> String { isCase ? "\(name)(\(type))" : "\(name): \(type)" }
}
