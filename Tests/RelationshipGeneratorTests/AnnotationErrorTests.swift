import Testing

@Suite("Errors in annotations")
struct AnnotationErrorTests {
    static let models = """
        import FlatCache
        struct Author: Cachable { let id: String }
        struct Comment: Cachable { let id: Int }

        """

    /// The members of a `struct Post`, whose first line is line 5.
    static func errorsOfPost(_ members: String) -> [String] {
        errors(in: [models + "struct Post: Cachable {\n" + members + "\n}\n"])
    }

    @Test(
        "An annotation that can't be read",
        arguments: [
            Mistake(
                "wrong case",
                "    // Relationship: Author\n    let authorID: String",
                "5:5 'Relationship:' looks like an annotation; write 'relationship:' in lower case"
            ),
            Mistake(
                "misspelled",
                "    // relationshp: Author\n    let authorID: String",
                "5:5 'relationshp:' looks like an annotation; did you mean 'relationship:'?"
            ),
            Mistake(
                "plural",
                "    // relationships: Author\n    let authorID: String",
                "5:5 'relationships:' looks like an annotation; did you mean 'relationship:'?"
            ),
            Mistake(
                "short",
                "    // relation: Author\n    let authorID: String",
                "5:5 'relation:' looks like an annotation; did you mean 'relationship:'?"
            ),
            Mistake(
                "space before the colon",
                "    // relationship : Author\n    let authorID: String",
                "5:5 'relationship :' looks like an annotation; did you mean 'relationship:'?"
            ),
            Mistake(
                "no colon",
                "    // relationship Author\n    let authorID: String",
                "5:5 'relationship' looks like an annotation; write '// relationship: Author'"
            ),
            Mistake(
                "documentation comment",
                "    /// relationship: Author\n    let authorID: String",
                "5:5 an annotation is written as a '//' comment: '// relationship: Author'"
            ),
            Mistake(
                "block comment",
                "    /* relationship: Author */\n    let authorID: String",
                "5:5 an annotation is written as a '//' comment: '// relationship: Author'"
            ),
            Mistake(
                "documentation block",
                "    /** relationship: Author */\n    let authorID: String",
                "5:5 an annotation is written as a '//' comment: '// relationship: Author'"
            ),
            Mistake(
                "no type",
                "    // relationship:\n    let authorID: String",
                "5:21 the related type is missing; write '// relationship: Type'"
            ),
            Mistake(
                "only prose",
                "    // relationship: - the author\n    let authorID: String",
                "5:22 the related type is missing; write '// relationship: Type'"
            ),
            Mistake(
                "no type but a key",
                "    // relationship: name: writer\n    let authorID: String",
                "5:22 the related type is missing; write '// relationship: Type'"
            ),
            Mistake(
                "no name",
                "    // relationship: 1st\n    let authorID: String",
                "5:22 '1st' is not the name of a type; write the type of one entity, as in '// relationship: Author'"
            ),
            Mistake(
                "generic type",
                "    // relationship: Box<Comment>\n    let boxID: Int",
                "5:22 'Box<Comment>' is not the name of a type; remove 'Box<' and '>'"
            ),
            Mistake(
                "type with generic arguments",
                "    // relationship: Comment<Int>\n    let commentID: Int",
                "5:22 'Comment<Int>' has generic arguments; name it by a type alias, and write that in the annotation"
            ),
            Mistake(
                "unknown type behind a word",
                "    // relationship: some Subscriber\n    let subscriberID: Int",
                "5:22 'some Subscriber' is not the name of a type; remove 'some'"
            ),
            Mistake(
                "words behind a type that is unknown",
                "    // relationship: Subscriber or Reader\n    let subscriberID: Int",
                "5:33 'or' is not understood; write prose behind ' - ', and keys as ', name: …'"
            ),
            Mistake(
                "unknown key",
                "    // relationship: Author, nane: writer\n    let authorID: String",
                "5:30 'nane' is not a key of an annotation; did you mean 'name'?"
            ),
            Mistake(
                "key in the wrong case",
                "    // relationship: Author, Name: writer\n    let authorID: String",
                "5:30 'Name' is not a key of an annotation; did you mean 'name'?"
            ),
            Mistake(
                "unknown key like none",
                "    // relationship: Author, cascade: true\n    let authorID: String",
                "5:30 'cascade' is not a key of an annotation; the keys are 'name', 'inverse'"
            ),
            Mistake(
                "no value",
                "    // relationship: Author, name:\n    let authorID: String",
                "5:30 the value of 'name' is missing; write 'name: …'"
            ),
            Mistake(
                "value that is no name",
                "    // relationship: Author, name: 1st\n    let authorID: String",
                "5:36 '1st' is not a name; 'name:' needs a Swift identifier"
            ),
            Mistake(
                "generic arguments of a raw name",
                "    // relationship: `A, B`<Int>\n    let authorID: String",
                "5:22 '`A, B`<Int>' is not the name of a type; write the type of one entity, as in "
                    + "'// relationship: Author'"
            ),
            Mistake(
                "key twice",
                "    // relationship: Author, name: a, name: b\n    let authorID: String",
                "5:39 'name' is there twice; write it once"
            ),
            Mistake(
                "key without a value",
                "    // relationship: Author, inverse\n    let authorID: String",
                "5:30 the value of 'inverse' is missing; write 'inverse: …'"
            ),
            Mistake(
                "inverse with its type",
                "    // relationship: Author, inverse: Author.postIDs\n    let authorID: String",
                "5:39 'Author.postIDs' is not a name; 'inverse:' needs that of a property of the related type, "
                    + "without the type"
            ),
            Mistake(
                "inverse twice",
                "    // relationship: Author, inverse: a, name: c, inverse: b\n    let authorID: String",
                "5:51 'inverse' is there twice; write it once"
            ),
            Mistake(
                "what was a flag",
                "    // relationship: Author, throwing\n    let authorID: String",
                "5:30 \(unneeded)"
            ),
            Mistake(
                "what was a flag, with a value",
                "    // relationship: Author, throwing: true\n    let authorID: String",
                "5:30 \(unneeded)"
            ),
            Mistake(
                "what was a flag, behind a key",
                "    // relationship: Author, name: writer, throwing\n    let authorID: String",
                "5:44 \(unneeded)"
            ),
            Mistake(
                "what was a flag, before a key",
                "    // relationship: Author, throwing, name: writer\n    let authorID: String",
                "5:30 \(unneeded)"
            ),
            Mistake(
                "what was a flag, before prose",
                "    // relationship: Author, throwing - prose\n    let authorID: String",
                "5:30 \(unneeded)"
            ),
            Mistake(
                "what was a flag, without a comma",
                "    // relationship: Author throwing\n    let authorID: String",
                "5:29 \(unneeded)"
            ),
            Mistake(
                "what was a flag, without a comma behind a key",
                "    // relationship: Author, name: writer throwing\n    let authorID: String",
                "5:43 \(unneeded)"
            ),
            Mistake(
                "what was a flag, in another form",
                "    // relationship: Author, throws: true\n    let authorID: String",
                "5:30 'throws' is not a key of an annotation; the keys are 'name', 'inverse'"
            ),
            Mistake(
                "shortened key",
                "    // relationship: Author, inv: postIDs\n    let authorID: String",
                "5:30 'inv' is not a key of an annotation; the keys are 'name', 'inverse'"
            ),
            Mistake(
                "comma and no key",
                "    // relationship: Author, - prose\n    let authorID: String",
                "5:28 nothing follows this comma; remove it, or write a key behind it"
            ),
            Mistake(
                "comma at the end",
                "    // relationship: Author, name: writer,\n    let authorID: String",
                "5:42 nothing follows this comma; remove it, or write a key behind it"
            ),
            Mistake(
                "no comma before a key",
                "    // relationship: Author name: writer\n    let authorID: String",
                "5:29 a comma is missing before 'name'; write ', name'"
            ),
            Mistake(
                "no comma before another key",
                "    // relationship: Author, name: writer inverse: postIDs\n    let authorID: String",
                "5:43 a comma is missing before 'inverse'; write ', inverse'"
            ),
            Mistake(
                "prose behind a comma",
                "    // relationship: Author, who wrote it\n    let authorID: String",
                "5:30 'who' is not understood; write prose behind ' - ', and keys as ', name: …'"
            ),
            Mistake(
                "text",
                "    // relationship: Author the writer\n    let authorID: String",
                "5:29 'the' is not understood; write prose behind ' - ', and keys as ', name: …'"
            ),
        ]
    )
    func unreadable(mistake: Mistake) {
        #expect(Self.errorsOfPost(mistake.source) == mistake.printed)
    }

