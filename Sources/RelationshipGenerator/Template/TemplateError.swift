/// A mistake in a template, with its place.
package struct TemplateError: Error, Equatable, CustomStringConvertible {
    /// The path of the template.
    package var path: String
    /// Line, counted from 1.
    package var line: Int
    /// Column in characters, counted from 1.
    package var column: Int
    /// What is wrong and what to do about it.
    package var message: String

    package var description: String { "\(path):\(line):\(column): error: \(message)" }
}
