/// Generates the accessors of a target from the annotations in its sources.
///
///     source text → Scanner → declarations and annotations
///                 → RelationshipValidation → relationships, and tables of keys
///                 → RelationshipView and Template → Swift
///
/// It works in memory. The tool reads and writes the files.
package struct RelationshipGenerator: Sendable {
    /// A source file of the target.
    package struct Source: Sendable {
        /// The path to print in messages.
        package let path: String
        /// The bytes of the file.
        package let text: [UInt8]

        /// Creates a source file.
        package init(path: String, text: [UInt8]) {
            self.path = path
            self.text = text
        }
    }

    /// The errors of a target's sources, in the order of the sources.
    package struct Failure: Error, Sendable {
        /// The errors.
        package let diagnostics: [Diagnostic]
    }

    private let target: String
    private let template: String
    /// The bytes of the target's own template; empty if it has none.
    private let ownTemplate: [UInt8]
    private let templatePath: String?
    private let partials: [String: String]

    /// Creates a generator that renders a shipped template.
    ///
    /// - Parameters:
    ///   - target: The name of the target's module.
    ///   - template: The text of the template.
    package init(target: String, template: String) {
        self.target = target
        self.template = template
        ownTemplate = []
        templatePath = nil
        partials = [:]
    }

    /// Creates a generator that renders a template of the target.
    ///
    /// The whole template is checked, including sections that are not rendered for the given sources.
    ///
    /// - Parameters:
    ///   - target: The name of the target's module.
    ///   - template: The bytes of the template to render.
    ///   - templatePath: The path of the template to print in messages.
    ///   - partials: The texts of the templates that the template can include, by name.
    package init(target: String, template: [UInt8], templatePath: String, partials: [String: String] = [:]) {
        self.target = target
        self.template = String(decoding: template, as: UTF8.self)
        ownTemplate = template
        self.templatePath = templatePath
        self.partials = partials
    }

    /// Generates the accessors for all annotations, and the tables of keys of all decodable entities.
    ///
    /// - Parameter sources: All source files of the target, in any order.
    /// - Returns: The text of a Swift file. It has only a header if the sources have no annotation and no decodable
    ///   entity. It depends on nothing but the sources, the names of their files and the target.
    /// - Throws: ``Failure`` with all errors.
    /// - Complexity: O(*n*) for *n* bytes of sources.
    package func generate(from sources: [Source]) throws(Failure) -> String {
        try generateWithNotes(from: sources).text
    }

    /// Generates the same text, and notes consequences that are easy to miss.
    ///
    /// - Returns: The same text as ``generate(from:)``, and the notes, ordered by location.
    package func generateWithNotes(from sources: [Source]) throws(Failure) -> (text: String, notes: [Diagnostic]) {
        let validation = try validRelationships(in: sources)
        return (try text(of: validation), validation.notes)
    }

    /// Generates the same text, if the sources have an annotation, or a table of keys or a `==` that the template renders.
    ///
    /// - Returns: The same text as ``generate(from:)``, or `nil`.
    package func generateIfNeeded(from sources: [Source]) throws(Failure) -> String? {
        let validation = try validRelationships(in: sources)
        let tables = validation.payloadTables
        let isAnnotated = !validation.relationships.isEmpty || !validation.indexes.isEmpty
        if !isAnnotated, tables.isEmpty, validation.partialEqualities.isEmpty { return nil }
        let equalities = validation.partialEqualities
        let text = try render(RelationshipView(validation, tables: tables, equalities))
        guard !isAnnotated else { return text }
        let empty = RelationshipView(validation, tables: [], [])
        return try text == render(empty) ? nil : text
    }

    private func validRelationships(in sources: [Source]) throws(Failure) -> RelationshipValidation {
        let validation = validation(of: sources)
        guard validation.diagnostics.isEmpty else {
            throw Failure(
                diagnostics: validation.diagnostics.ordered { $0.location < $1.location }
            )
        }
        return validation
    }

    private func text(of validation: RelationshipValidation) throws(Failure) -> String {
        try render(RelationshipView(validation))
    }

    private func render(_ view: RelationshipView) throws(Failure) -> String {
        do throws(TemplateError) {
            return try render(.object(view.values))
        } catch {
            let location = SourceLocation(path: error.path, offset: 0, line: error.line, column: error.column)
            throw Failure(diagnostics: [Diagnostic(location, error.message)])
        }
    }

    /// Returns the annotations of a target with their properties, derived relationships and errors, and the tables of keys.
    ///
    /// - Parameter sources: All source files of the target, in any order.
    /// - Complexity: O(*n*) for *n* bytes of sources.
    package func report(on sources: [Source]) -> TargetReport {
        TargetReport(validation(of: sources))
    }

    @_optimize(none)
    private func validation(of sources: [Source]) -> RelationshipValidation {
        let files = sources.ordered { $0.path < $1.path }.map { Scanner.scan($0.text, path: $0.path) }
        let validation = RelationshipValidation(TargetDeclarations(files, module: target))
        validation.validate()
        return validation
    }

    private func render(_ values: TemplateValue) throws(TemplateError) -> String {
        let path = templatePath ?? "Relationships.mustache"
        if templatePath != nil { try TemplateSource(template, path: path).check(ownTemplate) }
        let template = try Template(template, path: path)
        var included: [String: Template] = [:]
        for (name, text) in partials { included[name] = try Template(text, path: "\(name).mustache") }
        if templatePath != nil { try template.check(TemplateSample.values, partials: included) }
        return LineWrapping.wrapped(try template.render(values, partials: included))
    }
}
