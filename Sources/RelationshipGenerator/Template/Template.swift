/// A Mustache template.
///
///     let template = try Template("Hello {{name}}!\n", path: "Greeting.mustache")
///     try template.render(["name": "world"])      // Hello world!
///
/// It implements the core of the Mustache specification: variables, dotted names, sections, inverted sections,
/// comments, partials and changed delimiters. ``Options`` select where it differs. By default it generates code:
/// nothing is escaped, and an unknown name is an error with its location instead of an empty text.
struct Template: Sendable {
    /// A piece of a template.
    indirect enum Node: Sendable {
        case text(String)
        case variable(Name, isEscaped: Bool)
        case section(Name, [Node], isInverted: Bool)
        case partial(Name, indentation: String)
    }

    /// A name in a tag.
    ///
    /// Without parts it is `.`, the current value of a section.
    struct Name: Sendable {
        let parts: [String]
        /// The offset of the tag.
        let offset: Int

        var text: String { parts.isEmpty ? "." : parts.joined(separator: ".") }
    }

    /// The behavior of a template where it may differ from the specification.
    struct Options: Sendable {
        /// The treatment of characters with a meaning in the output language.
        enum Escaping: Sendable {
            /// They are written unchanged.
            case none
            /// `{{name}}` escapes `&`, `"`, `<` and `>` for HTML; `{{{name}}}` and `{{&name}}` don't.
            case html
        }

        /// The treatment of unknown names and of missing partials.
        enum UnknownNames: Sendable {
            /// They are errors.
            case refused
            /// They are empty texts, and false.
            case empty
        }

        let escaping: Escaping
        let unknownNames: UnknownNames

        /// Creates options.
        ///
        /// The defaults are for generating code.
        init(escaping: Escaping = .none, unknownNames: UnknownNames = .refused) {
            self.escaping = escaping
            self.unknownNames = unknownNames
        }

        /// The options of the Mustache specification.
        static let specification = Options(escaping: .html, unknownNames: .empty)
    }

    let source: TemplateSource
    let nodes: [Node]

    /// Parses a template.
    ///
    /// - Parameters:
    ///   - text: The text of the template.
    ///   - path: The path to print in errors.
    /// - Throws: ``TemplateError`` for a tag or section that isn't closed, has no name, or is closed by another name.
    init(_ text: String, path: String = "template") throws(TemplateError) {
        source = TemplateSource(text, path: path)
        var parser = TemplateParser(source)
        nodes = try parser.parse()
    }

    /// Renders the template.
    ///
    /// - Parameters:
    ///   - values: The values of names, usually an object.
    ///   - partials: The templates that `{{> name}}` includes.
    /// - Returns: The text.
    /// - Throws: ``TemplateError`` for an unknown name, or a name whose value has the wrong kind.
    /// - Complexity: O(*n*) for a text of *n* bytes.
    func render(
        _ values: TemplateValue,
        partials: [String: Template] = [:],
        options: Options = Options()
    ) throws(TemplateError) -> String {
        var renderer = TemplateRenderer(values, partials: partials, options: options)
        try renderer.render(self)
        return renderer.output
    }

    /// Checks that the values have all names of the template, including names in sections that would not be rendered.
    ///
    /// - Parameters:
    ///   - values: Values like those used for rendering. The first element of a list stands for all elements.
    ///   - partials: The templates that `{{> name}}` includes. None of them may include itself.
    /// - Throws: ``TemplateError`` for the first unknown name, or name whose value has the wrong kind.
    func check(_ values: TemplateValue, partials: [String: Template] = [:]) throws(TemplateError) {
        var renderer = TemplateRenderer(values, partials: partials, options: Options(), entersAllSections: true)
        try renderer.render(self)
    }
}

/// A sample target that has a value for each name a template can use, with no list empty.
enum TemplateSample {
    /// The only source of the target, as in `Templates/README.md`.
    static let source = """
        #if canImport(Dispatch)
        import Dispatch
        #endif
        import FlatCache

        #if DEBUG
        @available(macOS 15, *)
        public struct Post: Cachable, Decodable {
            public let id: String
            #if os(macOS)
            // cache: index, unique
            // relationship: Post, backlink: replies, sorted: id
            @available(macOS 15, *)
            public internal(set) var parentID: String?
            #endif
            // relationship: Post, inverse: twinID, delete: nullify
            public var twinID: String?
        }

        @available(macOS 15, *)
        public struct Pin: Cachable, Equatable {
            public let id: String
            public var post: Post?
            public static func == (lhs: Pin, rhs: Pin) -> Bool { lhs.id == rhs.id }
        }
        #endif

        """

    /// The values for rendering a template with the sample target.
    static var values: TemplateValue {
        let files = [Scanner.scan(Array(source.utf8), path: "Post.swift")]
        let validation = RelationshipValidation(TargetDeclarations(files, module: "Models"))
        validation.validate()
        return .object(RelationshipView(validation).values)
    }
}
