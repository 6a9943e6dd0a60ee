/// The keys from which an entity is decoded.
package struct PayloadReport: Sendable {
    /// A decoded property.
    package struct Key: Sendable {
        package let property: String
        /// The coding key.
        package let name: String
        /// The other keys at which an identifier or a related entity can be, in the order of precedence.
        package let alternatives: [String]
        /// The related type of a relationship, whose entities can stand in the place of identifiers.
        package let related: String?
        /// The condition under which the key is compiled.
        package let condition: String?

        /// The key that a decoder with `.convertFromSnakeCase` has in place of the coding key, or `nil` if it has the same
        /// or another key of the property.
        package var convertedName: String? {
            let converted = KeyStrategy.keys(ofConverted: name)
            return alternatives.isEmpty && !converted.contains(name) ? converted.first : nil
        }
    }

    /// The type, qualified: `Blog.Post`.
    package let type: String
    /// The location of the type's name.
    package let location: SourceLocation
    package let keys: [Key]
    /// Whether the keys are learnt from the first complete entity of each case in a process.
    package let isLearnt: Bool
    /// The properties that a payload can't keep, and keys that can't be read.
    package let notes: [Diagnostic]
}

extension PayloadReport {
    init(_ table: PayloadTable) {
        type = table.owner
        location = table.location
        notes = table.notes
        isLearnt = table.isLearnt
        keys = table.keys.filter(\.isDecoded).map { key in
            Key(
                property: key.property.name,
                name: key.name,
                alternatives: key.alternatives,
                related: key.isRelated ? key.related : nil,
                condition: key.condition
            )
        }
    }
}
