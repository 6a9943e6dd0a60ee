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
    /// The comments that are annotations, right or wrong, in source order.
    package var annotations: [Annotation] = []
    /// The comments that may be meant as annotations, in source order.
    package var possibleAnnotations: [PossibleAnnotation] = []
    /// What is wrong with the file by itself, such as an unterminated comment that would hide annotations.
    package var diagnostics: [Diagnostic] = []

    /// The first brace without its counterpart, if there is one.
    package var mismatch: BraceMismatch?

    package init(path: String) { self.path = path }

    /// The path without the folders.
    var name: String { path.split { $0 == "/" || $0 == "\\" }.last.map(String.init) ?? path }
}

/// A brace without its counterpart, which compilers refuse.
package struct BraceMismatch: Sendable {
    /// What to tell of it.
    package var diagnostic: Diagnostic
    /// Whether indentation tells what is inside of what; if not, the declarations of the file can't be trusted.
    package var isClear: Bool
}
