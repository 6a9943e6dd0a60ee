import Testing

@Suite("Errors of cases, arrays of arrays and dictionaries")
struct ShapeErrorTests {
    @Test(
        "A case needs one associated value with identifiers",
        arguments: [
            Mistake(
                "none",
                "    // relationship: Author\n    case author",
                "5:5 annotation needs a stored property of a struct or a case of an enum: the case 'author' has no "
                    + "associated value"
            ),
            Mistake(
                "empty",
                "    // relationship: Author\n    case author()",
                "5:5 annotation needs a stored property of a struct or a case of an enum: the case 'author' has no "
                    + "associated value"
            ),
            Mistake(
                "raw value, behind it",
                "    case author = 1  // relationship: Author",
                "5:22 annotation needs a stored property of a struct or a case of an enum: the case 'author' has no "
                    + "associated value"
            ),
            Mistake(
                "two",
                "    // relationship: Author\n    case author(Author.ID, of: [String: Int])",
                "5:5 the case 'author' has 2 associated values; declare it with one, as in 'author(Author.ID)'"
            ),
            Mistake(
                "label",
                "    // relationship: Author\n    case author(id: Author.ID = \"a,b\")",
                "5:5 the associated value of 'author' has the label 'id'; remove it, as in 'author(Author.ID)'"
            ),
            Mistake(
                "indirect",
                "    // relationship: Author\n    indirect case author(Author.ID)",
                "5:5 the case 'author' is 'indirect', which identifiers don't need; remove 'indirect'"
            ),
            Mistake(
                "several cases",
                "    // relationship: Author\n    case author(Author.ID), none, writer(Author.ID)",
                "5:5 annotation needs a stored property of a struct or a case of an enum: the cases 'author', 'none', "
                    + "'writer' are declared together; declare each on its own"
            ),
            Mistake(
                "one of several cases",
                "    case none,\n    // relationship: Author\n    author(Author.ID)",
                "6:5 annotation needs a stored property of a struct or a case of an enum: the cases 'none', 'author' are "
                    + "declared together; declare each on its own"
            ),
            Mistake(
                "among the values",
                "    case author(  // relationship: Author\n        Author.ID, Int)",
                "5:19 the case 'author' has 2 associated values; declare it with one, as in 'author(Author.ID)'"
            ),
            Mistake(
                "above a value",
                "    case author(\n        // relationship: Author\n        Author.ID\n    )",
                "6:9 annotation needs a stored property of a struct or a case of an enum: it is among the associated "
                    + "values of a case; write it above the case"
            ),
            Mistake(
                "optional",
                "    // relationship: Author\n    case author(Author.ID?)",
                "5:5 the associated value of 'author' is optional, so that its accessor could not tell 'nil' from another "
                    + "case; remove the '?', and declare a case without associated value for 'nil'"
            ),
            Mistake(
                "entity",
                "    // relationship: Author\n    case author(Author)",
                "5:5 'author' holds an entity, not its identifier; declare 'author(Author.ID)'"
            ),
            Mistake(
                "other identifier",
                "    // relationship: Author\n    case author(Int)",
                "5:5 'author' holds identifiers of type 'Int', but 'Author' is identified by 'String'; write 'Author.ID'"
            ),
            Mistake(
                "plural of one",
                "    // relationship: Author\n    case authorIDs(String)",
                "5:5 'authorIDs' is named like several identifiers, but its type 'String' is that of one; "
                    + "write 'authorID(String)' or 'authorIDs([String])'"
            ),
            Mistake(
                "singular of several",
                "    // relationship: Author\n    case authorID([String])",
                "5:5 'authorID' is named like one identifier, but its type '[String]' is that of several; "
                    + "write 'authorIDs([String])'"
            ),
            Mistake(
                "collections",
                "    // relationship: Author\n    case authors([Int: Set<String>])",
                "5:5 'authors' has the type '[Int: Set<String>]', a dictionary of sets, which accessors don't support; "
                    + "declare 'authors([Int: Author.ID])'"
            ),
            Mistake(
                "two annotations",
                "    // relationship: Author\n    // relationship: Comment\n    case author(Author.ID)",
                "6:5 'author' already has a relationship; remove one of the annotations"
            ),
            Mistake(
                "member with the name of the accessor",
                "    // relationship: Author\n    case author(Author.ID)\n    var author: Int { 1 }",
                "5:5 'Owner' already has a member 'author'; write '// relationship: Author, name: …'"
            ),
            Mistake(
                "member with the name of the generated property",
                "    // relationship: Author\n    case author(Author.ID)\n    private var _author: Int { 1 }",
                "5:5 'Owner' already has a member '_author'; write '// relationship: Author, name: …'"
            ),
            Mistake(
                "same accessor",
                "    // relationship: Author\n    case author(Author.ID)\n"
                    + "    // relationship: Author\n    case authorID(Author.ID)",
                "7:5 the relationship of 'author' already generates a member 'author'; "
                    + "write '// relationship: Author, name: …'"
            ),
            Mistake(
                "inverse that leads elsewhere",
                "    // relationship: Tag, inverse: ownerID\n    case tag(Tag.ID)\n"
                    + "    struct Tag: Cachable {\n        let id: String\n"
                    + "        // relationship: Author\n        let ownerID: String\n    }",
                "5:36 'Owner.Tag.ownerID' (File1.swift:9) leads to 'Author', not back to 'Owner'; "
                    + "write the name of a property with '// relationship: Owner'"
            ),
        ]
    )
    func cases(mistake: Mistake) {
        #expect(errors(in: [modelsOfPost + "enum Owner {\n" + mistake.source + "\n}\n"]) == mistake.printed)
    }

