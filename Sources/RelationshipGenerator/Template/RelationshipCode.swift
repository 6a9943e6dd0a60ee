/// The pieces of code and documentation that depend on a relationship's cardinality.
struct RelationshipCode {
    private let relationship: Relationship

    init(_ relationship: Relationship) {
        self.relationship = relationship
    }

    private var cardinality: Cardinality { relationship.cardinality }
    private var related: String { relationship.target }
    private var optional: String { cardinality.isOptional ? "?" : "" }

    /// The name of the identifier property, as written in code.
    var property: String { SwiftWords.declared(relationship.property.name) }

    /// The property with its type in a form for string literals: names in backticks can contain quotes.
    var path: String { "\(relationship.owner).\(property)".replacing("\"", with: "\\\"") }

    /// The kind of the relationship, the name of a type nested in `FlatCache`.
    var kind: String {
        switch (cardinality.isToMany, cardinality.isOptional) {
        case (false, false): "ToOne"
        case (false, true): "ToOptional"
        case (true, false): "ToMany"
        case (true, true): "ToOptionalMany"
        }
    }

    // MARK: Types

    /// The type of the accessor: `Author?`, `[Comment]`.
    var type: String { cardinality.isToMany ? "[\(related)]\(optional)" : "\(related)?" }

    /// The type of all related entities, which a setter takes: `Author`, `[Comment]?`.
    var entitiesType: String { (cardinality.isToMany ? "[\(related)]" : related) + optional }

    /// The type of the identifier property, written so that it has the same meaning in the accessors.
    var propertyType: String {
        let identifier = "\(related).ID" + (cardinality.hasOptionalElements ? "?" : "")
        return switch cardinality.container {
        case .none: identifier + optional
        case .array: "[\(identifier)]\(optional)"
        case .set: "Swift.Set<\(identifier)>\(optional)"
        }
    }

    // MARK: Documentation

    /// The related entity or entities as a noun phrase: `the quoted status`.
    var noun: String {
        let name = relationship.names.accessor
        return "the " + (Inflector.phrase(of: name) ?? "`\(name)` \(cardinality.isToMany ? "entities" : "entity")")
    }

    /// The documentation of the accessor: the result and when it is `nil`.
    ///
    /// - Parameter cache: The noun for the cache that holds the entities.
    func found(in cache: String) -> String {
        let noun = noun.capitalizedFirst
        guard cardinality.isToMany else {
            return "\(noun), or `nil` if \(cardinality.isOptional ? "there is none or " : "")\(cache) doesn't hold it."
        }
        let order = cardinality.container == .array ? ", in the order of `\(property)`" : ""
        return
            "\(noun) that \(cache) holds\(order)\(cardinality.isOptional ? "; `nil` if `\(property)` is `nil`" : "")."
    }
}
