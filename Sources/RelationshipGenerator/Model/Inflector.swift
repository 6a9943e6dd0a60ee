/// Rules of English that derive the names of accessors from the names of properties.
enum Inflector {
    /// The suffixes of identifier properties, longest first, and whether they are plurals.
    static let suffixes: [(text: String, isPlural: Bool)] = [
        ("Identifiers", true), ("Identifier", false), ("_ids", true), ("IDs", true), ("Ids", true), ("_id", false),
        ("ID", false), ("Id", false),
    ]

    /// Words with an irregular plural.
    private static let irregularWords = Set(
        words: """
            child person man woman foot tooth mouse louse goose ox leaf life knife wife half wolf shelf thief loaf calf \
            elf self scarf hoof hero potato tomato echo veto embargo torpedo volcano mosquito fish sheep deer moose \
            swine series species news media data datum medium bacterium criterion phenomenon index matrix vertex \
            appendix axis staff people children information equipment feedback content money music advice luggage \
            furniture software hardware knowledge homework traffic aircraft spacecraft offspring headquarters means quiz \
            whiz fez cactus fungus alumnus nucleus radius stimulus genus corpus die passerby
            """
    )

    /// The endings of compound words with an irregular plural: `grandchild`, `hypothesis`.
    private static let irregularEndings = [
        "child", "woman", "sman", "foot", "tooth", "mouse", "fish", "wife", "sis", "xis",
    ]

    /// Nouns with the ending of a participle.
    private static let nounsInED = Set(
        words: """
            embed hundred watershed flatbed seabed biped moped bobsled
            """
    )

    /// The part of a property's name before its suffix, and whether the suffix is a plural.
    ///
    /// - Returns: `nil` when the name doesn't end in a suffix at a word boundary.
    static func stem(of property: String) -> (stem: String, isPlural: Bool)? {
        for suffix in suffixes where property.hasSuffix(suffix.text) {
            var stem = property.dropLast(suffix.text.count)
            while stem.last == "_" || stem.last == " " { stem.removeLast() }
            guard let last = stem.last else { continue }
            // `GUID` doesn't end in the word `ID`.
            if suffix.text.hasPrefix("I"), last.isUppercase, property.hasSuffix("\(last)\(suffix.text)") { continue }
            return (String(stem), suffix.isPlural)
        }
        return nil
    }

    /// The reason why no rule forms the plural of the last word of a name in camel or snake case.
    ///
    /// - Returns: A clause for an error, or `nil` when a rule applies.
    static func objectionToPlural(of name: String) -> String? {
        let word = lastWord(of: name).lowercased()
        if word.unicodeScalars.contains(where: { $0.value >= 0x250 }) {
            return "'\(word)' is not an English word, so that its plural is unknown"
        }
        if irregularWords.contains(word) || irregularEndings.contains(where: word.hasSuffix), word != "talisman" {
            return "the plural of '\(word)' is irregular"
        }
        if isParticiple(word) {
            return "'\(word)' does not look like a noun, which a plural needs"
        }
        guard word.hasSuffix("s"), let before = word.dropLast().last, !"suiao".contains(before), word != "lens" else {
            return nil
        }
        return "'\(word)' already looks like a plural"
    }

    private static func isParticiple(_ word: String) -> Bool {
        word.utf8.count > 4 && word.hasSuffix("ed") && !word.hasSuffix("eed") && !nounsInED.contains(word)
    }

    /// Words that end a phrase rather than a noun: `repliedTo`.
    private static let prepositions = Set(
        words: """
            about after at before by for from in of on to via with
            """
    )

    /// The words of a name as a phrase that can follow an article.
    ///
    /// - Returns: `nil` when the last word is no noun, or the name has characters other than letters and digits.
    static func phrase(of name: String) -> String? {
        guard name.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" }) else { return nil }
        let words = words(of: name)
        guard let last = words.last, !prepositions.contains(last), !isParticiple(last) else { return nil }
        return words.joined(separator: " ")
    }

