/// The number of identifiers that a property can hold: one or several, with optionals.
struct Cardinality: Equatable {
    enum Container: Equatable {
        case none, array, set
    }

    var container: Container
    /// Whether the identifier or the whole collection is optional.
    var isOptional: Bool
    /// Whether the identifiers in the collection are optional.
    var hasOptionalElements: Bool
    /// The type of one identifier, as written.
    var identifier: String

    var isToMany: Bool { container != .none }

    /// Whether the type is a single identifier that isn't optional.
    var isPlain: Bool { !isToMany && !isOptional }

    /// The cardinality with the one of a type alias inserted: `[Key]` where `Key` is `String?` becomes an array of
    /// optionals.
    ///
    /// - Returns: `nil` for a collection of collections or an optional of an optional.
    func replacingIdentifier(with inner: Cardinality) -> Cardinality? {
        var result = self
        result.identifier = inner.identifier
        if isToMany {
            guard !inner.isToMany, !(hasOptionalElements && inner.isOptional) else { return nil }
            result.hasOptionalElements = hasOptionalElements || inner.isOptional
        } else {
            guard !(isOptional && inner.isOptional) else { return nil }
            result.container = inner.container
            result.isOptional = isOptional || inner.isOptional
            result.hasOptionalElements = inner.hasOptionalElements
        }
        return result
    }

    /// Creates the cardinality of a type such as `String?`, `[Comment.ID]` or `Set<Int>?`.
    ///
    /// - Returns: `nil` for a dictionary, a tuple, a function or nested collections.
    init?(_ type: String) {
        var type = Substring(type)
        let isOptional = Self.removeOptional(&type)
        if let element = Self.element(of: type) {
            var element = element.element
            container = Self.element(of: type)?.isSet == true ? .set : .array
            hasOptionalElements = Self.removeOptional(&element)
            type = element
        } else {
            container = .none
            hasOptionalElements = false
        }
        self.isOptional = isOptional
        identifier = String(type)
        guard !type.isEmpty, !type.contains("("), !type.contains("["), !type.contains("?"), !type.contains("->") else {
            return nil
        }
        if Self.element(of: type) != nil { return nil }
    }

    private static func removeOptional(_ type: inout Substring) -> Bool {
        if type.hasSuffix("?") || type.hasSuffix("!") {
            type.removeLast()
            return true
        }
        guard let argument = argument(of: type, ["Optional", "Swift.Optional", "Swift::Optional"]) else { return false }
        type = argument
        return true
    }

    private static func element(of type: Substring) -> (element: Substring, isSet: Bool)? {
        if type.hasPrefix("["), type.hasSuffix("]") {
            let element = type.dropFirst().dropLast()
            // A dictionary is written with a space after its colon, a module selector without. `[3 of String]` is not a
            // collection.
            return QualifiedName.withoutRawNames(String(element)).contains(": ") || isFixed(element)
                ? nil : (element, false)
        }
        if let element = argument(of: type, ["Array", "Swift.Array", "Swift::Array"]) { return (element, false) }
        return argument(of: type, ["Set", "Swift.Set", "Swift::Set"]).map { ($0, true) }
    }

    private static func isFixed(_ element: Substring) -> Bool {
        element.split(separator: " ").dropFirst().first == "of" && !element.hasPrefix("`")
    }

    private static func argument(of type: Substring, _ names: [String]) -> Substring? {
        for name in names where type.hasPrefix(name + "<") && type.hasSuffix(">") {
            return type.dropFirst(name.count + 1).dropLast()
        }
        return nil
    }
}
