/// A comment that is an annotation, or was probably meant as one.
///
/// It is a class for the same reason as ``PropertyDeclaration``.
final class Annotation {
    /// The comment as written, including its delimiter, without the line end.
    var text: String
    /// The word with which the annotation begins.
    let keyword: AnnotationKeyword
    /// The kind of comment.
    let style: CommentStyle
    /// The location of the comment.
    var location: SourceLocation
    /// The parsed text after `relationship:` or `cache:`.
    let payload: Result<AnnotationPayload, AnnotationError>
    /// The declaration that the comment is attached to, if there is one.
    let attachment: Attachment

    init(
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
enum AnnotationKeyword: String, Sendable {
    case relationship, cache
}

/// The parsed text of an annotation: `Author, name: writer, inverse: postIDs - prose` or `index, unique`.
///
/// It is a class for the same reason as ``PropertyDeclaration``.
final class AnnotationPayload {
    /// The related type as written: `Author`, `Blog.Author`; after `cache:`, the word `index`.
    let target: String
    let targetLocation: SourceLocation
    /// The value of `name:`.
    var accessorName: String?
    var accessorNameLocation: SourceLocation?
    /// The value of `inverse:`: a property of the related type.
    var inverse: String?
    var inverseLocation: SourceLocation?
    /// The value of `backlink:`: an accessor of the related type.
    var backlink: String?
    var backlinkLocation: SourceLocation?
    /// The value of `sorted:`: a property of the owner, which orders the backlink.
    var sorted: String?
    var sortedLocation: SourceLocation?
    /// The value of `delete:`.
    var deleteRule: DeleteRule?
    var deleteRuleLocation: SourceLocation?
    /// Whether an index has the key `unique`.
    var isUnique = false

    init(target: String, targetLocation: SourceLocation) {
        self.target = target
        self.targetLocation = targetLocation
    }
}