    /// The words of a name in camel or snake case, in lower case except for acronyms.
    @_optimize(none)
    private static func words(of name: String) -> [String] {
        var words = [""]
        let characters = Array(name)
        for (index, character) in characters.enumerated() {
            let isAfterCapital = index > 0 && characters[index - 1].isUppercase
            let next = characters[(index + 1)...].prefix { $0.isLowercase }
            // The plural of an acronym is one word: `htmlURLs`.
            let beginsWord = !isAfterCapital || !next.isEmpty && next != ["s"]
            if character == "_" || character.isUppercase && beginsWord { words.append("") }
            if character != "_" { words[words.count - 1].append(character) }
        }
        return words.filter { !$0.isEmpty }.map { word in
            let stem = word.last == "s" ? word.dropLast() : word[...]
            return stem.count > 1 && stem.allSatisfy { !$0.isLowercase } ? word : word.lowercased()
        }
    }

    /// A name in camel case in snake case: `media_attachments` for `mediaAttachments`.
    static func snakeCase(of name: String) -> String {
        words(of: name).map { $0.lowercased() }.joined(separator: "_")
    }

    /// The last word of a name in camel or snake case, or in words.
    static func lastWord(of name: String) -> String {
        var word = ""
        for character in name.reversed() {
            if character == "_" || character == " " { break }
            word.append(character)
            if character.isUppercase { break }
        }
        return String(word.reversed())
    }

    /// The name whose regular plural is the given name, or `nil` when there is none.
    static func singular(of plural: String) -> String? {
        for singular in ["\(plural.dropLast(3))y", "\(plural.dropLast(2))", "\(plural.dropLast())"]
        where self.plural(of: singular) == plural && objectionToPlural(of: singular) == nil {
            return singular
        }
        return nil
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

/// The strategy of decoders that converts keys from snake case.
enum KeyStrategy {
    /// The keys that a decoder makes of a property's name after an encoder, or another server, converted it to snake case.
    ///
    /// `mainURLAuthorID` is sent as `main_url_author_id`, of which the decoder makes `mainUrlAuthorId`. The encoder of
    /// Foundation doesn't recognise the plural of an acronym: it sends `htmlURLs` as `html_ur_ls`.
    static func keys(ofConverted name: String) -> [String] {
        // Keys in snake case are written where no strategy converts them.
        if name.contains("_") || name.first?.isUppercase == true { return [] }
        let servers = camelCase(of: words(of: name, knowsPlurals: true))
        let foundations = camelCase(of: words(of: name, knowsPlurals: false))
        return servers == foundations ? [servers] : [servers, foundations]
    }

    /// The words of a name in camel case, as the encoder of Foundation separates them.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - knowsPlurals: Whether the plural of an acronym is one word, as in `htmlURLs`.
    private static func words(of name: String, knowsPlurals: Bool) -> [String] {
        let characters = Array(name)
        var words: [String] = []
        var start = 0
        var position = 1
        func endWord(before end: Int) {
            if start < end { words.append(characters[start..<end].map { $0.lowercased() }.joined()) }
            start = max(start, end)
        }
        while let upper = characters.indices.dropFirst(position).first(where: { characters[$0].isUppercase }) {
            endWord(before: upper)
            guard let lower = characters.indices.dropFirst(upper).first(where: { characters[$0].isLowercase }) else {
                break
            }
            if knowsPlurals, isPlural(characters, from: upper, to: lower) {
                endWord(before: lower + 1)
            } else if lower > upper + 1 {
                endWord(before: lower - 1)
            }
            position = lower + 1
        }
        endWord(before: characters.count)
        return words
    }

    /// Whether two or more capitals are before an `s` that ends a word.
    private static func isPlural(_ characters: [Character], from upper: Int, to lower: Int) -> Bool {
        guard lower > upper + 1, characters[lower] == "s" else { return false }
        return characters[upper..<lower].allSatisfy(\.isUppercase)
            && (lower + 1 == characters.count || !characters[lower + 1].isLowercase)
    }

    private static func camelCase(of words: [String]) -> String {
        words.prefix(1).joined() + words.dropFirst().map(capitalized).joined()
    }

    /// A word with capitals after all other characters than letters: `Url2Id`.
    private static func capitalized(_ word: String) -> String {
        var result = ""
        var isAfterLetter = false
        for character in word {
            result += isAfterLetter ? String(character) : character.uppercased()
            isAfterLetter = character.isLetter
        }
        return result
    }
}
