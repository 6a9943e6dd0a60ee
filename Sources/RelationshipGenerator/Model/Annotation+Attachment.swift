extension Annotation {
    /// The declaration that an annotation is attached to, if there is one.
    indirect enum Attachment: Sendable {
        /// A stored property with one name: indices in ``ScannedFile/types`` and ``TypeDeclaration/properties``.
        case property(type: Int, property: Int)
        /// A case with associated values: indices in ``ScannedFile/types`` and ``TypeDeclaration/cases``.
        case enumCase(type: Int, index: Int)
        /// A declaration that can't have an annotation.
        case unsuitable(UnsuitableDeclaration, location: SourceLocation)
        /// No declaration: a blank line, the end of a scope or the end of the file follows.
        case nothing(UnattachedReason)
    }

    /// The declarations that can't have an annotation.
    indirect enum UnsuitableDeclaration: Sendable {
        case computedProperty(name: String)
        case staticProperty(name: String)
        case localVariable(name: String)
        case protocolRequirement(name: String)
        case globalVariable(name: String)
        /// `let a: String, b: String`.
        case severalBindings(names: [String])
        /// `let (a, b): (String, String)`.
        case tuplePattern
        /// A case without associated values.
        case enumCase(name: String)
        /// `case user(User.ID), group(Group.ID)`.
        case severalCases(names: [String])
        /// A place among the associated values of a case.
        case partOfCase
        /// Another declaration, with its keyword and name, such as `func` and `load`.
        case declaration(keyword: String, name: String)
        /// A place inside an attribute or a modifier.
        case partOfAttribute
        /// A statement or expression.
        case statement
    }

    /// Why no declaration follows an annotation.
    enum UnattachedReason: Sendable {
        case blankLine, endOfScope, endOfFile
        /// The comment follows something else than a property on the same line.
        case trailingOther
    }
}
