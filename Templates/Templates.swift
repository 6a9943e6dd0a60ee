/// The shipped templates, embedded in the tool.
package enum Templates {
    /// The text of `Getters.mustache`.
    package static let getters = String(decoding: PackageResources.Getters_mustache, as: UTF8.self)

    /// The text of `Relationships.mustache`.
    package static let relationships = String(decoding: PackageResources.Relationships_mustache, as: UTF8.self)

    /// The texts by the names that templates use to include them.
    package static let all = ["Getters": getters, "Relationships": relationships]
}
