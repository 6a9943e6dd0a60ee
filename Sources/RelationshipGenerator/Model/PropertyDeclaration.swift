/// A stored property, or a case of an enum with the type of its associated value.
///
/// It doesn't change after the scan. It is a class, as all wide declarations are, so that a value with one in it is
/// narrow: the code to copy and destroy it takes time to compile.
final class PropertyDeclaration {
    /// The name, backticks removed.
    let name: String
    /// The type as written, white space and comments normalised: `[Comment.ID]?`; `nil` when none is written.
    var type: String?
    let isVariable: Bool
    /// Whether the declaration is a case.
    var isCase = false
    /// Whether the property is lazy, so that reading it may change the value.
    var isLazy = false
    /// Whether the declaration has an initial value.
    var hasInitialValue = false
    /// The type that the initial value shows, if no type is written.
    var inferredType: String?
    /// All attributes of the property, as written, without those in `#if`.
    var attributes: [String] = []
    /// The access level as written.
    var access: AccessLevel?
    /// The access level of the setter as written: `private(set)`.
    var setterAccess: AccessLevel?
    /// The `@available` attributes of the property, as written.
    var availability: [String] = []
    /// The `#if` branches around the property inside its type, outermost first, without the branches around the type.
    var conditions: [ConditionalBranch] { enclosing?.branches ?? [] }
    var enclosing: EnclosingBranches?
    var location: SourceLocation

    /// Whether other files can't refer to the property.
    var isHidden: Bool { access.map { $0 <= .fileprivate } ?? false }

    init(name: String, type: String?, isVariable: Bool, location: SourceLocation) {
        self.name = name
        self.type = type
        self.isVariable = isVariable
        self.location = location
    }

    /// Creates the property for another name of the same declaration: `b` in `let a, b: Int`.
    func sibling(named name: String, type: String?, location: SourceLocation) -> PropertyDeclaration {
        let sibling = PropertyDeclaration(name: name, type: type, isVariable: isVariable, location: location)
        sibling.isLazy = isLazy
        sibling.attributes = attributes
        sibling.access = access
        sibling.setterAccess = setterAccess
        sibling.availability = availability
        sibling.enclosing = enclosing
        return sibling
    }
}

extension PropertyDeclaration {
    /// The declaration with another name and type, in a short form for messages: `authorID: String` or `user(User.ID)`.
    func declaration(_ name: String, _ type: String) -> String { isCase ? "\(name)(\(type))" : "\(name): \(type)" }
}
