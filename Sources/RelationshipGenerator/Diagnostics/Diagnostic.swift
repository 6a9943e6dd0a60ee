/// An error at a place in a source file, printed as compilers print theirs.
///
///     Models/Post.swift:5:9: error: 'Authr' is not a type of this target; did you mean 'Author'?
package struct Diagnostic: Error, Hashable, Sendable, CustomStringConvertible {
    package var path: String
    package var location: SourceLocation
    /// What is wrong and what to write instead, in one sentence without a final full stop.
    package var message: String

    package init(path: String, location: SourceLocation, message: String) {
        self.path = path
        self.location = location
        self.message = message
    }

    package var description: String { "\(path):\(location.line):\(location.column): error: \(message)" }
}
