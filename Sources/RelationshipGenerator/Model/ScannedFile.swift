/// The result of scanning one source file: declarations, annotations, and the declarations that annotations are
/// attached to.
///
/// The scanner reports facts. Validation, which sees all files of a target at once, decides whether they are
/// consistent.
final class ScannedFile {
    /// The path to print in messages, as it was given.
    let path: String
    /// The import declarations, in source order.
    var imports: [ImportDeclaration] = []
    /// All types, extensions, protocols and type aliases, also nested and local ones, in source order.
    var types: [TypeDeclaration] = []
    /// The comments that are annotations, right or wrong, in source order.
    var annotations: [Annotation] = []
    /// The comments that may be meant as annotations, in source order.
    var possibleAnnotations: [PossibleAnnotation] = []
    /// The errors of the file itself, such as an unterminated comment that would hide annotations.
    var diagnostics: [Diagnostic] = []

    /// The first unmatched brace, if there is one.
    var mismatch: BraceMismatch?

    init(path: String) { self.path = path }

    /// The name of the file without its folders.
    var name: String { path.split { $0 == "/" || $0 == "\\" }.last.map(String.init) ?? path }
}

/// An unmatched brace, which compilers reject.
struct BraceMismatch: Sendable {
    /// The error to report.
    let diagnostic: Diagnostic
    /// Whether indentation shows the nesting; if not, the declarations of the file can't be trusted.
    let isClear: Bool
}
