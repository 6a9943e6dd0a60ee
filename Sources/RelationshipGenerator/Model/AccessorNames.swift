/// The names that accessors get from an identifier property.
struct AccessorNames: Equatable {
    /// `author`, `comments`; without backticks.
    let accessor: String
    /// `cachedAuthor`, `cachedComments`.
    let cached: String
    /// `setAuthor`, `setComments`.
    let setter: String
    /// `missingCommentIDs`, for collections.
    let missing: String

    init(accessor: String, property: String) {
        self.accessor = accessor
        cached = "cached" + accessor.capitalizedFirst
        setter = "set" + accessor.capitalizedFirst
        missing = "missing" + property.capitalizedFirst
    }

    /// The members that accessors add to a type, as overload resolution tells them apart.
    func members(isToMany: Bool) -> [String] {
        let common = [accessor, "\(accessor)(in:)", cached, "\(cached)(in:)", "\(setter)(_:in:)"]
        return isToMany ? common + ["\(missing)(in:)"] : common
    }

    /// The accessor as it is declared, with backticks where Swift needs them.
    var declaredAccessor: String { SwiftWords.declared(accessor) }

    /// The members of every handle, which no accessor may be named like.
    static let handleMembers: Set<String> = ["id", "key", "cache", "value", "values", "description", "hashValue"]
}

/// Derives names from names.
enum NameRules {
    /// The endings of identifier properties, longest first, and whether they are of several identifiers.
    static let suffixes: [(text: String, isPlural: Bool)] = [
        ("Identifiers", true), ("Identifier", false), ("_ids", true), ("IDs", true), ("Ids", true), ("_id", false),
        ("ID", false), ("Id", false),
    ]

    /// Words whose plural no rule gives.
    static let irregularWords: Set<String> = [
        "child", "person", "man", "woman", "foot", "tooth", "mouse", "goose", "ox", "leaf", "life", "knife", "wife",
        "half",
        "wolf", "shelf", "thief", "loaf", "calf", "elf", "self", "hero", "potato", "tomato", "echo", "fish", "sheep",
        "deer",
        "moose", "series", "species", "news", "media", "data", "datum", "medium", "criterion", "phenomenon", "analysis",
        "crisis", "thesis", "basis", "index", "matrix", "vertex", "axis", "staff", "people", "children", "information",
        "equipment", "feedback", "content", "money", "music", "advice", "luggage", "furniture",
    ]

    /// The ending of a property's name, at a word boundary.
    ///
    /// - Returns: What stands before the ending, and whether the ending is of several identifiers, or `nil` when the name
    ///   has no such ending.
    static func stem(of property: String) -> (stem: String, isPlural: Bool)? {
        for suffix in suffixes where property.hasSuffix(suffix.text) {
            let stem = property.dropLast(suffix.text.count)
            guard let last = stem.last else { continue }
            // `GUID` doesn't end in the word `ID`.
            if suffix.text.hasPrefix("I"), last.isUppercase { continue }
            guard last != "_" || suffix.text.hasPrefix("_") == false else { continue }
            return (String(stem), suffix.isPlural)
        }
        return nil
    }

    /// Whether no rule gives the plural of the last word of a name in camel or snake case.
    static func isIrregular(_ name: String) -> Bool {
        irregularWords.contains(lastWord(of: name).lowercased())
    }

    /// The last word of a name in camel or snake case.
    static func lastWord(of name: String) -> String {
        var word = ""
        for character in name.reversed() {
            if character == "_" { break }
            word.append(character)
            if character.isUppercase { break }
        }
        return String(word.reversed())
    }

    /// The regular plural of a name.
    static func plural(of name: String) -> String {
        let lowercased = name.lowercased()
        if lowercased.hasSuffix("y"), let before = lowercased.dropLast().last, !"aeiou".contains(before) {
            return name.dropLast() + "ies"
        }
        if ["s", "x", "z", "ch", "sh"].contains(where: lowercased.hasSuffix) { return name + "es" }
        return name + "s"
    }
}

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

extension String {
    /// The string with its first letter as a capital.
    var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
