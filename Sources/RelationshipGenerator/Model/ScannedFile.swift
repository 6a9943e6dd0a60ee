/// The result of scanning one source file: declarations, annotations, and the declarations that annotations are
/// attached to.
///
/// The scanner reports facts. Validation, which sees all files of a target at once, decides whether they are
/// consistent.
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
    /// The errors of the file itself, such as an unterminated comment that would hide annotations.
    package var diagnostics: [Diagnostic] = []

    /// The first unmatched brace, if there is one.
    package var mismatch: BraceMismatch?

    package init(path: String) { self.path = path }

    /// The name of the file without its folders.
    var name: String { path.split { $0 == "/" || $0 == "\\" }.last.map(String.init) ?? path }
}

/// An unmatched brace, which compilers reject.
package struct BraceMismatch: Sendable {
    /// The error to report.
    package var diagnostic: Diagnostic
    /// Whether indentation shows the nesting; if not, the declarations of the file can't be trusted.
    package var isClear: Bool
}
