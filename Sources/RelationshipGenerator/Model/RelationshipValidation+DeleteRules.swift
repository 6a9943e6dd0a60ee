/// The delete rules of relationships.
extension RelationshipValidation {
    /// Checks that the owner is an entity, and that it can lose the identifier if the rule says so.
    func checkDeleteRule(of subject: Subject, _ relationship: Relationship) throws(Diagnostic) {
        guard let rule = relationship.deleteRule, let location = subject.payload.deleteRuleLocation else { return }
        try checkConformance(of: relationship.owner, at: location)
        try checkList("deleteRules", of: relationship.owner, at: location)
        if rule == .nullify { try checkIsRemovable(relationship, at: location) }
    }

    /// Checks that the generated code can remove an identifier from the property.
    private func checkIsRemovable(_ relationship: Relationship, at location: SourceLocation) throws(Diagnostic) {
        let property = relationship.property
        if property.isCase { throw .identifierOfCase(property.name, at: location) }
        if !relationship.cardinality.isToMany, !relationship.cardinality.isOptional {
            throw .requiredIdentifier(of: property.name, at: location)
        }
        if !property.isVariable { throw .constantIdentifier(of: property.name, at: location) }
        if !relationship.isDescribedSettable {
            throw .unsettableIdentifier(of: property.name, property.setterAccess ?? .private, at: location)
        }
    }
}
