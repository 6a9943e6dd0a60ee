/// The words that begin declarations.
enum Keyword {
    /// The words that say what is declared.
    static let introducers: Set<String> = [
        "import", "struct", "class", "enum", "actor", "protocol", "extension", "typealias", "associatedtype", "var",
        "let",
        "func", "init", "deinit", "subscript", "case", "operator", "precedencegroup", "macro",
    ]

    /// Those of them that can be nothing else, so that no expression goes on with them.
    static let reservedIntroducers: Set<String> = [
        "import", "struct", "class", "enum", "protocol", "extension", "typealias", "associatedtype", "var", "let",
        "func",
        "deinit", "subscript", "operator", "precedencegroup",
    ]

    /// The words on another line that begin a declaration whatever is missing before them.
    static let reservedBeginnings = reservedIntroducers.union([
        "public", "private", "fileprivate", "internal", "static",
    ])

    /// Those of them that can stand in the body of a function.
    static let localIntroducers: Set<String> = [
        "import", "struct", "class", "enum", "actor", "protocol", "extension", "typealias", "var", "let", "func",
    ]

    /// The words that can stand before them.
    static let modifiers: Set<String> = [
        "public", "private", "fileprivate", "internal", "package", "open", "static", "final", "lazy", "weak", "unowned",
        "mutating", "nonmutating", "override", "required", "convenience", "dynamic", "optional", "indirect", "prefix",
        "postfix", "infix", "nonisolated", "distributed", "borrowing", "consuming", "__consuming", "isolated",
    ]

    /// The modifiers that can have something in parentheses behind them.
    static let modifiersWithArgument: Set<String> = [
        "public", "private", "fileprivate", "internal", "package", "open", "unowned", "nonisolated",
    ]

    static func beginsDeclaration(_ word: String) -> Bool { introducers.contains(word) || modifiers.contains(word) }
}
