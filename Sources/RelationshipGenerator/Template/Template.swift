/// A Mustache template in text mode: nothing is escaped.
///
///     let template = try Template("Hello {{name}}!\n")
///     try template.render(["name": "world"])      // Hello world!
///
/// Variables, dotted names, sections, inverted sections, comments, partials and changed delimiters are those of the
/// Mustache specification. One thing is stricter: a name that the values don't have is an error with its place, because
/// a misspelled name in a code generator must not be silence.
package struct Template: Sendable {
    /// A piece of a template.
    indirect enum Node: Sendable {
        case text(String)
        case variable(Name)
        case section(Name, [Node], isInverted: Bool)
        case partial(Name, indentation: String)
    }

    /// A name in a tag, with its place.
    struct Name: Sendable, Equatable {
        var path: [String]
        var line: Int
        var column: Int

        var text: String { path.isEmpty ? "." : path.joined(separator: ".") }

        func error(_ message: String) -> TemplateError { TemplateError(line: line, column: column, message: message) }
    }

    let nodes: [Node]

    /// Reads a template.
    ///
    /// - Parameter text: The text of the template.
    /// - Throws: ``TemplateError`` for a tag or section that is not closed, or closed by another name.
    package init(_ text: String) throws(TemplateError) {
        var parser = TemplateParser(text)
        nodes = try parser.parse()
    }

    /// Renders the template.
    ///
    /// - Parameters:
    ///   - values: What names mean.
    ///   - partials: The templates that `{{> name}}` includes.
    /// - Returns: The text.
    /// - Throws: ``TemplateError`` for a name that nothing has, or that isn't of the right kind.
    package func render(
        _ values: [String: TemplateValue],
        partials: [String: Template] = [:]
    ) throws(TemplateError) -> String {
        var renderer = TemplateRenderer(partials: partials)
        try renderer.render(nodes, [.object(values)])
        return renderer.output
    }
}
