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
    var text: String
    var location: SourceLocation
}
