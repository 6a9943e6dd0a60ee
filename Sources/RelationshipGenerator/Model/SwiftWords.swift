/// The words of Swift that can't be names without further ado.
enum SwiftWords {
    /// Names that need backticks where they are declared.
    static let reserved: Set<String> = [
        "associatedtype", "class", "deinit", "enum", "extension", "fileprivate", "func", "import", "inout", "internal",
        "let",
        "operator", "precedencegroup", "private", "protocol", "public", "rethrows", "static", "struct", "subscript",
        "typealias", "var", "break", "case", "catch", "continue", "default", "defer", "do", "else", "fallthrough",
        "for",
        "guard", "if", "in", "repeat", "return", "switch", "throw", "where", "while", "Any", "as", "await", "false",
        "is",
        "nil", "super", "throws", "true", "try",
    ]

    /// Names that not even backticks make usable.
    static let unusable: Set<String> = ["init", "self", "Self", "Type", "Protocol", "_"]

    /// A name as it is written in code, with backticks where Swift needs them.
    static func declared(_ name: String) -> String {
        let isPlain = name.unicodeScalars.allSatisfy { $0.properties.isXIDContinue || $0 == "$" || $0.value >= 0x80 }
        return reserved.contains(name) || !isPlain ? "`\(name)`" : name
    }
}
