/// The templates that the generator renders, embedded in the tool when it is built.
package enum Templates {
    /// The template of the accessors, `Relationships.mustache`.
    package static let relationships = String(decoding: PackageResources.Relationships_mustache, as: UTF8.self)
}
