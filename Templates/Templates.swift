/// The templates that the generator renders, embedded in the tool when it is built.
package enum Templates {
    /// The template of all accessors, `Relationships.mustache`.
    package static let relationships = String(decoding: PackageResources.Relationships_mustache, as: UTF8.self)

    /// The template of the getters alone, `Getters.mustache`.
    package static let getters = String(decoding: PackageResources.Getters_mustache, as: UTF8.self)

    /// The templates by the names with which others can include them.
    package static let all = ["Relationships": relationships, "Getters": getters]
}
