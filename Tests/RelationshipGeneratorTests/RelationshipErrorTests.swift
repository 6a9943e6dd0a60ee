import Testing

@Suite("Errors in relationships")
struct RelationshipErrorTests {
    @Test(
        "A property that can't have a relationship",
        arguments: [
            Mistake(
                "private",
                "    // relationship: Author\n    private let authorID: String",
                "5:5 'authorID' is private, but the generated accessors are in another file; make it at least internal"
            ),
            Mistake(
                "fileprivate",
                "    // relationship: Author\n    @available(*, deprecated) fileprivate let authorID: String",
                "5:5 'authorID' is fileprivate, but the generated accessors are in another file; make it at least internal"
            ),
            Mistake(
                "lazy",
                "    // relationship: Author\n    lazy var authorID: String = \"1\"",
                "5:5 'authorID' is 'lazy', so that reading it changes the value, which accessors can't do; remove 'lazy'"
            ),
            Mistake(
                "no type",
                "    // relationship: Author\n    var authorID = \"1\"",
                "5:5 the type of 'authorID' is not written; write it, as in 'authorID: Author.ID'"
            ),
            Mistake(
                "tuple",
                "    // relationship: Author\n    var authorIDs: (String, String)",
                "5:5 'authorIDs' has the type '(String, String)'; "
                    + "declare it as an identifier, or as an array, set or dictionary of identifiers"
            ),
            Mistake(
                "two",
                "    // relationship: Author\n    // relationship: Comment\n    let authorID: String",
                "6:5 'authorID' already has a relationship; remove one of the annotations"
            ),
            Mistake(
                "two, one of them behind",
                "    // relationship: Author\n    let authorID: String  // relationship: Author, name: writer",
                "6:27 'authorID' already has a relationship; remove one of the annotations"
            ),
            Mistake(
                "plural name of one",
                "    // relationship: Author\n    let authorIDs: String",
                "5:5 'authorIDs' is named like several identifiers, but its type 'String' is that of one; "
                    + "write 'authorID: String' or 'authorIDs: [String]'"
            ),
            Mistake(
                "singular name of several",
                "    // relationship: Author\n    let authorID: [String]",
                "5:5 'authorID' is named like one identifier, but its type '[String]' is that of several; "
                    + "write 'authorIDs: [String]'"
            ),
            Mistake(
                "no ending",
                "    // relationship: Author\n    let author: String",
                "5:5 no accessor name can be derived from 'author', which does not end in the word 'ID' or 'IDs'; "
                    + "write '// relationship: Author, name: …'"
            ),
            Mistake(
                "ending that is no word",
                "    // relationship: Author\n    let GUID: String",
                "5:5 no accessor name can be derived from 'GUID', which does not end in the word 'ID' or 'IDs'; "
                    + "write '// relationship: Author, name: …'"
            ),
            Mistake(
                "irregular plural",
                "    // relationship: Author\n    let grandChildIDs: [String]",
                "5:5 the plural of 'child' is irregular; write '// relationship: Author, name: …'"
            ),
            Mistake(
                "no plural",
                "    // relationship: Author\n    let relatedIDs: [String]",
                "5:5 'related' does not look like a noun, which a plural needs; write '// relationship: Author, name: …'"
            ),
            Mistake(
                "plural twice",
                "    // relationship: Author\n    let authorsIDs: [String]",
                "5:5 'authors' already looks like a plural; write '// relationship: Author, name: …'"
            ),
            Mistake(
                "ending of unusable name",
                "    // relationship: Author\n    let selfID: String",
                "5:5 'self' can't be the name of an accessor; write '// relationship: Author, name: …'"
            ),
            Mistake(
                "ending of another unusable name",
                "    // relationship: Author\n    let TypeID: String",
                "5:5 'Type' can't be the name of an accessor; write '// relationship: Author, name: …'"
            ),
            Mistake(
                "initializer",
                "    // relationship: Author\n    let initID: String",
                "5:5 'init' can't be the name of an accessor; write '// relationship: Author, name: …'"
            ),
            Mistake(
                "unusable name",
                "    // relationship: Author, name: self\n    let authorID: String",
                "5:5 'self' can't be the name of an accessor; write '// relationship: Author, name: …'"
            ),
            Mistake(
                "unknown type",
                "    // relationship: Authr\n    let authorID: String",
                "5:22 'Authr' is not a type of this target; did you mean 'Author'?"
            ),
            Mistake(
                "type like none",
                "    // relationship: Subscriber\n    let subscriberID: String",
                "5:22 'Subscriber' is not a type of this target; "
                    + "qualify a type of another module with the module, as in 'Module.Subscriber', and import the module"
            ),
            Mistake(
                "type of a module that is not imported",
                "    // relationship: People.Person\n    let personID: String",
                "5:22 'People' is neither a type of this target nor a module that this file imports; write 'import People'"
            ),
            Mistake(
                "protocol",
                "    protocol Writer {}\n    // relationship: Writer\n    let writerID: String",
                "6:22 'Writer' is a protocol; write the type of one entity"
            ),
            Mistake(
                "generic type",
                "    struct Box<T> {}\n    // relationship: Box\n    let boxID: String",
                "6:22 'Box' is generic; declare a type alias for it with its arguments, and write the alias in the annotation"
            ),
            Mistake(
                "type in a generic one",
                "    struct Box<T> { struct Item {} }\n    // relationship: Box.Item\n    let itemID: String",
                "6:22 'Box.Item' is generic; declare a type alias for it with its arguments, and write the alias in the annotation"
            ),
            Mistake(
                "type out of reach",
                "    private enum Hidden { struct Tag: Cachable { let id: String } }\n"
                    + "    // relationship: Hidden.Tag\n    let tagID: String",
                "6:22 'Hidden' is private, but the generated accessors are in another file; make it at least internal"
            ),
            Mistake(
                "collection that is neither array nor set",
                "    // relationship: Author\n    let authorIDs: OrderedSet<String>",
                "5:5 'authorIDs' has the type 'OrderedSet<String>'; "
                    + "declare it as an identifier, or as an array, set or dictionary of identifiers"
            ),
            Mistake(
                "collection behind an alias",
                "    typealias Keys = [String]\n    // relationship: Author\n    let authorID: Keys",
                "6:5 'authorID' is named like one identifier, but its type 'Keys' is that of several; write 'authorIDs: Keys'"
            ),
            Mistake(
                "optional of an optional behind an alias",
                "    typealias Key = String?\n    // relationship: Author\n    let authorID: Key?",
                "6:5 'authorID' has the type 'Key?'; declare it as an identifier, or as an array, set or dictionary of identifiers"
            ),
            Mistake(
                "computed identifier of another type",
                "    struct Tag: Cachable { var id: Int { 1 } }\n    // relationship: Tag\n    let tagID: String",
                "6:5 'tagID' holds identifiers of type 'String', but 'Tag' is identified by 'Int'; write 'Tag.ID'"
            ),
            Mistake(
                "identifier of another type",
                "    // relationship: Comment\n    let commentID: String",
                "5:5 'commentID' holds identifiers of type 'String', but 'Comment' is identified by 'Int'; write 'Comment.ID'"
            ),
            Mistake(
                "identifiers of another type",
                "    // relationship: Comment\n    let commentIDs: [UUID]?",
                "5:5 'commentIDs' holds identifiers of type 'UUID', but 'Comment' is identified by 'Int'; write 'Comment.ID'"
            ),
            Mistake(
                "identifier of another type behind an alias",
                "    typealias Key = String\n    // relationship: Comment\n    let commentID: Key",
                "6:5 'commentID' holds identifiers of type 'Key', but 'Comment' is identified by 'Int'; write 'Comment.ID'"
            ),
            Mistake(
                "identifier of the wrong type of the target",
                "    struct Key { let number: Int }\n    struct Tag: Cachable { let id: Key }\n"
                    + "    // relationship: Tag\n    let tagID: String",
                "7:5 'tagID' holds identifiers of type 'String', but 'Tag' is identified by 'Post.Key'; write 'Tag.ID'"
            ),
            Mistake(
                "member of the type",
                "    // relationship: Author\n    let authorID: String\n    let author: String",
                "5:5 'Post' already has a member 'author'; write '// relationship: Author, name: …'"
            ),
            Mistake(
                "storage of a property with a wrapper",
                "    // relationship: Author, name: _text\n    let authorID: String\n    @Trimmed var text: String",
                "5:5 'Post' already has a member '_text'; write '// relationship: Author, name: …'"
            ),
            Mistake(
                "method of the type",
                "    // relationship: Author\n    let authorID: String\n    func author() {}",
                "5:5 'Post' already has a member 'author'; write '// relationship: Author, name: …'"
            ),
            Mistake(
                "member with labels",
                "    // relationship: Author\n    let authorID: String\n    func setAuthor(_ a: Int, in b: Int) {}",
                "5:5 'Post' already has a member 'setAuthor(_:in:)'; write '// relationship: Author, name: …'"
            ),
            Mistake(
                "type in the type",
                "    enum author {}\n    // relationship: Author\n    let authorID: String",
                "6:5 'Post' already has a member 'author'; write '// relationship: Author, name: …'"
            ),
            Mistake(
                "method that fetches",
                "    // relationship: Author\n    let authorID: String\n    func fetchAuthor() async {}",
                "5:5 'Post' already has a member 'fetchAuthor'; write '// relationship: Author, name: …'"
            ),
            Mistake(
                "method that fetches by a policy",
                "    // relationship: Author\n    let authorID: String\n    func fetchAuthor(_ policy: Int = 1) {}",
                "5:5 'Post' already has a member 'fetchAuthor(_:)'; write '// relationship: Author, name: …'"
            ),
            Mistake(
                "type named like the description",
                "    enum Relationships {}\n    // relationship: Author\n    let authorID: String",
                "6:5 'Post' already has a member 'Relationships', but the generated code declares "
                    + "one of this name; rename that member"
            ),
            Mistake(
                "alias named like the description",
                "    // relationship: Author\n    let authorID: String\n    typealias Relationships = Int",
                "5:5 'Post' already has a member 'Relationships', but the generated code declares "
                    + "one of this name; rename that member"
            ),
            Mistake(
                "static member named like the description",
                "    // relationship: Author\n    let authorID: String\n    static let relationships = 1",
                "5:5 'Post' already has a member 'relationships', but the generated code declares "
                    + "one of this name; rename that member"
            ),
            Mistake(
                "use of a type that the description would hide",
                "    // relationship: Author\n    let authorID: String\n    let links: [String: Relationships.Link]",
                "5:5 'links' has the type '[String: Relationships.Link]', but inside 'Post' this name "
                    + "refers to a generated type; write 'Module.Relationships'"
            ),
            Mistake(
                "another relationship",
                "    // relationship: Author\n    let authorID: String\n    // relationship: Author\n    let authorId: String",
                "7:5 the relationship of 'authorID' already generates a member 'author'; "
                    + "write '// relationship: Author, name: …'"
            ),
            Mistake(
                "member of handles",
                "    // relationship: Author, name: value\n    let authorID: String",
                "5:5 every handle already has a member 'value'; write '// relationship: Author, name: …'"
            ),
        ]
    )
    func property(mistake: Mistake) {
        #expect(errorsOfPost(mistake.source) == mistake.printed)
    }

