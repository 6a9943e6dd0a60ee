/// A place in a source file, as compilers print it.
package struct SourceLocation: Hashable, Sendable, Comparable {
    /// Bytes from the beginning of the file.
    package var offset: Int
    /// Line, counted from 1.
    package var line: Int
    /// Column in UTF-8 bytes, counted from 1, as the Swift compiler counts.
    package var column: Int

    package init(offset: Int, line: Int, column: Int) {
        self.offset = offset
        self.line = line
        self.column = column
    }

    package static func < (lhs: SourceLocation, rhs: SourceLocation) -> Bool { lhs.offset < rhs.offset }
}
