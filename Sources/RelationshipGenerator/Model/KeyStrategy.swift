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
