/// An error in a template with its location.
package struct TemplateError: Error, Equatable, CustomStringConvertible {
    /// The path of the template.
    package var path: String
    /// The line, counted from 1.
    package var line: Int
    /// The column in characters, counted from 1.
    package var column: Int
    /// The error, followed by the remedy.
    package var message: String

    package var description: String { "\(path):\(line):\(column): error: \(message)" }
}
