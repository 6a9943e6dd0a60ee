/// The words of Swift that can't be used as names, or only in backticks.
enum SwiftWords {
    /// Names that need backticks where they are declared.
    static let reserved = Set(
        words: """
            associatedtype class deinit enum extension fileprivate func import inout internal let operator \
            precedencegroup private protocol public rethrows static struct subscript typealias var break case catch \
            continue default defer do else fallthrough for guard if in repeat return switch throw where while Any as \
            await false is nil super throws true try
            """
    )

    /// Names that can't be used, not even in backticks.
    private static let unusable = Set(
        words: """
            init self Self Type Protocol _
            """
    )

    /// A name as it is written in code, with backticks where Swift needs them.
    static func declared(_ name: String) -> String {
        reserved.contains(name) || !isIdentifier(name) ? "`\(name)`" : name
    }

    /// A name as it is written after a period.
    static func member(_ name: String) -> String { unusable.contains(name) ? "`\(name)`" : declared(name) }

    /// Words with a meaning in the position of a type, besides the words that can't be used as names at all.
    private static let wordsOfTypes = Set(
        words: """
            any async borrowing consuming each isolated nonisolated of sending some
            """
    )

    /// A name as it is written in code, without unneeded backticks.
    static func normalized(_ code: String) -> String {
        guard code.utf8.first == Byte.backtick else { return code }
        let name = String(code.dropFirst().dropLast())
        let isWord = unusable.contains(name) || wordsOfTypes.contains(name)
        return isWord ? code : declared(name)
    }

    /// Whether a text can be a name, in backticks if needed: it contains more than white space and operators.
    static func isUsable(_ name: String) -> Bool {
        !unusable.contains(name) && !name.unicodeScalars.allSatisfy(isOperatorOrSpace)
    }

    private static func isOperatorOrSpace(_ scalar: Unicode.Scalar) -> Bool {
        guard !scalar.isASCII else { return " /=-+*%<>!&|^~.?".unicodeScalars.contains(scalar) }
        return ScalarClass.isInOperator(scalar.value) || ScalarClass.isSpace(scalar.value)
    }

    private static func isIdentifier(_ name: String) -> Bool {
        guard let first = name.unicodeScalars.first, name.unicodeScalars.allSatisfy(isInIdentifier) else {
            return false
        }
        return first.isASCII ? !("0"..."9").contains(first) && first != "$" : ScalarClass.beginsIdentifier(first.value)
    }

    private static func isInIdentifier(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "_", "$": true
        default: !scalar.isASCII && ScalarClass.isInIdentifier(scalar.value)
        }
    }
}

/// Functions on the names of types as they are written: `Author`, `Blog.Author`, `Blog::Author`.
///
/// A name in backticks can contain periods and colons, which separate nothing there.
enum QualifiedName {
    /// The components of a name, which periods and module selectors separate.
    static func components(of name: String) -> [Substring] {
        var isRaw = false
        return name.split { character in
            if character == "`" { isRaw.toggle() }
            return !isRaw && (character == "." || character == ":")
        }
    }

    /// Whether a name contains a module selector.
    static func hasModuleSelector(_ name: String) -> Bool {
        // Almost no name has a colon or a backtick.
        name.utf8.contains(UInt8(ascii: ":")) && withoutRawNames(name).contains("::")
    }

    /// A piece of code without its names in backticks.
    static func withoutRawNames(_ code: String) -> String {
        guard code.utf8.contains(Byte.backtick) else { return code }
        var isRaw = false
        return code.filter { character in
            if character == "`" { isRaw.toggle() }
            return !isRaw
        }
    }
}

/// The names of the accessors of an identifier property, without backticks.
struct AccessorNames {
    /// `author`, `comments`.
    let accessor: String
    /// `setAuthor`, `setComments`.
    let setter: String
    /// `fetchAuthor`, `fetchComments`.
    let fetch: String

    init(accessor: String) {
        self.accessor = accessor
        setter = "set" + accessor.capitalizedFirst
        fetch = "fetch" + accessor.capitalizedFirst
    }

    /// The accessors as they are explained: their roles, names, and the labels of their calls.
    var roles: [(role: String, name: String, labels: String)] {
        [("accessor", accessor, ""), ("setter", setter, "(_:in:)"), ("fetch", fetch, "(_:in:)")]
    }

    /// The members that accessors add to a type, in the form that overload resolution uses.
    var members: [String] {
        // A method with a matching call would be called instead of the generated one.
        [accessor, "\(accessor)(in:)", setter, "\(setter)(_:)", "\(setter)(_:in:)"]
            + [fetch, "\(fetch)(_:)", "\(fetch)(in:)", "\(fetch)(_:in:)", "\(fetch)(_:in:isolation:)"]
    }

    /// The members of every handle, which shadow relationships and properties of the same names on handles.
    static let handleMembers = Set(
        words: """
            cache cached customMirror description fetch hash hashValue id key missing mutate mutations observe publisher \
            remove require set status update updates value
            """
    )
}

extension String {
    /// The string with its first letter in upper case.
    var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
