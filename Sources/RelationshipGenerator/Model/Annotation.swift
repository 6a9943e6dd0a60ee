/// A comment that is an annotation, or was probably meant as one.
package struct Annotation: Sendable {
    /// The comment as written, including its delimiter, without the line end.
    package var text: String
    /// The kind of comment.
    package var style: CommentStyle
    /// The location of the comment.
    package var location: SourceLocation
    /// The parsed text after `relationship:`.
    package var payload: Result<AnnotationPayload, AnnotationError>
    /// The declaration that the comment is attached to, if there is one.
    package var attachment: Attachment

    package init(
        text: String,
        style: CommentStyle,
        location: SourceLocation,
        payload: Result<AnnotationPayload, AnnotationError>,
        attachment: Attachment
    ) {
        self.text = text
        self.style = style
        self.location = location
        self.payload = payload
        self.attachment = attachment
    }
}

/// The parsed text of an annotation: `Author, name: writer, inverse: postIDs - prose`.
package struct AnnotationPayload: Sendable, Equatable {
    /// The related type as written: `Author`, `Blog.Author`.
    package var target: String
    package var targetLocation: SourceLocation
    /// The value of `name:`.
    package var accessorName: String?
    package var accessorNameLocation: SourceLocation?
    /// The value of `inverse:`: a property of the related type.
    package var inverse: String?
    package var inverseLocation: SourceLocation?

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
