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
