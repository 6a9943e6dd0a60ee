/// What the annotations of a target say: each with what it stands on, what is derived from it, and what is wrong with it.
package struct TargetReport: Sendable {
    /// The name of the target.
    package var target: String
    /// The annotations, in the order of the files and of the lines in them.
    package var annotations: [AnnotationReport]
    /// Errors of the sources that belong to no annotation, such as a comment that doesn't end.
    package var otherErrors: [Diagnostic]

    /// All errors, in the order of the files and of the lines in them.
    package var errors: [Diagnostic] {
        (annotations.flatMap(\.errors) + otherErrors).sorted { ($0.path, $0.location) < ($1.path, $1.location) }
    }
}

/// One annotation of a target.
package struct AnnotationReport: Sendable {
    /// The path of the file, as it was given.
    package var path: String
    /// Where the comment begins.
    package var location: SourceLocation
    /// The comment as written; of one of several lines the first.
    package var comment: String
    /// The stored property that it stands on, or `nil` when it stands on something else or nothing.
    package var subject: AnnotatedProperty?
    /// What it declares, or `nil` when it can't be followed.
    package var relationship: RelationshipReport?
    /// What is wrong with it.
    package var errors: [Diagnostic]
}

/// The stored property that an annotation stands on.
package struct AnnotatedProperty: Sendable {
    /// The type that has the property, qualified: `Blog.Post`.
    package var owner: String
    /// The name of the property.
    package var name: String
    /// The type of the property as written, or `nil` when none is.
    package var type: String?
    /// Where the name of the property is.
    package var location: SourceLocation
}

/// A relationship with all that is derived from its annotation.
package struct RelationshipReport: Sendable {
    /// The type with the property.
    package var owner: GraphType
    /// The related type, type aliases of the target followed.
    package var related: GraphType
    /// The identifier property.
    package var property: String
    /// Whether the property has several identifiers.
    package var isToMany: Bool
    /// Whether the property can be `nil`.
    package var isOptional: Bool
    /// The property of the related type that leads back, where the annotation names it.
    package var inverse: String?
    /// The type of the accessor: `Author?`, `[Comment]`.
    package var type: String
    /// The access level of the accessors.
    package var access: AccessLevel
    /// The names of the accessors, by what they are for: `accessor`, `setter`, `fetch`, in that order.
    package var names: [(role: String, name: String)]
    /// The names as they are called.
    package var calls: [String]
}

/// A type as a relationship names it, in any module.
package struct GraphType: Hashable, Sendable {
    /// The module that declares it.
    package var module: String
    /// The name, qualified by the types around it: `Blog.Post`.
    package var name: String
}
