/// A declaration of a type, an extension, a protocol or a type alias.
///
/// It is a class for the same reason as ``PropertyDeclaration``.
final class TypeDeclaration {
    enum Kind: String, Sendable {
        case `struct`, `class`, `enum`, `actor`, `protocol`, `extension`, `typealias`
    }

    var kind: Kind
    /// The name as written: `Post`, or `Blog.Post` in an extension; without generic parameters.
    let name: String
    /// The name with the names of the enclosing types and extensions: `Blog.Post`.
    var qualifiedName: String
    /// The generic parameter list as written, such as `<Element: Sendable>`; empty when there is none.
    var genericParameters: String = ""
    /// The access level as written on the declaration.
    var access: AccessLevel?
    /// The inherited types as written, in order: `["Cachable", "Codable"]`.
    var inheritedTypes: [String] = []
    /// The aliased type of a type alias, as written.
    var aliasedType: String?
    /// The `where` clause of a declaration, as written, without `where`; empty when there is none.
    var genericWhereClause: String = ""
    /// The `@available` attributes of the declaration, as written.
    var availability: [String] = []
    /// All attributes of the declaration, as written; a macro among them may add conformances.
    var attributes: [String] = []
    /// Whether the declaration is written with `nonisolated`.
    var isNonisolated = false
    /// The index in ``ScannedFile/types`` of the type or extension that directly encloses this declaration.
    var parent: Int?
    /// The number of types and extensions around the declaration, and the declaration itself.
    var level = 1
    /// The greatest level that the compiler allows.
    static let greatestLevel = 256
    /// Whether the declaration is inside a function, accessor or closure body, so that no extension can name it.
    var isLocal = false
    /// The `#if` branches around the declaration and its parents, outermost first.
    var conditions: [ConditionalBranch] { enclosing?.branches ?? [] }
    var enclosing: EnclosingBranches?
    var location: SourceLocation
    /// The stored properties with a declaration of their own, in source order.
    var properties: [PropertyDeclaration] = []
    /// The stored properties of declarations with several names, such as `let a, b: Int`, in source order.
    var jointProperties: [PropertyDeclaration] = []
    /// The cases of an enum that are declared on their own and have associated values, in source order.
    var cases: [CaseDeclaration] = []
    /// The cases of an enum of coding keys, in source order.
    var codingKeys: [CodingKeyCase] = []
    /// Whether the declaration has an initializer `init(from:)` with a decoder.
    var hasDecodingInitializer = false
    /// The type of the property `id`, stored or computed, as written or as a literal or initializer call shows it:
    /// `UUID()`.
    var identifierType: String?
    /// For each computed property `id`, the property of the same value that its getter returns, or `nil` if it returns
    /// something else: `number` for `var id: Int { number }`.
    var identifierSources: [String?] = []
    /// The names of the associated types of a protocol.
    var associatedTypes: [String] = []
    /// The names of all members that may collide with a generated member: properties, functions, cases, types.
    var memberNames: [MemberName] = []

    init(kind: Kind, name: String, qualifiedName: String, location: SourceLocation) {
        self.kind = kind
        self.name = name
        self.qualifiedName = qualifiedName
        self.location = location
    }
}
