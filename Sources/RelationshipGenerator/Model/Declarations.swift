/// A declaration of a type, an extension, a protocol or a type alias.
///
/// It is a class for the same reason as ``PropertyDeclaration``.
final class TypeDeclaration {
    enum Kind: String, Sendable {
        case `struct`, `class`, `enum`, `actor`, `protocol`, `extension`, `typealias`
    }

    let kind: Kind
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
    let location: SourceLocation
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
    let location: SourceLocation

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

/// A case of an enum that is declared on its own and has associated values.
struct CaseDeclaration: Sendable {
    /// The name, backticks removed.
    let name: String
    /// The associated values in parentheses, white space and comments normalised: `(id: User.ID)`.
    let associatedValues: String
    /// Whether the case itself is `indirect`.
    var isIndirect = false
    /// The `@available` attributes of the case, as written.
    var availability: [String] = []
    /// The `#if` branches around the case inside its enum, outermost first, without the branches around the enum.
    var conditions: [ConditionalBranch] { enclosing?.branches ?? [] }
    var enclosing: EnclosingBranches?
    let location: SourceLocation
}

extension CaseDeclaration {
    /// An associated value: its label, or `nil`, and its type.
    struct Value {
        let label: String?
        let type: String
    }

    /// The associated values, without their default values.
    var values: [Value] {
        let pieces = Self.split(associatedValues.dropFirst().dropLast(), at: ",").filter { !$0.isEmpty }
        return pieces.map { piece in
            let declared = Self.split(piece, at: "=")[0]
            let parts = Self.split(declared, at: ": ")
            guard parts.count == 2 else { return Value(label: nil, type: Self.trimmed(declared)) }
            let label = Self.split(parts[0].drop { $0 == " " }, at: " ")[0]
            return Value(label: label == "_" ? nil : String(label), type: Self.trimmed(parts[1]))
        }
    }

    private static func trimmed(_ text: Substring) -> String {
        String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }

    /// The pieces of a text between separators that are not in brackets, angles, backticks or string literals.
    private static func split(_ text: Substring, at separator: String) -> [Substring] {
        var pieces: [Substring] = []
        var start = text.startIndex
        var depth = 0
        var quote: Character?
        for index in text.indices {
            let character = text[index]
            if let open = quote {
                if character == open { quote = nil }
                continue
            }
            switch character {
            case "`", "\"": quote = character
            case "[", "(", "<", "{": depth += 1
            // The angle of an arrow closes nothing.
            case ">" where index > text.startIndex && text[text.index(before: index)] == "-": break
            case "]", ")", ">", "}": depth -= 1
            default: break
            }
            guard depth == 0, text[index...].hasPrefix(separator) else { continue }
            pieces.append(text[start..<index])
            start = text.index(index, offsetBy: separator.count)
        }
        return pieces + [text[start...]]
    }
}

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
    let location: SourceLocation

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

/// The name of a member in the form that overload resolution uses.
struct MemberName: Sendable {
    /// `author`, or with argument labels `author(in:)`; backticks removed.
    let name: String
    let isStatic: Bool
    let location: SourceLocation

    init(name: String, isStatic: Bool, location: SourceLocation) {
        self.name = name
        self.isStatic = isStatic
        self.location = location
    }
}

/// The access levels of Swift, in order.
package enum AccessLevel: String, Hashable, Sendable, Comparable, CaseIterable {
    case `private`, `fileprivate`, `internal`, `package`, `public`, `open`

    package static func < (lhs: AccessLevel, rhs: AccessLevel) -> Bool {
        lhs.order < rhs.order
    }

    private var order: Int {
        switch self {
        case .private: 0
        case .fileprivate: 1
        case .internal: 2
        case .package: 3
        case .public: 4
        case .open: 5
        }
    }
}
