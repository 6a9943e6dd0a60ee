extension JSONAPI {
    /// A rule of the specification that a document breaks.
    public enum Violation: Error, Hashable, Sendable {
        /// A document has one resource several times. Its objects are merged, in order.
        case duplicate(Identifier)
        /// No chain of relationships leads from the primary data to an included resource.
        ///
        /// The resource is stored. Relationships that the entities don't declare count. A response to a request with sparse
        /// fieldsets may leave relationships out, and then has this problem without a fault of the server.
        case unlinked(Identifier)
        /// A resource, or the target of a relationship, has another type than expected.
        ///
        /// The relationship counts as absent. Among several targets, only this one is left out.
        case unexpectedType(String, expected: String)
        /// A relationship has a local identifier for which the document has no `id`.
        case onlyLocal(Identifier)
        /// A resource, or the target of a relationship, has neither an `id` nor a `lid`.
        case unidentified(type: String)
        /// A document has `included` but no `data`.
        case includedWithoutData
        /// A document has `data` and `errors`.
        case dataAndErrors
    }
}

extension JSONAPI.Violation: CustomStringConvertible {
    /// A clause that describes the violation.
    public var description: String {
        switch self {
        case .duplicate(let identifier): "the document has \(identifier) more than once"
        case .unlinked(let identifier): "no relationship leads to \(identifier)"
        case .unexpectedType(let type, let expected):
            "the type is '\(type)' instead of '\(expected)'; if that is its name, state it by FlatCache.PayloadNamed"
        case .onlyLocal(let identifier): "the document has no id for \(identifier)"
        case .unidentified(let type): "a resource of type '\(type)' has neither an id nor a lid"
        case .includedWithoutData: "the document has 'included' but no 'data'"
        case .dataAndErrors: "the document has 'data' and 'errors'"
        }
    }
}
