import RelationshipGenerator
import Testing

@Suite("Inverses")
struct RelationshipInverseTests {
    /// An author in `File1.swift` with members that begin in line 3, and a post in `File2.swift` with members from line 3 on.
    static func errorsOf(author: String, post: String) -> [String] {
        errors(in: [
            "import FlatCache\nstruct Author: Cachable { let id: String\n\(author)\n}",
            "struct Post: Cachable { let id: String\n    // an example\n\(post)\n}",
        ])
    }

    @Test(
        "An inverse can be written on one side or on both",
        arguments: [
            ("// relationship: Post, inverse: authorID", "// relationship: Author, inverse: postIDs"),
            ("// relationship: Post", "// relationship: Author, inverse: postIDs"),
            ("// relationship: Post, inverse: authorID, name: works", "// relationship: Author"),
        ]
    )
    func agreement(ofAuthor: String, ofPost: String) {
        let author = "\(ofAuthor)\nlet postIDs: [String]"
        #expect(Self.errorsOf(author: author, post: "\(ofPost)\nlet authorID: String") == [])
    }

    @Test("A relationship of a type to itself can be its own inverse, or have another one")
    func reflexive() {
        let members =
            "// relationship: Author, inverse: friendIDs\nlet friendIDs: [String]\n"
            + "// relationship: Author, inverse: parentID\nlet followerIDs: [String]\n"
            + "// relationship: Author, inverse: followerIDs\nlet parentID: String?"
        #expect(Self.errorsOf(author: members, post: "") == [])
    }

