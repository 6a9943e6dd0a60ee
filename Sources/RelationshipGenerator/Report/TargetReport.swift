/// The annotations of a target with their properties, derived relationships and errors, and its decodable entities.
package struct TargetReport: Sendable {
    /// The name of the target.
    package let target: String
    /// The annotations, ordered by file and line.
    package internal(set) var annotations: [AnnotationReport]
    /// The errors that belong to no annotation, such as an unterminated comment.
    package internal(set) var otherErrors: [Diagnostic]
    /// The notes, ordered by file and line.
    package let notes: [Diagnostic]
    /// The decodable entities, ordered by file and line.
    package let payloads: [PayloadReport]

    /// All errors, ordered by file and line.
    package var errors: [Diagnostic] {
        (annotations.flatMap(\.errors) + otherErrors).ordered { $0.location < $1.location }
    }
}

/// One annotation of a target.
package struct AnnotationReport: Sendable {
    /// The path of the file as it was passed in.
    package let path: String
    /// The location of the comment.
    package let location: SourceLocation
    /// The first line of the comment as written.
    package let comment: String
    /// The stored property or case that the annotation is attached to, or `nil` when it isn't attached to one.
    package let subject: AnnotatedProperty?
    /// The relationship that the annotation declares, or `nil` when it declares none or is invalid.
    package let relationship: RelationshipReport?
    /// The index that the annotation declares, or `nil` when it declares none or is invalid.
    package let index: IndexReport?
    /// The errors of the annotation.
    package let errors: [Diagnostic]
}

/// The stored property or case that an annotation is attached to.
package struct AnnotatedProperty: Sendable {
    /// The type that has the property, qualified: `Blog.Post`.
    package let owner: String
    /// The name of the property.
    package let name: String
    /// The type of the property as written, or `nil` when no type is written; the associated values of a case.
    package let type: String?
    /// Whether it is a case of an enum.
    package let isCase: Bool
    /// The location of the name of the property.
    package let location: SourceLocation
}

/// A relationship with all names derived from its annotation.
package struct RelationshipReport: Sendable {
    /// The type with the property.
    package let owner: GraphType
    /// The related type, with type aliases of the target followed.
    package let related: GraphType
    /// The identifier property.
    package let property: String
    /// Whether the property holds several identifiers.
    package let isToMany: Bool
    /// Whether the property can be `nil`, or another case can be in its place.
    package let isOptional: Bool
    /// The inverse property of the related type, if one of the two annotations names it.
    package let inverse: String?
    /// Whether setters of handles change the inverse, too.
    package let keepsInverse: Bool
    /// The accessor of the related type that leads back, if the annotation names one.
    package let backlink: String?
    /// The property that orders the backlink, if the annotation names one.
    package let sorted: String?
    /// What becomes of the owner when the related entity is removed, or `nil` if it keeps the identifier.
    package let deleteRule: DeleteRule?
    /// How the cache replaces an identifier of the property by another one.
    package let replacement: Replacement
    /// The related entity or entities as a noun phrase: `the author`.
    package let noun: String
    /// The type of the accessor: `Author?`, `[Comment]`, `[Language: Author]`.
    package let type: String
    /// The access level of the accessors.
    package let access: AccessLevel
    /// The names of the accessors by their roles: `accessor`, `setter`, `fetch`, in this order.
    package let names: [(role: String, name: String)]
    /// The names with their argument labels.
    package let calls: [String]
}

extension RelationshipReport {
    /// How the cache replaces an identifier of a property by another one.
    package enum Replacement: String, Sendable {
        /// The property is set.
        case set
        /// The property can't be set, but the owner can be encoded and decoded.
        case coded
        /// The property keeps the identifier.
        case none
    }
}

/// An index of a property.
package struct IndexReport: Sendable {
    /// The type with the property.
    package let owner: GraphType
    package let property: String
    /// Whether each element of the property is in the index.
    package let isEach: Bool
    /// Whether each value is expected in at most one entity.
    package let isUnique: Bool
}

/// A type of a relationship, in any module.
package struct GraphType: Hashable, Sendable {
    /// The module that declares the type.
    package let module: String
    /// The name, qualified by the enclosing types: `Blog.Post`.
    package let name: String
}