    private static let unneeded =
        "'throwing' is not needed: 'require(\\.name)' throws for every relationship; remove it"

    @Test(
        "An annotation that stands on nothing",
        arguments: [
            Mistake(
                "blank line",
                "    // relationship: Author\n\n    let authorID: String",
                "5:5 this annotation stands on nothing: a blank line follows; "
                    + "write it directly above a stored property, or behind it"
            ),
            Mistake(
                "end of scope",
                "    let authorID: String\n    // relationship: Author",
                "6:5 this annotation stands on nothing: nothing follows in this scope; "
                    + "write it directly above a stored property, or behind it"
            ),
            Mistake(
                "end of a branch",
                "    #if DEBUG\n    // relationship: Author\n    #endif\n    let authorID: String",
                "6:5 this annotation stands on nothing: nothing follows in this scope; "
                    + "write it directly above a stored property, or behind it"
            ),
            Mistake(
                "conditional compilation",
                "    let authorID: String\n}\n// relationship: Author\n#if false\n#endif\nextension Post {",
                "7:1 an annotation must stand on a stored property of a struct, but '#if' follows"
            ),
            Mistake(
                "behind a brace",
                "    struct Inner { // relationship: Author\n    let authorID: String }",
                "5:20 an annotation must stand on a stored property of a struct, but 'struct Inner' follows"
            ),
            Mistake(
                "behind an argument",
                "    func load(\n        a: Int, // relationship: Author\n        b: Int) {}",
                "6:17 this annotation stands on nothing: no property is declared on this line; "
                    + "write it directly above a stored property, or behind it"
            ),
        ]
    )
    func nothing(mistake: Mistake) {
        #expect(Self.errorsOfPost(mistake.source) == mistake.printed)
    }

