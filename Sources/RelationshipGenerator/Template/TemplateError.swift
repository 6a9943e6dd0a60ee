/// An error in a template with its location.
struct TemplateError: Error, CustomStringConvertible {
    /// The path of the template.
    let path: String
    /// The line, counted from 1.
    let line: Int
    /// The column in characters, counted from 1.
    let column: Int
    /// The error, followed by the remedy.
    let message: String

    var description: String { "\(path):\(line):\(column): error: \(message)" }
}