    @Test(
        "The enum must be visible in other files",
        arguments: [
            Mistake(
                "private enum",
                "private enum Owner {\n    // relationship: Author\n    case author(Author.ID)\n}",
                "5:5 'Owner' is private, but the generated accessors are in another file; make it at least internal"
            ),
            Mistake(
                "local enum",
                "func f() {\n    enum Owner {\n        // relationship: Author\n        case author(Author.ID)\n    }\n}",
                "6:9 'Owner' is declared inside a function, where it can't be extended; declare it outside of the function"
            ),
            Mistake(
                "generic parameter",
                "enum Owner<Author: Cachable> {\n    // relationship: Author\n    case author(Author.ID)\n}",
                "5:22 'Author' is a generic parameter of 'Owner' here; write the type of one entity, "
                    + "or a type alias for it if it has this name"
            ),
            Mistake(
                "noncopyable enum",
                "enum Owner: ~Copyable {\n    // relationship: Author\n    case author(Author.ID)\n}",
                "5:5 'Owner' is noncopyable, so that accessors can't read its cases; remove '~Copyable'"
            ),
            Mistake(
                "property of an enum",
                "enum Owner {\n    // relationship: Author\n    static var authorID = \"\"\n    case none\n}",
                "5:5 annotation needs a stored property of a struct or a case of an enum: 'authorID' is static"
            ),
        ]
    )
    func owners(mistake: Mistake) {
        #expect(errors(in: [modelsOfPost + mistake.source]) == mistake.printed)
    }