    @Test("An inverse can have a raw name in backticks")
    func rawName() {
        let members =
            "// relationship: Author, name: student\nlet `the one - taught`: String\n"
            + "// relationship: Author, inverse: `the one - taught`, name: teacher - prose\nlet teacherID: String?"
        #expect(Self.errorsOf(author: members, post: "") == [])
        #expect(
            Self.errorsOf(author: members.replacing(": `the one - taught`,", with: ": `the one,"), post: "") == [
                "File1.swift:5:35: error: '`the' is not a name; write a property of the related type after "
                    + "'inverse:', without the type"
            ]
        )
    }

    @Test(
        "An inverse that doesn't lead back is an error with both locations",
        arguments: [
            (
                "let postIDs: [String]", "File2.swift:3:35",
                "'Author.postIDs' (File1.swift:3) has no relationship; write '// relationship: Post' above it"
            ),
            (
                "let postIDs: [String]\n// relationship: Post\nlet workIDs: [String]", "File2.swift:3:35",
                "'Author.postIDs' (File1.swift:3) has no relationship; write '// relationship: Post' above it, "
                    + "or name 'workIDs', which leads to 'Post'"
            ),
            (
                "// relationship: Post\nlet postIds: [String]", "File2.swift:3:35",
                "'Author' has no property 'postIDs'; did you mean 'postIds'?"
            ),
            (
                "// relationship: Post, name: postIDs\nlet workIDs: [String]", "File2.swift:3:35",
                "'Author' has no property 'postIDs'; did you mean 'workIDs'?"
            ),
            (
                "// relationship: Post\nlet draftIDs: [String]\n// relationship: Post\nlet workIDs: [String]",
                "File2.swift:3:35",
                "'Author' has no property 'postIDs'; write 'draftIDs' or 'workIDs', which lead to 'Post'"
            ),
            (
                "", "File2.swift:3:35",
                "'Author' has no property 'postIDs'; write the name of a property with '// relationship: Post'"
            ),
            (
                "// relationship: Author, name: posts\nlet postIDs: [String]", "File2.swift:3:35",
                "'Author.postIDs' (File1.swift:3) leads to 'Author', not back to 'Post'; "
                    + "write the name of a property with '// relationship: Post'"
            ),
            (
                "// relationship: Post, inverse: editorID\nlet postIDs: [String]", "File2.swift:3:35",
                "'Author.postIDs' (File1.swift:3) names 'editorID' as its inverse, not 'authorID'; change one of the two"
            ),
        ]
    )
    func contradiction(author: String, place: String, message: String) {
        let post =
            "// relationship: Author, inverse: postIDs\nlet authorID: String\n// relationship: Author\nlet editorID: String"
        #expect(Self.errorsOf(author: author, post: post) == ["\(place): error: \(message)"])
    }

    @Test("An inverse without identifiers is an error that names the property that leads back")
    func unrelatedProperty() {
        let author = "let name: String\n// relationship: Post\nlet postIDs: [String]"
        let others = "// relationship: Post\nlet draftIDs: [String]\n"
        let post = "// relationship: Author, inverse: name\nlet authorID: String"
        let begin = "File2.swift:3:35: error: 'Author.name' (File1.swift:3) has no relationship; "
        #expect(Self.errorsOf(author: author, post: post) == [begin + "write 'postIDs', which leads to 'Post'"])
        #expect(
            Self.errorsOf(author: author + "\n" + others, post: post) == [
                begin + "write 'draftIDs' or 'postIDs', which lead to 'Post'"
            ]
        )
        // A relationship with another inverse is no candidate.
        let taken = others.replacing("Post", with: "Post, inverse: editorID")
        let editor = "\n// relationship: Author\nlet editorID: String"
        #expect(
            Self.errorsOf(author: author + "\n" + taken, post: post + editor) == [
                begin + "write 'postIDs', which leads to 'Post'"
            ]
        )
    }

    @Test("If the sides disagree, the error is on the side whose inverse doesn't lead back")
    func otherDirection() {
        let author = "// relationship: Post, inverse: editorID\nlet postIDs: [String]"
        let post = "// relationship: Author, inverse: postIDs\nlet authorID: String"
        #expect(
            Self.errorsOf(author: author, post: post) == [
                "File1.swift:3:33: error: 'Post' has no property 'editorID'; write 'authorID', which leads to 'Author'",
                "File2.swift:3:35: error: 'Author.postIDs' (File1.swift:3) names 'editorID' as its inverse, "
                    + "not 'authorID'; change one of the two",
            ]
        )
    }

    @Test("Two relationships can't have the same inverse, unless they are in different branches")
    func shared() {
        let post = "// relationship: Author, inverse: postIDs\nlet authorID: String"
        let author = "// relationship: Post\nlet postIDs: [String]"
        let editor = "// relationship: Author, inverse: postIDs\nlet editorID: String"
        #expect(
            Self.errorsOf(author: author, post: "\(post)\n\(editor)") == [
                "File2.swift:5:35: error: 'Author.postIDs' is already the inverse of 'Post.authorID' (File2.swift:3); "
                    + "remove one 'inverse:'"
            ]
        )
        #expect(Self.errorsOf(author: author, post: "#if A\n\(post)\n#else\n\(post)?\n#endif") == [])
    }

    @Test("An inverse with an error of its own is reported once")
    func otherError() {
        let author = "// relationship: Pst\nlet postIDs: [String]"
        let post = "// relationship: Author, inverse: postIDs\nlet authorID: String"
        #expect(
            Self.errorsOf(author: author, post: post) == [
                "File1.swift:3:18: error: 'Pst' is not a type of this target; did you mean 'Post'?"
            ]
        )
    }

    @Test("An entity of another module can't have the inverse")
    func otherModule() {
        let post =
            "import People\nstruct Post {\n// relationship: People.Person, inverse: postIDs\nlet personID: String\n}"
        #expect(
            errors(in: [post]) == [
                "File1.swift:3:42: error: 'People.Person' belongs to another module, so that it can't refer back to 'Post'; "
                    + "remove 'inverse: postIDs'"
            ]
        )
    }

    @Test("Templates can use the inverse")
    func template() throws {
        let source =
            "struct Author: Cachable { let id: String\n// relationship: Author, inverse: studentIDs\nlet teacherID: String?\n"
            + "// relationship: Author\nlet studentIDs: [String]\n}"
        let template =
            "{{#owners}}{{#relationships}}{{name}} {{#hasInverse}}{{inverse}}{{/hasInverse}}{{#keepsInverse}} kept{{/keepsInverse}};{{/relationships}}{{/owners}}"
        let output = try RelationshipGenerator(target: "Blog", template: template)
            .generate(from: [.init(path: "Author.swift", text: Array(source.utf8))])
        #expect(output == "teacher Author.studentIDs;students Author.teacherID;")
    }
}
