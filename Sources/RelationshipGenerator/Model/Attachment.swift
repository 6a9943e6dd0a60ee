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
    /// What is inside of an attribute or a modifier.
    case partOfAttribute
    /// A statement or expression.
    case statement
}

/// Why nothing stands below an annotation.
package enum NothingReason: Sendable, Equatable {
    case blankLine, endOfScope, endOfFile
    /// The comment trails something that is not a property, on the same line.
    case trailingOther
}