    @Test(
        "Collections contain identifiers, and only arrays are nested, once",
        arguments: [
            ("[[[Author.ID]]]", "an array of arrays of arrays", "[[Author.ID]]"),
            ("[[[Author.ID]]]?", "an array of arrays of arrays", "[[Author.ID]]?"),
            ("Set<[Author.ID]>", "a set of arrays", "[[Author.ID]]"),
            ("Set<Set<String>>", "a set of sets", "[[Author.ID]]"),
            ("[Set<Author.ID>]", "an array of sets", "[[Author.ID]]"),
            ("[[Author.ID]?]", "an array of optional arrays", "[[Author.ID]]"),
            ("[[Author.ID?]]", "an array of arrays of optionals", "[[Author.ID]]"),
            ("[Int: [Author.ID]]", "a dictionary of arrays", "[Int: Author.ID]"),
            ("[Int: Author.ID?]?", "a dictionary of optionals", "[Int: Author.ID]?"),
            ("[Int: [Int: Author.ID]]", "a dictionary of dictionaries", "[Int: Author.ID]"),
            ("[[Int: Author.ID]]", "an array of dictionaries", "[Int: Author.ID]"),
            ("Set<[Int: Author.ID]>", "a set of dictionaries", "[[Author.ID]]"),
        ]
    )
    func collections(type: String, words: String, remedy: String) {
        #expect(
            errorsOfPost("    // relationship: Author\n    var authorIDs: \(type)") == [
                "File1.swift:5:5: error: 'authorIDs' has the type '\(type)', \(words), which accessors don't support; "
                    + "declare 'authorIDs: \(remedy)'"
            ]
        )
    }

    @Test(
        "The type of keys has a name that accessors can use",
        arguments: [
            Mistake(
                "alias of a dictionary",
                "    typealias Authors = [Int: Author.ID]\n    // relationship: Author\n    var authorIDs: Authors?",
                "6:5 'Authors' is a type alias of a dictionary; write the dictionary itself as the type of 'authorIDs'"
            ),
            Mistake(
                "array behind an alias in a dictionary",
                "    typealias Authors = [Author.ID]\n    // relationship: Author\n    var authorIDs: [Int: Authors]",
                "6:5 'authorIDs' has the type '[Int: Authors]', a dictionary of arrays, which accessors don't support; "
                    + "declare 'authorIDs: [Int: Author.ID]'"
            ),
            Mistake(
                "tuple or array",
                "    // relationship: Author\n    var authorIDs: [[Int]: Author.ID]",
                "5:5 the keys of 'authorIDs' have the type '[Int]', which is not a name; "
                    + "declare a type alias for it, and write the alias as the type of the keys"
            ),
            Mistake(
                "optional",
                "    // relationship: Author\n    var authorIDs: [Int?: Author.ID]",
                "5:5 the keys of 'authorIDs' have the type 'Int?', which is not a name; "
                    + "declare a type alias for it, and write the alias as the type of the keys"
            ),
            Mistake(
                "generic",
                "    // relationship: Author\n    var authorIDs: [Pair<Int, Int>: Author.ID]",
                "5:5 the keys of 'authorIDs' have the type 'Pair<Int, Int>', which is not a name; "
                    + "declare a type alias for it, and write the alias as the type of the keys"
            ),
            Mistake(
                "private",
                "    private enum Role { case writer }\n    // relationship: Author\n    var authorIDs: [Role: Author.ID]",
                "6:5 the keys of 'authorIDs' need 'Role', which the accessors in another file can't refer to; "
                    + "make it at least internal"
            ),
            Mistake(
                "entities",
                "    // relationship: Author\n    var authors: [Int: Author]",
                "5:5 'authors' holds entities, not their identifiers; declare 'authorIDs: [Int: Author.ID]'"
            ),
            Mistake(
                "entities in rows",
                "    // relationship: Author\n    var authors: [[Author]]",
                "5:5 'authors' holds entities, not their identifiers; declare 'authorIDs: [[Author.ID]]'"
            ),
            Mistake(
                "singular",
                "    // relationship: Author\n    var authorID: [Int: Author.ID]",
                "5:5 'authorID' is named like one identifier, but its type '[Int: Author.ID]' is that of several; "
                    + "write 'authorIDs: [Int: Author.ID]'"
            ),
            Mistake(
                "no suffix",
                "    // relationship: Author\n    var rows: [[Author.ID]]",
                "5:5 no accessor name can be derived from 'rows', which does not end in the word 'ID' or 'IDs'; "
                    + "write '// relationship: Author, name: …'"
            ),
        ]
    )
    func keys(mistake: Mistake) {
        #expect(errorsOfPost(mistake.source) == mistake.printed)
    }

    @Test("A public accessor needs the module of its keys, if several are public")
    func moduleOfKeys() {
        let source = """
            public import Models
            public import Places
            public import FlatCache
            public struct Author: Cachable { public let id: String }
            public struct Post: Cachable {
                public let id: String
                // relationship: Author
                public var authorIDs: [Country: Author.ID]
            }
            """
        #expect(
            errors(in: [source]) == [
                "File1.swift:7:5: error: the keys of 'authorIDs' have the type 'Country' of an unknown module; "
                    + "write 'Models.Country' or 'Places.Country' in its type"
            ]
        )
        #expect(errors(in: [source.replacing("[Country", with: "[Places.Country")]) == [])
        #expect(errors(in: [source.replacing("[Country", with: "[String")]) == [])
    }

    @Test(
        "A mistaken annotation of a case is an error",
        arguments: [
            "// relation: Author", "/// relationship: Author", "// Relationship: Author", "// relationshp: Author",
        ]
    )
    func nearMisses(comment: String) {
        let source = modelsOfPost + "enum Owner {\n    \(comment)\n    case author(Author.ID)\n}\n"
        #expect(errors(in: [source]).count == 1)
    }
}
