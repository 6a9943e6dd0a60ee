/// The pieces of code and documentation that depend on a relationship's cardinality.
final class RelationshipCode {
    private let relationship: Relationship

    init(_ relationship: Relationship) {
        self.relationship = relationship
    }

    private var cardinality: Cardinality { relationship.cardinality }
    private var related: String { relationship.target }
    private var optional: String { relationship.isOptional ? "?" : "" }

    /// The name of the property that the accessors read, as written in code.
    var property: String { SwiftWords.declared(relationship.source) }

    /// The name of the case, as written after a period, or nothing.
    var caseName: String { relationship.property.isCase ? SwiftWords.member(relationship.property.name) : "" }

    /// The annotated property or case, as written in code.
    private var declared: String { SwiftWords.declared(relationship.property.name) }

    /// The property with its type in a form for string literals: names in backticks can contain quotes.
    var path: String { "\(relationship.owner).\(declared)".replacing("\"", with: "\\\"") }

    /// The kind of the relationship, the name of a type nested in `FlatCache`.
    var kind: String {
        let prefix = relationship.isOptional ? "ToOptional" : "To"
        return switch cardinality.container {
        case .none: relationship.isOptional ? "ToOptional" : "ToOne"
        case .array, .set: prefix + "Many"
        case .nested: prefix + "Nested"
        case .dictionary: prefix + "Keyed"
        }
    }

    // MARK: Types

    /// The type of the accessor: `Author?`, `[Comment]`, `[Language: Author]`.
    var type: String { cardinality.isToMany ? fetchedType : "\(related)?" }

    /// The type of all related entities, which are fetched: `Author`, `[Comment]?`.
    var fetchedType: String {
        switch cardinality.container {
        case .none: related + optional
        case .array, .set, .nested: "[\(related)]\(optional)"
        case .dictionary: "[\(relationship.key ?? ""): \(related)]\(optional)"
        }
    }

    /// The type of the entities that a setter takes: `Author`, `[Comment]?`, `[[Cell]]`.
    var entitiesType: String {
        // A case can't be set to `nil`.
        let type = relationship.property.isCase ? String(fetchedType.dropLast()) : fetchedType
        return cardinality.container == .nested ? "[[\(related)]]\(type.hasSuffix("?") ? "?" : "")" : type
    }

    /// The type of the identifier property, written so that it has the same meaning in the accessors.
    var propertyType: String {
        let identifier = "\(related).ID" + (cardinality.hasOptionalElements ? "?" : "")
        return switch cardinality.container {
        case .none: identifier + optional
        case .array: "[\(identifier)]\(optional)"
        case .set: "Swift.Set<\(identifier)>\(optional)"
        case .nested: "[[\(identifier)]]\(optional)"
        case .dictionary: "[\(relationship.key ?? ""): \(identifier)]\(optional)"
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
    @_optimize(none)
    func found(in cache: String) -> String {
        let noun = noun.capitalizedFirst
        guard cardinality.isToMany else {
            let other = relationship.property.isCase ? "this is another case or " : "there is none or "
            return "\(noun), or `nil` if \(relationship.isOptional ? other : "")\(cache) doesn't hold it."
        }
        let order =
            switch cardinality.container {
            case .none, .set: ""
            case .array: ", in the order of `\(declared)`"
            case .nested: ", row by row in the order of `\(declared)`"
            case .dictionary: ", with the keys of `\(declared)`"
            }
        return "\(noun) that \(cache) holds\(order)\(relationship.isOptional ? "; `nil` if \(absence)" : "")."
    }

    /// The condition under which there are no identifiers, or nothing if there are always some.
    var absence: String {
        guard relationship.isOptional else { return "" }
        return relationship.property.isCase ? "this is another case" : "`\(declared)` is `nil`"
    }
}

/// The pieces of code and documentation of a backlink.
final class BacklinkCode {
    private let backlink: Backlink

    init(_ backlink: Backlink) {
        self.backlink = backlink
    }

    private var isToMany: Bool { backlink.relationship.cardinality.isToMany }

    /// The backlink with its type in a form for string literals.
    var path: String {
        "\(backlink.owner).\(SwiftWords.declared(backlink.name))".replacing("\"", with: "\\\"")
    }

    /// The property with the identifiers, as written after a period.
    var property: String { SwiftWords.member(backlink.relationship.property.name) }

    /// The label of the identifier in the query: `is`, or `contains` for several identifiers.
    var comparison: String { isToMany ? "contains" : "is" }

    /// The documentation of the accessor.
    ///
    /// - Parameter cache: The noun for the cache that holds the entities.
    func found(in cache: String) -> String {
        let noun = Inflector.phrase(of: backlink.name) ?? "`\(backlink.name)` entities"
        let order = backlink.sorted.map { "sorted by `\($0)`" } ?? "in order of insertion"
        let verb = isToMany ? "contain" : "is"
        return "The \(noun) in \(cache) whose `\(backlink.relationship.property.name)` \(verb) `id`, \(order)."
    }
}