    @Test("A member in an extension in another file collides, too")
    func extensionInAnotherFile() {
        let post =
            modelsOfPost + "struct Post: Cachable {\n// relationship: Author\nlet authorID: String\n}"
        #expect(
            errors(in: [post, "extension Post { func author(in a: Int) {} }"])
                == [
                    "File1.swift:5:1: error: 'Post' already has a member 'author(in:)'; write '// relationship: Author, name: …'"
                ]
        )
        #expect(errors(in: [post, "extension Post { static var author: Int { 1 } }"]) == [])
    }

    @Test("A type in an extension can't have a higher access level than the extended type")
    func visibleInExtension() {
        let post =
            "public struct Post: Cachable {\n    public let id: Int\n    // relationship: Self\n    let parentID: Int\n}"
        #expect(
            errors(in: ["enum Blog {}\nextension Blog {\n\(post)\n}"]) == [
                "File1.swift:5:5: error: 'Post' is public, but the extended type is internal; make 'Post' internal, too"
            ]
        )
        #expect(errors(in: ["enum Blog {\n\(post)\n}"]) == [])
        #expect(errors(in: ["public enum Blog {}\nextension Blog {\n\(post)\n}"]) == [])
    }

    @Test("All errors of all files are reported in order, and nothing is generated")
    func allErrors() {
        let first = "// relationship: A\n\nstruct S {\n    // relationship: Nothing\n    let nothingID: String\n}"
        let second = "struct T {\n    // Relationship: S\n    let sID: Int\n}"
        #expect(
            errors(in: [first, second]).map { $0.prefix { $0 != " " } } == [
                "File1.swift:1:1:", "File1.swift:4:22:", "File2.swift:2:5:",
            ]
        )
    }

    @Test("An unterminated comment is an error only where it hides annotations")
    func unterminatedComment() {
        #expect(
            errors(in: ["struct S: Cachable {\n// relationship: S, name: s\nlet sID: Int\n}\n/* never ends"])
                == ["File1.swift:5:1: error: unterminated comment, which would hide annotations after it; terminate it"]
        )
        #expect(errors(in: ["struct S {}\n/* never ends"]) == [])
    }

    @Test(
        "Valid annotations",
        arguments: [
            "    // relationship: Author\n    let authorID: Author.ID",
            "    // relationship: Blog.Author\n    let authorID: String",
            "    // relationship: Foundation.Notification\n    let notificationID: Int",
            "    // relationship: Comment\n    let commentID: CommentID",
            "    // relationship between posts and authors\n    // relation: see below\n    let authorID: String",
            "    // relationship: Comment\n    let commentID: ImportedKey",
            "    // relationship: Self\n    let parentID: String?",
            "    // relationship: Author\n    let authorID: String\n    func fetchAuthor(from server: Int) {}",
            "    // relationship: Author\n    let authorID: String\n    var relationships: [Blog.Relationships] { [] }",
            "    // relationship: Author\n    let authorID: String\n    let links: Blog.Relationships",
            "    // relationship: Post, name: relationships\n    let relatedIDs: [String]",
            "    // relationship: Author\n    let classID: String",
            "    // relationship: Author\n    let authorIDs: [String]\n    // relationship: Author\n    let authorID: String",
            "    struct Author {}\n    // relationship: Blog.Author\n    let authorID: String",
            "    #if DEBUG\n    struct Tag: Cachable { let id: Int }\n    #else\n    struct Tag: Cachable { let id: String }\n    #endif\n"
                + "    // relationship: Tag\n    let tagID: String",
            "    #if DEBUG\n    // relationship: Author\n    let authorID: String\n    #else\n    // relationship: Author\n"
                + "    var authorID: String\n    #endif",
        ]
    )
    func fitting(members: String) {
        let aliases = "import Foundation\ntypealias CommentID = Key\ntypealias Key = Int\n"
        let source = aliases + modelsOfPost + "struct Post: Cachable {\n" + members + "\n}"
        #expect(errors(in: [source]) == [])
    }
}
