import Testing

@Suite("The text in the type's place of an annotation")
struct TypePhraseTests {
    @Test(
        "Words around the name of a type are an error that says to remove them",
        arguments: [
            ("[Author]", "'[' and ']'"), ("Author?", "'?'"), ("Author!", "'!'"), ("Author.", "'.'"), ("Author;", "';'"),
            ("Author:", "':'"), (": Author", "':'"), (".Author", "'.'"), ("Author's", "''s'"),
            ("\"Author\"", "'\"' and '\"'"),
            ("(Author)", "'(' and ')'"), ("[Author].self", "'[' and '].self'"), ("Author.self?", "'.self?'"),
            ("Set<Author>", "'Set<' and '>'"), ("any Author", "'any'"), ("one Author", "'one'"), ("to Author", "'to'"),
            ("an array of Author", "'an array of'"), ("many Blog.Author", "'many'"),
            ("one-to-many Author", "'one-to-many'"),
            ("type: Author", "'type:'"), ("Optional Author", "'Optional'"), ("an [Author]", "'an [' and ']'"),
        ]
    )
    func aroundTheType(phrase: String, removed: String) {
        for options in ["", ", name: writer", " - prose"] {
            #expect(
                errorsOfPost("    // relationship: \(phrase)\(options)\n    let authorID: String")
                    == [
                        "File1.swift:5:22: error: '\(phrase)' is not the name of a type; remove \(removed)"
                    ]
            )
        }
    }

    @Test("A nested type of an entity is an error", arguments: ["self", "Type", "Protocol", "ID", "id"])
    func memberOfType(member: String) {
        for id in ["let id: String", "struct ID: Hashable {}\n    let id: ID", "typealias ID = String\n    let id: ID"]
        {
            let source =
                "import FlatCache\nstruct Post: Cachable {\n// relationship: Post.\(member)\nlet postID: Post.ID\n\(id)\n}"
            #expect(
                errors(in: [source]) == [
                    "File1.swift:3:18: error: 'Post.\(member)' is not the name of an entity; remove '.\(member)'"
                ]
            )
        }
    }
}
