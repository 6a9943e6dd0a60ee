/// What the scanner found in one source file: declarations, annotations, and what the annotations attach to.
///
/// The scanner reports facts. Whether they make sense together is decided by validation, which sees all files of a
/// target at once.
package struct ScannedFile: Sendable {
    /// The path to print in messages, as it was given.
    package var path: String
    /// The import declarations, in source order.
    package var imports: [ImportDeclaration] = []
    /// All types, extensions, protocols and type aliases, also nested and local ones, in source order.
    package var types: [TypeDeclaration] = []
    /// The comments that are or look like annotations, in source order.
    package var annotations: [Annotation] = []
    /// What is wrong with the file by itself, such as an unterminated comment that would hide annotations.
    package var diagnostics: [Diagnostic] = []

    package init(path: String) { self.path = path }
}

/// An import declaration.
package struct ImportDeclaration: Hashable, Sendable {
    /// The declaration as written, without comments: `@testable public import struct Foundation.URL`.
    package var text: String
    /// The module that is imported: `Foundation`.
    package var module: String
    /// The access level that is written before `import`.
    package var access: AccessLevel?
    /// The `#if` branches around the declaration, outermost first.
    package var conditions: [ConditionalBranch]
    package var location: SourceLocation

    package init(
        text: String,
        module: String,
        access: AccessLevel?,
        conditions: [ConditionalBranch],
        location: SourceLocation
    ) {
        self.text = text
        self.module = module
        self.access = access
        self.conditions = conditions
        self.location = location
    }
}

