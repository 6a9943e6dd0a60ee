/// The code of the list of all relationships of a type.
struct RelationshipListCode {
    private let relationships: [Relationship]
    private let parts: [Part]

    /// Creates the code for the relationships of a type and its properties whose values have relationships.
    init(_ relationships: [Relationship], _ parts: [Part]) {
        self.relationships = relationships.filter { !$0.property.isUnavailable }
        self.parts = parts
    }

    /// The lines of the property that returns the relationships, or none.
    ///
    /// - Parameter access: The modifier of the property.
    @_optimize(none)
    func lines(_ access: String) -> [String] {
        let isDeprecated = (relationships.map(\.property) + parts.map(\.property)).contains(where: \.isDeprecated)
        let entries =
            relationships.map { (Self.entry($0), $0.property.conditions) }
            + parts.map { (Self.entry($0), $0.property.conditions) }
        return ConditionalArray(type: "_All", name: "allRelationships", entries)
            .property((isDeprecated ? "@available(*, deprecated) " : "") + access)
    }

    private static func entry(_ relationship: Relationship) -> String {
        ".init(\\.\(SwiftWords.member(relationship.names.accessor)))"
    }

    private static func entry(_ part: Part) -> String {
        guard let pattern = part.pattern else {
            return ".init(within: { \(values(of: part.shape, in: "$0.\(SwiftWords.member(part.property.name))")) })"
        }
        let values = values(of: part.shape, in: "held")
        // The first statement shows the type of the result.
        return ".init(within: { if case \(pattern) = $0 { return \(values) }; "
            + "return \(part.shape.isCollection ? "[]" : "nil") })"
    }

    /// The expression for the value, or for a sequence of the values, in an expression of a type with a shape.
    private static func values(of shape: TypeShape, in expression: String) -> String {
        switch shape {
        case .name, .other, .optional(.name): expression
        case .optional(.dictionary(let key, let value)):
            values(of: .dictionary(key: key, value), in: "(\(expression) ?? [:])")
        case .optional(.optional(let content)): values(of: .optional(content), in: "(\(expression) ?? nil)")
        case .optional(let content): values(of: content, in: "\(expression) ?? []")
        case .array(let element), .set(let element): elements(element, of: expression)
        case .dictionary(_, let value): elements(value, of: expression + ".values")
        }
    }

    /// The expression for the values in the elements of a sequence.
    private static func elements(_ element: TypeShape, of sequence: String) -> String {
        // The operator `??` binds less than a member.
        let operand = sequence.contains(" ?? []") ? "(\(sequence))" : sequence
        return switch element {
        case .name, .other: sequence
        case .array(.name), .set(.name): "\(operand).joined()"
        case _ where element.isCollection: "\(operand).flatMap { \(values(of: element, in: "$0")) }"
        default: "\(operand).compactMap { \(values(of: element, in: "$0")) }"
        }
    }
}
