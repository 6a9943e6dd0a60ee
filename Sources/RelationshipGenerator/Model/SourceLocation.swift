/// A location in a source file, in the form that compilers print.
package struct SourceLocation: Hashable, Sendable, Comparable {
    /// The offset in bytes from the beginning of the file.
    package var offset: Int
    /// The line, counted from 1.
    package var line: Int
    /// The column in UTF-8 bytes, counted from 1, as the Swift compiler counts.
    package var column: Int

    package init(offset: Int, line: Int, column: Int) {
        self.offset = offset
        self.line = line
        self.column = column
    }

    package static func < (lhs: SourceLocation, rhs: SourceLocation) -> Bool { lhs.offset < rhs.offset }
}