    @Test("An annotation at the end of a file")
    func endOfFile() {
        let printed = errors(in: ["import FlatCache\n// relationship: Author"])
        #expect(
            printed == [
                "File1.swift:2:1: error: this annotation stands on nothing: nothing follows; "
                    + "write it directly above a stored property, or behind it"
            ]
        )
    }

    @Test(
        "An annotation on what can't have one",
        arguments: [
            Mistake(
                "computed",
                "    // relationship: Author\n    var authorID: String { \"1\" }",
                "5:5 an annotation must stand on a stored property of a struct, but 'authorID' is computed"
            ),
            Mistake(
                "static",
                "    // relationship: Author\n    static let authorID: String = \"1\"",
                "5:5 an annotation must stand on a stored property of a struct, but 'authorID' is static"
            ),
            Mistake(
                "local",
                "    func f() {\n        // relationship: Author\n        let authorID: String = \"1\"\n    }",
                "6:9 an annotation must stand on a stored property of a struct, but 'authorID' is a local variable"
            ),
            Mistake(
                "several",
                "    // relationship: Author\n    let authorID: String, editorID: String",
                "5:5 an annotation must stand on a stored property of a struct, but this declares several properties "
                    + "('authorID', 'editorID'); give each a declaration of its own"
            ),
            Mistake(
                "tuple",
                "    // relationship: Author\n    let (authorID, editorID): (String, String)",
                "5:5 an annotation must stand on a stored property of a struct, but this declares properties by a tuple "
                    + "pattern; give each a declaration of its own"
            ),
            Mistake(
                "function",
                "    // relationship: Author\n    func author() {}",
                "5:5 an annotation must stand on a stored property of a struct, but 'func author' follows"
            ),
            Mistake(
                "initializer",
                "    // relationship: Author\n    init() {}",
                "5:5 an annotation must stand on a stored property of a struct, but 'init' follows"
            ),
            Mistake(
                "type",
                "    // relationship: Author\n    struct Inner {}",
                "5:5 an annotation must stand on a stored property of a struct, but 'struct Inner' follows"
            ),
            Mistake(
                "enum case",
                "    enum Kind {\n        // relationship: Author\n        case author(id: String)\n    }",
                "6:9 an annotation must stand on a stored property of a struct, but 'author' is a case of an enum"
            ),
            Mistake(
                "enum payload",
                "    enum Kind {\n        case author(\n            // relationship: Author\n            id: String)\n    }",
                "7:13 an annotation must stand on a stored property of a struct, but 'author' is a case of an enum"
            ),
            Mistake(
                "attribute",
                "    @W(f: { x in\n        // relationship: Author\n        var y = x; return y })\n    var authorID: String",
                "6:9 an annotation must stand on a stored property of a struct, but the rest of an attribute or a "
                    + "modifier follows"
            ),
            Mistake(
                "modifier",
                "    private(\n        // relationship: Author\n        set) var authorID: String",
                "6:9 an annotation must stand on a stored property of a struct, but the rest of an attribute or a "
                    + "modifier follows"
            ),
            Mistake(
                "statement",
                "    func f() {\n        // relationship: Author\n        print(1)\n    }",
                "6:9 an annotation must stand on a stored property of a struct, but a statement follows"
            ),
        ]
    )
    func unsuitable(mistake: Mistake) {
        #expect(Self.errorsOfPost(mistake.source) == mistake.printed)
    }

    @Test(
        "An annotation outside of structs",
        arguments: [
            Mistake(
                "protocol",
                "protocol P {\n    // relationship: Author\n    var authorID: String { get }\n}",
                "5:5 an annotation must stand on a stored property of a struct, but 'authorID' is a requirement of a protocol"
            ),
            Mistake(
                "global",
                "// relationship: Author\nlet authorID: String = \"\"",
                "4:1 an annotation must stand on a stored property of a struct, but 'authorID' is a global variable"
            ),
            Mistake(
                "class",
                "final class Post {\n    // relationship: Author\n    let authorID: String\n}",
                "5:5 relationships belong to the stored properties of a struct; 'Post' is a class"
            ),
            Mistake(
                "actor",
                "actor Post {\n    // relationship: Author\n    let authorID: String\n}",
                "5:5 relationships belong to the stored properties of a struct; 'Post' is an actor"
            ),
            Mistake(
                "local type",
                "func f() {\n    struct Post {\n        // relationship: Author\n        let authorID: String\n    }\n}",
                "6:9 'Post' is local to a function, where no accessor can be added; declare it outside"
            ),
            Mistake(
                "private type",
                "private struct Post {\n    // relationship: Author\n    let authorID: String\n}",
                "5:5 'Post' is private, out of reach of the generated accessors; make it at least internal"
            ),
            Mistake(
                "type in a private one",
                "fileprivate enum Blog {\n    struct Post {\n        // relationship: Author\n        let authorID: String\n    }\n}",
                "6:9 'Blog' is fileprivate, out of reach of the generated accessors; make it at least internal"
            ),
        ]
    )
    func outsideOfStructs(mistake: Mistake) {
        #expect(errors(in: [Self.models + mistake.source]) == mistake.printed)
    }
}
