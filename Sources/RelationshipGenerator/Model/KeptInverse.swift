/// A relationship and its inverse, both valid, as the owner of the relationship describes them.
final class KeptInverse: GeneratedMember {
    let relationship: Relationship
    var inverse: Relationship

    init(_ relationship: Relationship, _ inverse: Relationship) {
        self.relationship = relationship
        self.inverse = inverse
    }

    var owner: String { relationship.owner }
    var ownerAccess: AccessLevel { relationship.ownerAccess }
    var ownerAvailability: [String] { relationship.ownerAvailability }
    var ownerConditions: [ConditionalBranch] { relationship.ownerConditions }
    var location: SourceLocation { relationship.location }

    /// The `#if` branches around the two properties, without those around the owner.
    var conditions: [ConditionalBranch] {
        let own = relationship.property.conditions
        let others = (inverse.ownerConditions + inverse.property.conditions).filter {
            !ownerConditions.contains($0) && !own.contains($0)
        }
        return own + others
    }
}
