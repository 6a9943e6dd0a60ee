/// A comment that is an annotation, or looks like one that was meant to be.
package struct Annotation: Sendable {
    /// The comment as written, including its delimiter, without the line end.
    package var text: String
    /// The kind of comment.
    package var style: CommentStyle
    /// Where the comment begins.
    package var location: SourceLocation
    /// What follows `relationship:`, parsed.
    package var payload: Result<AnnotationPayload, AnnotationError>
    /// What the comment stands on.
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

/// The four ways to write a comment in Swift.
package enum CommentStyle: Sendable {
    case line, documentationLine, block, documentationBlock
}

/// `Author, name: writer, inverse: postIDs - prose`, taken apart.
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

/// Why a comment that looks like an annotation can't be read as one.
package enum AnnotationError: Error, Sendable, Equatable {
    /// `Relationship:` or `RELATIONSHIP:`.
    case wrongCase(written: String)
    /// `relationshp:`, `relation:`, `relationship :` and the like; with the type where it takes more than another word.
    case nearMiss(written: String, type: String?)
    /// `relationship:` with a letter of another alphabet that looks like one of its own.
    case lookAlike(written: String)
    /// A character that looks like a space, or like nothing.
    case invisible(Unicode.Scalar, location: SourceLocation)
    /// `relationship:` with nothing behind it.
    case missingTarget(location: SourceLocation)
    /// What follows is not the name of a type.
    case invalidTarget(written: String, TypePhrase)
    /// `key:` that is not in the closed set; `suggestion` is the near one.
    case unknownKey(written: String, suggestion: String?, location: SourceLocation)
    /// `Author name: a`.
    case missingComma(key: String, location: SourceLocation)
    /// A comma with nothing behind it.
    case missingKey(location: SourceLocation)
    /// `name:` without a value.
    case missingValue(key: String, location: SourceLocation)
    /// `throwing`, once a key.
    case unneededThrowing(location: SourceLocation)
    /// A value that can't be one: `name: 1st`.
    case invalidValue(key: String, written: String, location: SourceLocation)
    /// `name: a, name: b`.
    case duplicateKey(key: String, location: SourceLocation)
    /// Text behind a key that is neither another one nor prose after ` - `.
    case unexpectedText(written: String, location: SourceLocation)
    /// Such text behind what stands where the type should.
    case unexpectedWord(written: String, location: SourceLocation, TypePhrase)
}

/// What stands where an annotation names the type, up to a comma, free prose or the end: `an array of Author`.
package struct TypePhrase: Sendable, Equatable {
    package var text: String
    package var location: SourceLocation
}
