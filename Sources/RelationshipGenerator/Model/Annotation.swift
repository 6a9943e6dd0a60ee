/// A comment that is an annotation, or was probably meant as one.
package struct Annotation: Sendable {
    /// The comment as written, including its delimiter, without the line end.
    package var text: String
    /// The word with which the annotation begins.
    package var keyword: AnnotationKeyword
    /// The kind of comment.
    package var style: CommentStyle
    /// The location of the comment.
    package var location: SourceLocation
    /// The parsed text after `relationship:` or `cache:`.
    package var payload: Result<AnnotationPayload, AnnotationError>
    /// The declaration that the comment is attached to, if there is one.
    package var attachment: Attachment

    package init(
        text: String,
        keyword: AnnotationKeyword = .relationship,
        style: CommentStyle,
        location: SourceLocation,
        payload: Result<AnnotationPayload, AnnotationError>,
        attachment: Attachment
    ) {
        self.text = text
        self.keyword = keyword
        self.style = style
        self.location = location
        self.payload = payload
        self.attachment = attachment
    }
}

/// The words with which annotations begin.
package enum AnnotationKeyword: String, Sendable, Equatable {
    case relationship, cache
}

/// The parsed text of an annotation: `Author, name: writer, inverse: postIDs - prose` or `index, unique`.
package struct AnnotationPayload: Sendable, Equatable {
    /// The related type as written: `Author`, `Blog.Author`; after `cache:`, the word `index`.
    package var target: String
    package var targetLocation: SourceLocation
    /// The value of `name:`.
    package var accessorName: String?
    package var accessorNameLocation: SourceLocation?
    /// The value of `inverse:`: a property of the related type.
    package var inverse: String?
    package var inverseLocation: SourceLocation?
    /// The value of `backlink:`: an accessor of the related type.
    package var backlink: String?
    package var backlinkLocation: SourceLocation?
    /// The value of `sorted:`: a property of the owner, which orders the backlink.
    package var sorted: String?
    package var sortedLocation: SourceLocation?
    /// The value of `delete:`.
    package var deleteRule: DeleteRule?
    package var deleteRuleLocation: SourceLocation?
    /// Whether an index has the key `unique`.
    package var isUnique = false

    package init(
        target: String,
        targetLocation: SourceLocation,
        accessorName: String? = nil,
        accessorNameLocation: SourceLocation? = nil
    ) {
        self.target = target
        self.targetLocation = targetLocation
        self.accessorName = accessorName
        self.accessorNameLocation = accessorNameLocation
    }
}
