/// An error or a note at a location in a source file, printed in the form that compilers use.
///
///     Models/Post.swift:5:9: error: 'Authr' is not a type of this target; did you mean 'Author'?
///
/// It is a class for the same reason as ``PropertyDeclaration``.
package final class Diagnostic: Error, Sendable, CustomStringConvertible {
    /// The effect of a diagnostic.
    package enum Level: String, Sendable {
        /// Nothing is generated.
        case error
        /// The code is valid, but has a consequence that is easy to miss.
        case note
    }

    package let level: Level
    package let location: SourceLocation
    /// The problem, then the remedy after a semicolon, in one sentence without a final full stop.
    package let message: String

    init(_ location: SourceLocation, _ message: String, level: Level = .error) {
        self.level = level
        self.location = location
        self.message = message
    }

    /// The path of the file.
    package var path: String { location.path }

    package var description: String { "\(location): \(level): \(message)" }
}
