/// The code of the delete rules of a type.
struct DeleteRuleCode {
    private let relationships: [Relationship]

    /// Creates the code for the relationships of a type, of which some can have a rule.
    init(_ relationships: [Relationship]) {
        self.relationships = relationships.filter { $0.deleteRule != nil }
    }

    /// The lines of the property that returns the rules, or none.
    ///
    /// - Parameter access: The modifier of the property.
    func lines(_ access: String) -> [String] {
        let isDeprecated = relationships.contains(where: \.property.isDeprecated)
        let entries = relationships.map { (entry($0), $0.property.conditions) }
        return ConditionalArray(type: "[FlatCache.DeleteRule<Self>]", name: "deleteRules", entries)
            .property((isDeprecated ? "@available(*, deprecated) " : "") + access)
    }

    private func entry(_ relationship: Relationship) -> String {
        let accessor = SwiftWords.member(relationship.names.accessor)
        return ".init(\\.\(accessor), .\(relationship.deleteRule?.rawValue ?? "")\(index(of: relationship)))"
    }

    /// The argument with the index of the identifiers, if there can be one.
    private func index(of relationship: Relationship) -> String {
        switch relationship.cardinality.container {
        case _ where relationship.property.isCase: ""
        case .nested, .dictionary: ""
        case .none, .array, .set:
            ", index: "
                + IndexCode.entry(relationship.property.name, isEach: relationship.cardinality.isToMany)
        }
    }
}
