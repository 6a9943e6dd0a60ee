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

    /// Creates the readers of all relationships in the table of a type, for one payload.
    ///
    /// - Returns: The readers, or none if the type has no table.
    static func readers(of type: any Decodable.Type, in reading: PayloadReading) -> [NamedRelation] {
        func open<Owner: FlatCache.PayloadOwner>(_ type: Owner.Type) -> [NamedRelation] {
            readers(of: Owner.payloadKeys, in: reading)
        }
        return (type as? any FlatCache.PayloadOwner.Type).map { open($0) } ?? []
    }

    /// Creates the readers of all relationships among keys, for one payload.
    static func readers<Owner>(
        of keys: [FlatCache.PayloadKey<Owner>],
        in reading: PayloadReading
    ) -> [NamedRelation] {
        keys.compactMap { key in key.relation?.makeReader(in: reading).map { NamedRelation(key.name, $0) } }
    }
}

final class NestedRelation<Related: Cachable & Decodable>: PayloadRelation, @unchecked Sendable
where Related.ID: Decodable {
    override func makeReader(in reading: PayloadReading) -> RelationReader? {
        NestedRelationReader<Related>(names, in: reading)
    }
}