/// One branch of an `#if` chain, with the directives that lead to it.
///
/// The `#else` branch of `#if DEBUG` has the directives `["#if DEBUG", "#else"]`.
package struct ConditionalBranch: Hashable, Sendable {
    /// The directives from `#if` up to the branch, as written, without comments.
    package var directives: [String]

    package init(directives: [String]) { self.directives = directives }
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

/// A declaration of a type, an extension, a protocol or a type alias.
package struct TypeDeclaration: Sendable {
    package enum Kind: String, Sendable {
        case `struct`, `class`, `enum`, `actor`, `protocol`, `extension`, `typealias`
    }

    package var kind: Kind
    /// The name as written: `Post`, or `Blog.Post` in an extension; without generic parameters.
    package var name: String
    /// The name with those of the enclosing types and extensions: `Blog.Post`.
    package var qualifiedName: String
    /// The generic parameter list as written, such as `<Element: Sendable>`; empty when there is none.
    package var genericParameters: String = ""
    /// The access level as written on the declaration.
    package var access: AccessLevel?
    /// The inherited types as written, in order: `["Cachable", "Codable"]`.
    package var inheritedTypes: [String] = []
    /// The aliased type of a type alias, as written.
    package var aliasedType: String?
    /// The `where` clause of a declaration, as written, without `where`; empty when there is none.
    package var genericWhereClause: String = ""
    /// The `@available` attributes of the declaration, as written.
    package var availability: [String] = []
    /// The index in ``ScannedFile/types`` of the type or extension that directly encloses this declaration.
    package var parent: Int?
    /// Whether the declaration is inside a function, accessor or closure body, so that no extension can name it.
    package var isLocal = false
    /// The `#if` branches around the declaration and its parents, outermost first.
    package var conditions: [ConditionalBranch] = []
    package var location: SourceLocation
    /// The stored properties, in source order.
    package var properties: [PropertyDeclaration] = []
    /// The base names of all members that may collide with a generated one: properties, functions, cases, types.
    package var memberNames: [MemberName] = []

    package init(kind: Kind, name: String, qualifiedName: String, location: SourceLocation) {
        self.kind = kind
        self.name = name
        self.qualifiedName = qualifiedName
        self.location = location
    }
}

/// The name of a member, as overload resolution tells members apart.
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

/// A stored property with one name and a written type.
package struct PropertyDeclaration: Sendable {
    /// The name, backticks removed.
    package var name: String
    /// The type as written, white space and comments normalised: `[Comment.ID]?`; `nil` when none is written.
    package var type: String?
    package var isVariable: Bool
    /// The access level as written.
    package var access: AccessLevel?
    /// The access level of the setter as written: `private(set)`.
    package var setterAccess: AccessLevel?
    /// The `@available` attributes of the property, as written.
    package var availability: [String] = []
    /// The `#if` branches around the property inside its type, outermost first, those of the type not repeated.
    package var conditions: [ConditionalBranch] = []
    package var location: SourceLocation

    package init(name: String, type: String?, isVariable: Bool, location: SourceLocation) {
        self.name = name
        self.type = type
        self.isVariable = isVariable
        self.location = location
    }
}

/// A comment that is an annotation, or looks like one that was meant to be.
package struct Annotation: Sendable {
    /// The comment as written, including its delimiter, without the line end.
    package var text: String
    /// The kind of comment.
    package var style: CommentStyle
    /// Where the comment begins.
    package var location: SourceLocation
    /// What follows `relationship:`, parsed.
    package var payload: Result<AnnotationPayload, AnnotationError>
    /// What the comment stands on.
    package var attachment: Attachment

    package init(
        text: String,
        style: CommentStyle,
        location: SourceLocation,
        payload: Result<AnnotationPayload, AnnotationError>,
        attachment: Attachment
    ) {
        self.text = text
        self.style = style
        self.location = location
        self.payload = payload
        self.attachment = attachment
    }
}

/// The four ways to write a comment in Swift.
package enum CommentStyle: Sendable {
    case line, documentationLine, block, documentationBlock
}

/// `Author, name: writer - prose`, taken apart.
package struct AnnotationPayload: Sendable, Equatable {
    /// The related type as written: `Author`, `Blog.Author`.
    package var target: String
    package var targetLocation: SourceLocation
    /// The value of `name:`.
    package var accessorName: String?
    package var accessorNameLocation: SourceLocation?

    package init(
        target: String,
        targetLocation: SourceLocation,
        accessorName: String? = nil,
        accessorNameLocation: SourceLocation? = nil
    ) {
        self.target = target
        self.targetLocation = targetLocation
        self.accessorName = accessorName
        self.accessorNameLocation = accessorNameLocation
    }
}

/// Why a comment that looks like an annotation can't be read as one.
package enum AnnotationError: Error, Sendable, Equatable {
    /// `Relationship:` or `RELATIONSHIP:`.
    case wrongCase(written: String)
    /// `relationshp:`, `relation:`, `relationship :` and the like.
    case nearMiss(written: String)
    /// `relationship:` with nothing behind it.
    case missingTarget(location: SourceLocation)
    /// What follows is not the name of a type.
    case invalidTarget(written: String, location: SourceLocation)
    /// `key:` that is not in the closed set; `suggestion` is the near one.
    case unknownKey(written: String, suggestion: String?, location: SourceLocation)
    /// `name:` without a value.
    case missingValue(key: String, location: SourceLocation)
    /// A value that can't be one: `name: 1st`.
    case invalidValue(key: String, written: String, location: SourceLocation)
    /// `name: a, name: b`.
    case duplicateKey(key: String, location: SourceLocation)
    /// Text behind the type that is neither a key nor prose after ` - `.
    case unexpectedText(written: String, location: SourceLocation)
}

/// What an annotation stands on.
package enum Attachment: Sendable, Equatable {
    /// A stored property with one name: indices in ``ScannedFile/types`` and ``TypeDeclaration/properties``.
    case property(type: Int, property: Int)
    /// Something that can't carry an annotation.
    case unsuitable(UnsuitableDeclaration, location: SourceLocation)
    /// Nothing: a blank line, the end of a scope or of the file follows.
    case nothing(NothingReason)
}

/// The declarations that can't carry an annotation.
package enum UnsuitableDeclaration: Sendable, Equatable {
    case computedProperty(name: String)
    case staticProperty(name: String)
    case localVariable(name: String)
    case protocolRequirement(name: String)
    case globalVariable(name: String)
    /// `let a: String, b: String`.
    case severalBindings(names: [String])
    /// `let (a, b): (String, String)`.
    case tuplePattern
    case enumCase(name: String)
    /// Any other declaration: its keyword and name, such as `func` and `load`.
    case declaration(keyword: String, name: String)
    /// A statement or expression.
    case statement
}

/// Why nothing stands below an annotation.
package enum NothingReason: Sendable, Equatable {
    case blankLine, endOfScope, endOfFile
    /// The comment trails something that is not a property, on the same line.
    case trailingOther
}
