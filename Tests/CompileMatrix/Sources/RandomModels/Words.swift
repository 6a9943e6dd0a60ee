/// Names, with what the generator should make of them.
enum Words {
    /// Nouns with their plurals, empty where the annotation must give a name.
    static let nouns: [(one: String, several: String)] = [
        ("author", "authors"), ("story", "stories"), ("day", "days"), ("box", "boxes"), ("dish", "dishes"),
        ("church", "churches"), ("bus", "buses"), ("buzz", "buzzes"), ("replyTo", ""), ("parent", "parents"),
        ("URL", "URLs"), ("mainStory", "mainStories"), ("über", "übers"), ("作者", ""), ("naïveCafé", "naïveCafés"),
        ("автор", ""), ("x1", "x1s"), ("class", "classes"), ("default", "defaults"), ("in", ""), ("is", ""),
        ("repeat", "repeats"), ("some", ""), ("any", ""), ("async", ""), ("await", ""),
        ("policy", "policies"), ("isolation", "isolations"), ("related", ""), ("identifier", "identifiers"),
        ("owner", "owners"), ("newValue", "newValues"), ("actor", "actors"), ("nonisolated", ""),
        ("Author", "Authors"), ("willSet", ""), ("cache1", "cache1s"), ("Tag", "Tags"), ("found", ""),
    ]

    /// Names that only an annotation can give.
    static let given = [
        "writer", "`protocol`", "`func`", "`self1`", "été", "🧩", "_hidden", "open", "relate", "get", "left", "Capital",
        "`where`", "didSet", "yield", "Author", "Tag", "Element", "extension1", "subscript1", "of", "cacheable",
        "identifiers1", "Swift", "relationships",
    ]

    static let models = [
        "Author", "Story", "Comment", "Größe", "作品", "Task", "Result", "Character", "`Protocol1`", "`struct`",
        "Sequence",
        "Error", "Tag", "Media", "X", "Event", "Entry", "Collection", "Duration", "Never", "Identifiable1", "Mirror",
        "Set", "Optional", "Array", "Cached",
        "Void", "Actor", "Decodable", "FetchError", "Value", "Element", "related", "cache", "`class`",
    ]

    static let namespaces = ["Blog", "Shop", "Café", "`enum`", "Forum", "Library"]

    /// The word as it is declared: with backticks where it is a keyword.
    static func declared(_ name: String) -> String { keywords.contains(name) ? "`\(name)`" : name }

    static func bare(_ name: String) -> String { name.filter { $0 != "`" } }

    static func capitalized(_ name: String) -> String {
        let bare = bare(name)
        return bare.prefix(1).uppercased() + bare.dropFirst()
    }

    private static let keywords: Set = [
        "class", "struct", "default", "in", "is", "repeat", "protocol", "func", "where", "enum",
    ]
}
