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
