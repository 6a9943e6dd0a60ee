/// The optionals and collections around a name in a type: `[Comment.ID]?` is an optional array of a name.
indirect enum TypeShape {
    /// A type that is neither an optional nor a collection.
    case name(String)
    case optional(TypeShape)
    case array(TypeShape)
    case set(TypeShape)
    case dictionary(key: String, TypeShape)
    /// A type that is no name either, such as a tuple or a function.
    case other(String)

    /// Creates the shape of a type as the scanner writes it.
    ///
    /// Deeper nesting than any valid type needs is not a shape, so that no text can overflow the thread's stack.
    init(_ type: String) {
        self = Self.shape(of: Substring(type), levels: 8)
    }

    private static func shape(of type: Substring, levels: Int) -> TypeShape {
        if levels == 0 { return .other(String(type)) }
        func shape(of part: Substring) -> TypeShape { Self.shape(of: part, levels: levels - 1) }
        if type.hasSuffix("?") || type.hasSuffix("!") { return .optional(shape(of: type.dropLast())) }
        if let wrapped = argument(of: type, "Optional") { return .optional(shape(of: wrapped)) }
        if let element = argument(of: type, "Array") { return .array(shape(of: element)) }
        if let element = argument(of: type, "Set") { return .set(shape(of: element)) }
        if let arguments = argument(of: type, "Dictionary"), let (key, value) = split(arguments, at: ", ") {
            return .dictionary(key: String(key), shape(of: value))
        }
        if type.first == "[", type.last == "]" {
            let element = type.dropFirst().dropLast()
            // A dictionary is written with a space after its colon, a module selector without.
            if let (key, value) = split(element, at: ": ") { return .dictionary(key: String(key), shape(of: value)) }
            return isFixed(element) ? .other(String(type)) : .array(shape(of: element))
        }
        let isName = !type.isEmpty && !type.contains { "([?".contains($0) } && !type.contains("->")
        return isName ? .name(String(type)) : .other(String(type))
    }

    /// Whether brackets contain the type of a fixed array, `[3 of String]`, which is not a collection.
    private static func isFixed(_ element: Substring) -> Bool {
        element.split(separator: " ").dropFirst().first == "of" && !element.hasPrefix("`")
    }

    private static func argument(of type: Substring, _ name: String) -> Substring? {
        guard type.last == ">" else { return nil }
        for name in [name, "Swift.\(name)", "Swift::\(name)"] where type.hasPrefix(name + "<") {
            return type.dropFirst(name.count + 1).dropLast()
        }
        return nil
    }

    /// The texts before and after the first separator that is not in brackets, angles or backticks.
    private static func split(_ text: Substring, at separator: String) -> (Substring, Substring)? {
        var depth = 0
        var isRaw = false
        for index in text.indices {
            switch text[index] {
            case "`": isRaw.toggle()
            case "[", "(", "<": depth += isRaw ? 0 : 1
            case "]", ")", ">": depth -= isRaw ? 0 : 1
            default: break
            }
            guard depth == 0, !isRaw, text[index...].hasPrefix(separator) else { continue }
            return (text[..<index], text[index...].dropFirst(separator.count))
        }
        return nil
    }

    /// Replaces an optional by what it wraps.
    ///
    /// - Returns: Whether it was an optional.
    mutating func removeOptional() -> Bool {
        guard case .optional(let wrapped) = self else { return false }
        self = wrapped
        return true
    }

    /// The name, or the text in its place.
    var name: String {
        switch self {
        case .name(let name), .other(let name): name
        case .optional(let shape), .array(let shape), .set(let shape), .dictionary(_, let shape): shape.name
        }
    }

    /// The shape with another one in the place of the name: `[Key]` with `String?` is an array of optionals.
    func replacingName(with inner: TypeShape) -> TypeShape {
        switch self {
        case .name, .other: inner
        case .optional(let shape): .optional(shape.replacingName(with: inner))
        case .array(let shape): .array(shape.replacingName(with: inner))
        case .set(let shape): .set(shape.replacingName(with: inner))
        case .dictionary(let key, let shape): .dictionary(key: key, shape.replacingName(with: inner))
        }
    }
}

extension TypeShape {
    /// Whether the type is a collection, or an optional one.
    var isCollection: Bool {
        switch self {
        case .name, .other: false
        case .optional(let shape): shape.isCollection
        case .array, .set, .dictionary: true
        }
    }

    /// The collections in words, without the name in them: `an array of sets`.
    var description: String {
        switch self {
        case .array, .optional: "an \(words(isPlural: false) ?? "")"
        default: "a \(words(isPlural: false) ?? "")"
        }
    }

    private func words(isPlural: Bool) -> String? {
        let plural = isPlural ? "s" : ""
        let content: TypeShape
        let noun: String
        switch self {
        case .name, .other: return nil
        case .optional(let shape):
            return shape.words(isPlural: isPlural).map { "optional \($0)" } ?? "optional\(plural)"
        case .array(let shape): (noun, content) = ("array", shape)
        case .set(let shape): (noun, content) = ("set", shape)
        case .dictionary(_, let shape): (noun, content) = (isPlural ? "dictionarie" : "dictionary", shape)
        }
        return noun + plural + (content.words(isPlural: true).map { " of \($0)" } ?? "")
    }
}

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
