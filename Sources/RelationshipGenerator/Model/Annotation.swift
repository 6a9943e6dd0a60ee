/// A comment that is an annotation, or was probably meant as one.
///
/// It is a class for the same reason as ``PropertyDeclaration``.
final class Annotation {
    /// The comment as written, including its delimiter, without the line end.
    let text: String
    /// The word with which the annotation begins.
    let keyword: AnnotationKeyword
    /// The kind of comment.
    let style: CommentStyle
    /// The location of the comment.
    let location: SourceLocation
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

extension Annotation {
    /// The declaration that an annotation is attached to, if there is one.
    indirect enum Attachment: Sendable {
        /// A stored property with one name: indices in ``ScannedFile/types`` and ``TypeDeclaration/properties``.
        case property(type: Int, property: Int)
        /// A case with associated values: indices in ``ScannedFile/types`` and ``TypeDeclaration/cases``.
        case enumCase(type: Int, index: Int)
        /// A declaration that can't have an annotation.
        case unsuitable(UnsuitableDeclaration, location: SourceLocation)
        /// No declaration: a blank line, the end of a scope or the end of the file follows.
        case nothing(UnattachedReason)
    }

    /// The declarations that can't have an annotation.
    indirect enum UnsuitableDeclaration: Sendable {
        case computedProperty(name: String)
        case staticProperty(name: String)
        case localVariable(name: String)
        case protocolRequirement(name: String)
        case globalVariable(name: String)
        /// `let a: String, b: String`.
        case severalBindings(names: [String])
        /// `let (a, b): (String, String)`.
        case tuplePattern
        /// A case without associated values.
        case enumCase(name: String)
        /// `case user(User.ID), group(Group.ID)`.
        case severalCases(names: [String])
        /// A place among the associated values of a case.
        case partOfCase
        /// Another declaration, with its keyword and name, such as `func` and `load`.
        case declaration(keyword: String, name: String)
        /// A place inside an attribute or a modifier.
        case partOfAttribute
        /// A statement or expression.
        case statement
    }

    /// Why no declaration follows an annotation.
    enum UnattachedReason: Sendable {
        case blankLine, endOfScope, endOfFile
        /// The comment follows something else than a property on the same line.
        case trailingOther
    }
}

/// Why a comment that was probably meant as an annotation can't be read.
indirect enum AnnotationError: Error, Sendable {
    /// `Relationship:` or `RELATIONSHIP:`.
    case wrongCase(written: String)
    /// `relationshp:`, `relation:`, `relationship :` and similar; with the type when changing one word isn't enough.
    case nearMiss(written: String, type: String?)
    /// `relationship:` with a letter of another alphabet that is confusable with a Latin one.
    case confusable(written: String)
    /// A character that looks like a space, or is invisible.
    case invisible(Unicode.Scalar, location: SourceLocation)
    /// `relationship:` without a type.
    case missingTarget(location: SourceLocation)
    /// The text in the type's place is not the name of a type.
    case invalidTarget(written: String, TypePhrase)
    /// `key:` for a key that doesn't exist; `suggestion` is a similar key.
    case unknownKey(written: String, suggestion: String?, location: SourceLocation)
    /// `Author name: a`.
    case missingComma(key: String, location: SourceLocation)
    /// A comma without a key after it.
    case missingKey(location: SourceLocation)
    /// `name:` without a value.
    case missingValue(key: String, location: SourceLocation)
    /// `throwing`, a key of earlier versions.
    case unneededThrowing(location: SourceLocation)
    /// A value that is not a name: `name: 1st`.
    case invalidValue(key: String, written: String, location: SourceLocation)
    /// `delete: casade`; `suggestion` is a similar rule.
    case unknownDeleteRule(written: String, suggestion: String?, location: SourceLocation)
    /// `name: a, name: b`.
    case duplicateKey(key: String, location: SourceLocation)
    /// `cache:` without `index`; `suggestion` is a similar word that is known.
    case unknownIndex(written: String, suggestion: String?, location: SourceLocation)
    /// A key of an index that doesn't exist; `suggestion` is a similar key.
    case unknownIndexKey(written: String, suggestion: String?, location: SourceLocation)
    /// `unique: true`.
    case valueOfUnique(location: SourceLocation)
    /// Text after a key that is neither another key nor prose after ` - `.
    case unexpectedText(written: String, location: SourceLocation)
    /// Such text after a text in the type's place.
    case unexpectedWord(written: String, location: SourceLocation, TypePhrase)
}

/// The text in the type's place, up to a comma, prose or the end: `an array of Author`.
struct TypePhrase: Sendable {
    let text: String
    let location: SourceLocation
}

/// A comment that may be a mistaken annotation, depending on the name in it and on the property after it.
///
/// The scanner sees one file. Whether a name is a type of the target is known only after all files are scanned.
struct PossibleAnnotation {
    /// The annotation that the comment is if it is one.
    ///
    /// Its payload is the error to report.
    let annotation: Annotation
    /// The name in the comment; empty when there is none.
    let name: String
    let evidence: Evidence

    /// The evidence that makes the comment an annotation.
    ///
    /// Before a property with the name of an identifier, the case of the name is ignored.
    enum Evidence {
        /// The name is a type of the target, or qualified by a module that the file imports.
        case name
        /// The same, and the comment is attached to a variable or constant.
        case nameOnVariable
        /// The comment is attached to a variable or constant. The name doesn't matter.
        case variable
        /// The name is such a type, or starts with a capital and the comment is attached to an identifier property.
        case nameOrProperty
    }
}

/// What becomes of the owner of a relationship when the related entity is removed.
package enum DeleteRule: String, Sendable, CaseIterable {
    /// It is removed, too.
    case cascade
    /// It loses the identifier.
    case nullify
    /// It keeps the identifier, as without a rule.
    case keep
}
