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

/// An import declaration.
struct ImportDeclaration: Sendable {
    /// The declaration as written, without comments: `@testable public import struct Foundation.URL`.
    var text: String
    /// The module that is imported: `Foundation`.
    let module: String
    /// The access level written before `import`.
    var access: AccessLevel?
    /// The `#if` branches around the declaration, outermost first.
    var conditions: [ConditionalBranch]
    let location: SourceLocation

    init(
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

/// A location in a source file, in the form that compilers print.
///
/// It is a class for the same reason as ``PropertyDeclaration``.
package final class SourceLocation: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The path of the file as it was passed in.
    package let path: String
    /// The offset in bytes from the beginning of the file.
    package let offset: Int
    /// The line, counted from 1.
    package let line: Int
    /// The column in UTF-8 bytes, counted from 1, as the Swift compiler counts.
    package let column: Int

    package init(path: String, offset: Int, line: Int, column: Int) {
        self.path = path
        self.offset = offset
        self.line = line
        self.column = column
    }

    package static func == (lhs: SourceLocation, rhs: SourceLocation) -> Bool {
        lhs.offset == rhs.offset && lhs.path == rhs.path
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(path)
        hasher.combine(offset)
    }

    package static func < (lhs: SourceLocation, rhs: SourceLocation) -> Bool {
        lhs.path == rhs.path ? lhs.offset < rhs.offset : lhs.path < rhs.path
    }

    /// The location in the form that editors recognise: `Post.swift:5:9`.
    package var description: String { "\(path):\(line):\(column)" }
}
