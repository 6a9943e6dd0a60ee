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
            var stem = property.dropLast(suffix.text.count)
            while stem.last == "_" { stem.removeLast() }
            guard let last = stem.last else { continue }
            // `GUID` doesn't end in the word `ID`.
            if suffix.text.hasPrefix("I"), last.isUppercase, property.hasSuffix("\(last)\(suffix.text)") { continue }
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
