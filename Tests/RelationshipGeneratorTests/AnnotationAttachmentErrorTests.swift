import Testing

@Suite("Errors in the attachment of annotations")
struct AnnotationAttachmentErrorTests {
    @Test(
        "An annotation that is attached to nothing",
        arguments: [
            Mistake(
                "blank line",
                "    // relationship: Author\n\n    let authorID: String",
                "5:5 annotation is not attached to a property: it is followed by a blank line; "
                    + "write it directly above a stored property, or after it on its line"
            ),
            Mistake(
                "end of scope",
                "    let authorID: String\n    // relationship: Author",
                "6:5 annotation is not attached to a property: no declaration follows in its scope; "
                    + "write it directly above a stored property, or after it on its line"
            ),
            Mistake(
                "end of a branch",
                "    #if DEBUG\n    // relationship: Author\n    #endif\n    let authorID: String",
                "6:5 annotation is not attached to a property: no declaration follows in its scope; "
                    + "write it directly above a stored property, or after it on its line"
            ),
            Mistake(
                "conditional compilation",
                "    let authorID: String\n}\n// relationship: Author\n#if false\n#endif\nextension Post {",
                "7:1 annotation needs a stored property of a struct or a case of an enum: '#if' follows"
            ),
            Mistake(
                "behind a brace",
                "    struct Inner { // relationship: Author\n    let authorID: String }",
                "5:20 annotation needs a stored property of a struct or a case of an enum: 'struct Inner' follows"
            ),
            Mistake(
                "behind an argument",
                "    func load(\n        a: Int, // relationship: Author\n        b: Int) {}",
                "6:17 annotation is not attached to a property: no property is declared on its line; "
                    + "write it directly above a stored property, or after it on its line"
            ),
        ]
    )
    func unattached(mistake: Mistake) {
        #expect(errorsOfPost(mistake.source) == mistake.printed)
    }

    @Test("An annotation at the end of a file")
    func endOfFile() {
        let printed = errors(in: ["import FlatCache\n// relationship: Author"])
        #expect(
            printed == [
                "File1.swift:2:1: error: annotation is not attached to a property: no declaration follows; "
                    + "write it directly above a stored property, or after it on its line"
            ]
        )
    }

    @Test(
        "An annotation on a declaration that can't have one",
        arguments: [
            Mistake(
                "computed",
                "    // relationship: Author\n    var authorID: String { \"1\" }",
                "5:5 annotation needs a stored property of a struct or a case of an enum: 'authorID' is computed"
            ),
            Mistake(
                "static",
                "    // relationship: Author\n    static let authorID: String = \"1\"",
                "5:5 annotation needs a stored property of a struct or a case of an enum: 'authorID' is static"
            ),
            Mistake(
                "local",
                "    func f() {\n        // relationship: Author\n        let authorID: String = \"1\"\n    }",
                "6:9 annotation needs a stored property of a struct or a case of an enum: 'authorID' is a local variable"
            ),
            Mistake(
                "several",
                "    // relationship: Author\n    let authorID: String, editorID: String",
                "5:5 annotation needs a stored property of a struct or a case of an enum: 'authorID', 'editorID' "
                    + "are declared together; declare each on its own"
            ),
            Mistake(
                "tuple",
                "    // relationship: Author\n    let (authorID, editorID): (String, String)",
                "5:5 annotation needs a stored property of a struct or a case of an enum: a tuple pattern declares "
                    + "several properties; declare each on its own"
            ),
            Mistake(
                "function",
                "    // relationship: Author\n    func author() {}",
                "5:5 annotation needs a stored property of a struct or a case of an enum: 'func author' follows"
            ),
            Mistake(
                "initializer",
                "    // relationship: Author\n    init() {}",
                "5:5 annotation needs a stored property of a struct or a case of an enum: 'init' follows"
            ),
            Mistake(
                "type",
                "    // relationship: Author\n    struct Inner {}",
                "5:5 annotation needs a stored property of a struct or a case of an enum: 'struct Inner' follows"
            ),
            Mistake(
                "enum case",
                "    enum Kind {\n        // relationship: Author\n        case author\n    }",
                "6:9 annotation needs a stored property of a struct or a case of an enum: the case 'author' has no "
                    + "associated value"
            ),
            Mistake(
                "enum payload",
                "    enum Kind {\n        case author(\n            // relationship: Author\n            id: String)\n    }",
                "7:13 annotation needs a stored property of a struct or a case of an enum: it is among the associated values of a "
                    + "case; write it above the case"
            ),
            Mistake(
                "attribute",
                "    @W(f: { x in\n        // relationship: Author\n        var y = x; return y })\n    var authorID: String",
                "6:9 annotation needs a stored property of a struct or a case of an enum: it is inside an attribute "
                    + "or a modifier"
            ),
            Mistake(
                "modifier",
                "    private(\n        // relationship: Author\n        set) var authorID: String",
                "6:9 annotation needs a stored property of a struct or a case of an enum: it is inside an attribute "
                    + "or a modifier"
            ),
            Mistake(
                "statement",
                "    func f() {\n        // relationship: Author\n        print(1)\n    }",
                "6:9 annotation needs a stored property of a struct or a case of an enum: a statement follows"
            ),
        ]
    )
    func unsuitable(mistake: Mistake) {
        #expect(errorsOfPost(mistake.source) == mistake.printed)
    }

    @Test(
        "An annotation outside of structs",
        arguments: [
            Mistake(
                "protocol",
                "protocol P {\n    // relationship: Author\n    var authorID: String { get }\n}",
                "5:5 annotation needs a stored property of a struct or a case of an enum: 'authorID' is a requirement of a protocol"
            ),
            Mistake(
                "global",
                "// relationship: Author\nlet authorID: String = \"\"",
                "4:1 annotation needs a stored property of a struct or a case of an enum: 'authorID' is a global variable"
            ),
            Mistake(
                "class",
                "final class Post {\n    // relationship: Author\n    let authorID: String\n}",
                "5:5 'Post' is a class, and only structs and enums can have relationships; declare it as a struct"
            ),
            Mistake(
                "actor",
                "actor Post {\n    // relationship: Author\n    let authorID: String\n}",
                "5:5 'Post' is an actor, and only structs and enums can have relationships; declare it as a struct"
            ),
            Mistake(
                "local type",
                "func f() {\n    struct Post {\n        // relationship: Author\n        let authorID: String\n    }\n}",
                "6:9 'Post' is declared inside a function, where it can't be extended; declare it outside of the function"
            ),
            Mistake(
                "private type",
                "private struct Post {\n    // relationship: Author\n    let authorID: String\n}",
                "5:5 'Post' is private, but the generated accessors are in another file; make it at least internal"
            ),
            Mistake(
                "type in a private one",
                "fileprivate enum Blog {\n    struct Post {\n        // relationship: Author\n        let authorID: String\n    }\n}",
                "6:9 'Blog' is fileprivate, but the generated accessors are in another file; make it at least internal"
            ),
        ]
    )
    func outsideOfStructs(mistake: Mistake) {
        #expect(errors(in: [modelsOfPost + mistake.source]) == mistake.printed)
    }
}
