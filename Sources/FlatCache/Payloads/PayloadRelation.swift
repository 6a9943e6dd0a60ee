/// The reader of the related entities of a property, without their static type.
class PayloadRelation: @unchecked Sendable {  // Subclasses have only constants.
    /// The keys at which identifiers or related entities can be, in the order of precedence.
    let names: [String]

    init(_ name: StaticString, _ alternatives: [StaticString]) {
        names = ["\(name)"] + alternatives.map { "\($0)" }
    }
}

/// A relationship whose related entities can be nested in a payload.
final class NestedRelation<Related: Cachable & Decodable>: PayloadRelation, @unchecked Sendable
where Related.ID: Decodable {}
