/// The number of identifiers that a property can hold: one or several, with optionals.
struct Cardinality {
    enum Container: Equatable {
        case none, array, set
        /// An array of arrays.
        case nested
        /// A dictionary, with the type of its keys as written.
        case dictionary(key: String)
    }

    let container: Container
    /// Whether the identifier or the whole collection is optional.
    let isOptional: Bool
    /// Whether the identifiers in the collection are optional.
    let hasOptionalElements: Bool
    /// The type of one identifier, as written.
    let identifier: String

    var isToMany: Bool { container != .none }

    /// The type of the keys of a dictionary, as written.
    var key: String? {
        if case .dictionary(let key) = container { key } else { nil }
    }

    /// Creates the cardinality of a type such as `String?`, `[Comment.ID]` or `Set<Int>?`.
    ///
    /// - Returns: `nil` for a tuple, a function, or collections that accessors don't support.
    init?(_ type: String) {
        self.init(TypeShape(type))
    }

    /// Creates the cardinality of a type with a shape.
    init?(_ shape: TypeShape) {
        var shape = shape
        isOptional = shape.removeOptional()
        var element = shape
        switch shape {
        case .array(.array(let inner)): (container, element) = (.nested, inner)
        case .array(let inner): (container, element) = (.array, inner)
        case .set(let inner): (container, element) = (.set, inner)
        case .dictionary(let key, let inner): (container, element) = (.dictionary(key: key), inner)
        default: container = .none
        }
        hasOptionalElements = container == .array || container == .set ? element.removeOptional() : false
        guard case .name(let name) = element else { return nil }
        identifier = name
    }
}
