/// The pieces of Swift and of documentation in which relationships of different shapes differ.
struct RelationshipCode {
    private let relationship: Relationship

    init(_ relationship: Relationship) {
        self.relationship = relationship
    }

    private var shape: IdentifierShape { relationship.shape }
    private var related: String { relationship.target }
    private var optional: String { shape.isOptional ? "?" : "" }

    /// The name of the identifier property, as it is written in code.
    var property: String { SwiftWords.declared(relationship.property.name) }

    /// The property with its type, as it can stand in a string literal: names in backticks can contain quotes.
    var path: String { "\(relationship.owner).\(property)".replacing("\"", with: "\\\"") }

    /// The kind of the relationship: a type that `FlatCache` has.
    var kind: String {
        switch (shape.isToMany, shape.isOptional) {
        case (false, false): "ToOne"
        case (false, true): "ToOptional"
        case (true, false): "ToMany"
        case (true, true): "ToOptionalMany"
        }
    }

    // MARK: Types

    /// The type of the accessor: `Author?`, `[Comment]`.
    var type: String { shape.isToMany ? "[\(related)]\(optional)" : "\(related)?" }

    /// The type of all related entities, as a setter takes them: `Author`, `[Comment]?`.
    var entitiesType: String { (shape.isToMany ? "[\(related)]" : related) + optional }

    /// The type of the identifier property, by a name that means the same wherever the accessors stand.
    var propertyType: String {
        let identifier = "\(related).ID" + (shape.hasOptionalElements ? "?" : "")
        return switch shape.container {
        case .none: identifier + optional
        case .array: "[\(identifier)]\(optional)"
        case .set: "Swift.Set<\(identifier)>\(optional)"
        }
    }

    // MARK: Documentation

    /// What the relationship leads to, as words: `the quoted status`.
    var noun: String {
        let name = relationship.names.accessor
        return "the " + (NameRules.phrase(of: name) ?? "`\(name)` \(shape.isToMany ? "entities" : "entity")")
    }

    /// What the accessor gives, as a sentence.
    ///
    /// - Parameter cache: What holds the entities.
    func found(in cache: String) -> String {
        let noun = noun.capitalizedFirst
        guard shape.isToMany else {
            return "\(noun), or `nil` if \(shape.isOptional ? "there is none or " : "")\(cache) doesn't hold it."
        }
        let order = shape.container == .array ? ", in the order of `\(property)`" : ""
        return "\(noun) that \(cache) holds\(order)\(shape.isOptional ? "; `nil` where `\(property)` is" : "")."
    }
}
