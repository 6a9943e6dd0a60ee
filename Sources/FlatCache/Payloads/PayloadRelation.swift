/// A relationship, without the type of the related entities.
class PayloadRelation: @unchecked Sendable {  // Subclasses have only constants.
    /// The keys at which identifiers or related entities can be, in the order of precedence.
    let names: [String]
    let relatedType: any Any.Type

    init(_ name: StaticString, _ alternatives: [StaticString], to relatedType: any Any.Type) {
        names = ["\(name)"] + alternatives.map { "\($0)" }
        self.relatedType = relatedType
    }

    /// Creates the reader of one payload, or returns `nil` if nothing can be nested.
    func makeReader(in reading: PayloadReading) -> RelationReader? { nil }
}

final class NestedRelation<Related: Cachable & Decodable>: PayloadRelation, @unchecked Sendable
where Related.ID: Decodable {
    override func makeReader(in reading: PayloadReading) -> RelationReader? {
        NestedRelationReader<Related>(names, in: reading)
    }
}
