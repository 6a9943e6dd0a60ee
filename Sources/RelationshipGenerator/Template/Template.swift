/// A Mustache template.
///
///     let template = try Template("Hello {{name}}!\n", path: "Greeting.mustache")
///     try template.render(["name": "world"])      // Hello world!
///
/// It does what the core of the Mustache specification says: variables, dotted names, sections, inverted sections,
/// comments, partials and changed delimiters. ``Options`` say where it differs, unless told otherwise: it writes code, so
/// nothing is escaped, and a name that the values don't have is an error with its place, because a misspelled name must
/// not be silence.
package struct Template: Sendable {
    /// A piece of a template.
    indirect enum Node: Sendable {
        case text(String)
        case variable(Name, isEscaped: Bool)
        case section(Name, [Node], isInverted: Bool)
        case partial(Name, indentation: String)
    }

    /// A name in a tag; without parts it is `.`, the value that a section is at.
    struct Name: Sendable {
        var parts: [String]
        /// Where the tag begins.
        var offset: Int

        var text: String { parts.isEmpty ? "." : parts.joined(separator: ".") }
    }

    /// What a template does where it may differ from the specification.
    package struct Options: Sendable {
        /// What becomes of the characters that mean something in the language of the output.
        package enum Escaping: Sendable {
            /// They stay as they are.
            case none
            /// `{{name}}` writes `&`, `"`, `<` and `>` as HTML wants them; `{{{name}}}` and `{{&name}}` don't.
            case html
        }

        /// What becomes of a name that nothing has, and of a partial that isn't there.
        package enum UnknownNames: Sendable {
            /// They are errors.
            case refused
            /// They are nothing: an empty text, and false.
            case empty
        }

        package var escaping: Escaping
        package var unknownNames: UnknownNames

        /// Creates options; those for generating code, if none are given.
        package init(escaping: Escaping = .none, unknownNames: UnknownNames = .refused) {
            self.escaping = escaping
            self.unknownNames = unknownNames
        }

        /// What the Mustache specification says.
        package static let specification = Options(escaping: .html, unknownNames: .empty)
    }

    let source: TemplateSource
    let nodes: [Node]

    /// Reads a template.
    ///
    /// - Parameters:
    ///   - text: The text of the template.
    ///   - path: The path to print in errors.
    /// - Throws: ``TemplateError`` for a tag or section that is not closed or has no name, or is closed by another name.
    package init(_ text: String, path: String = "template") throws(TemplateError) {
        source = TemplateSource(text, path: path)
        var parser = TemplateParser(source)
        nodes = try parser.parse()
    }

    /// Renders the template.
    ///
    /// - Parameters:
    ///   - values: What names mean; mostly an object.
    ///   - partials: The templates that `{{> name}}` includes.
    /// - Returns: The text.
    /// - Throws: ``TemplateError`` for a name that nothing has, or that isn't of the right kind.
    /// - Complexity: O(*n*) for a text of *n* bytes.
    package func render(
        _ values: TemplateValue,
        partials: [String: Template] = [:],
        options: Options = Options()
    ) throws(TemplateError) -> String {
        var renderer = TemplateRenderer(values, partials: partials, options: options)
        try renderer.render(self)
        return renderer.output
    }

    /// Finds the names that the values don't have, also in sections that would not be rendered.
    ///
    /// - Parameters:
    ///   - values: Values like those to render the template with; of a list, the first element stands for all.
    ///   - partials: The templates that `{{> name}}` includes, none of which may include itself.
    /// - Throws: ``TemplateError`` for the first name that nothing has, or that isn't of the right kind.
    package func check(_ values: TemplateValue, partials: [String: Template] = [:]) throws(TemplateError) {
        var renderer = TemplateRenderer(values, partials: partials, options: Options(), entersAllSections: true)
        try renderer.render(self)
    }
}
