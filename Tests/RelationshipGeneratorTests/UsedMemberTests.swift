import Testing

@Suite("Members that accessors use")
struct UsedMemberTests {
    /// A post in `File1.swift` with an annotation in line 4.
    static func errorsOf(_ post: String = "struct Post: Cachable", members: String = "", others: String) -> [String] {
        let annotated = "// relationship: Author\nvar editorID: String?"
        return errors(in: [OutputTests.author + "\(post) {\n\(annotated)\n\(members)\n}\n", others])
    }

    @Test(
        "A setter of the type that matches calls of the generated one is an error",
        arguments: [
            ("mutating func setEditor(_ editor: Author?) {}", "setEditor(_:)"),
            ("mutating func setEditor(_ a: Int...) {}", "setEditor(_:)"),
            ("var setEditor: (Author?) -> Void", "setEditor"),
            ("mutating func setEditor(_ editor: Author?, in cache: Int) {}", "setEditor(_:in:)"),
        ]
    )
    func setter(declaration: String, member: String) {
        let printed = [
            "File1.swift:4:1: error: 'Post' already has a member '\(member)'; write '// relationship: Author, name: …'"
        ]
        #expect(Self.errorsOf(members: declaration, others: "") == printed)
        #expect(Self.errorsOf(others: "extension Post {\n\(declaration)\n}") == printed)
    }

    @Test("A setter of a protocol that matches such a call better is an error")
    func setterOfProtocol() {
        let printed = [
            "File1.swift:4:1: error: 'Post' already has a member 'setEditor(_:)'; "
                + "write '// relationship: Author, name: …'"
        ]
        let editable = "protocol Editable {}\nextension Editable { mutating func setEditor(_ editor: Author?) {} }"
        #expect(Self.errorsOf("struct Post: Cachable, Editable", others: editable) == printed)
        #expect(
            Self.errorsOf("struct Post: Cachable, Edited", others: editable + "\nprotocol Edited: Editable {}")
                == printed
        )
        #expect(Self.errorsOf(others: editable) == [])
    }

    @Test(
        "Setters with other parameters, and other members of protocols, don't collide",
        arguments: [
            "mutating func setEditor(to editor: Author?) {}", "mutating func setEditor() {}",
            "mutating func setEditor(_ editor: Author?, animated: Bool) {}",
            "static func setEditor(_ editor: Author?) {}",
        ]
    )
    func otherSetters(declaration: String) {
        let others =
            "protocol Editable { var editor: Author? { get } }\nextension Editable { var editor: Author? { nil }\n"
            + "func editor(in cache: FlatCache) -> Author? { nil }\nfunc fetchEditor() async {} }"
        #expect(Self.errorsOf("struct Post: Cachable, Editable", members: declaration, others: others) == [])
    }

    @Test(
        "A member that accessors would use instead of the library's is an error at the member",
        arguments: [
            ("extension FlatCache { static var current: FlatCache { shared } }", "1:34", "current", "FlatCache"),
            ("extension FlatCache {\n    enum FetchError {}\n}", "2:10", "FetchError", "FlatCache"),
            ("extension FlatCache { enum FetchPolicy {} }", "1:28", "FetchPolicy", "FlatCache"),
            ("extension FlatCache { class RelationshipError {} }", "1:29", "RelationshipError", "FlatCache"),
            ("extension FlatCache { protocol RelationshipOwner {} }", "1:32", "RelationshipOwner", "FlatCache"),
            ("typealias C = FlatCache\nextension C { typealias FetchError = Int }", "2:25", "FetchError", "FlatCache"),
            ("extension FlatCache.Relationship { init(_ a: Int, _ b: Int) {} }", "1:36", "init(_:_:)", relationship),
            (
                "extension FlatCache.Relationship { init(_ a: Int, _ b: Int, set: Int) {} }", "1:36", "init(_:_:set:)",
                relationship
            ),
            ("extension FlatCache.FetchPolicy { static let cacheFirst = 1 }", "1:46", "cacheFirst", "FetchPolicy"),
            ("extension FetchPolicy { static let cacheFirst = 1 }", "1:36", "cacheFirst", "FetchPolicy"),
            ("extension Post.Relationships { var editor: Int { 1 } }", "1:36", "editor", "Post.Relationships"),
        ]
    )
    func library(others: String, place: String, member: String, type: String) {
        #expect(
            Self.errorsOf(others: others) == [
                "File2.swift:\(place): error: accessors would use this '\(member)' instead of the library's member of '\(type)'; "
                    + "rename it"
            ]
        )
    }

    private static let relationship = "FlatCache.Relationship"
    private static let owner = "RelationshipOwner"

    @Test("A member in the description of a type that isn't an entity is an error, too")
    func noEntity() {
        #expect(
            Self.errorsOf("struct Post", others: "extension Post.Relationships { var editor: Int { 1 } }").count == 1
        )
    }

    @Test(
        "In extensions of the library's types, names with an underscore are reserved",
        arguments: [
            ("extension FlatCache { static func _related(to a: Int) {} }", "1:35", "_related(to:)", "FlatCache"),
            ("extension FlatCache { func _mine() {} }", "1:28", "_mine()", "FlatCache"),
            ("extension RelationshipOwner { typealias _ToOne = Int }", "1:41", "_ToOne", "RelationshipOwner"),
            ("extension FlatCache.RelationshipOwner { var _a: Int { 1 } }", "1:45", "_a", "RelationshipOwner"),
        ]
    )
    func reserved(others: String, place: String, member: String, type: String) {
        #expect(
            Self.errorsOf(others: others) == [
                "File2.swift:\(place): error: names in '\(type)' that begin with '_' are reserved for accessors; "
                    + "rename '\(member)'"
            ]
        )
    }

    @Test(
        "Members that the accessors don't use can have any name",
        arguments: [
            "extension FlatCache { func get(_ type: Author.Type, id: String) -> Author? { nil } }",
            "extension FlatCache { func set(_ author: Author) {}\nfunc set(contentsOf authors: [Author]) {} }",
            "extension FlatCache { func read(_ body: () -> Void) {}\nvar current: Int { 1 } }",
            "extension FlatCache { func fetch(_ type: Author.Type, id: String) async -> Author? { nil } }",
            "extension FlatCache { func get(_ a: Int, id: Int) {}\ntypealias Cached = Int }",
            "extension Cached { func _get() {} }", "extension Post { func _related(_ a: Int) {} }",
            "extension Cached { var value: Int { 1 }\nfunc update(storing: Int, _ body: () -> Void) {} }",
            "extension Cached where Value == Author { func fetch() {} }",
            "extension FlatCache.Relationship { init(_ a: Int) {}\nstatic func toOne(_ a: Int) {} }",
            "extension Relationship { init(_ a: Int, _ b: Int) {} }",
            "extension FlatCache { struct ToOne {}\nstruct Relationship {} }",
            "extension Post.Relationships { var other: Int { 1 } }",
            "func f() { struct FlatCache {}\nextension FlatCache { static let current = 1 } }",
        ]
    )
    func other(others: String) {
        #expect(Self.errorsOf(others: others) == [])
    }

    @Test("A target without relationships has no errors")
    func unannotated() {
        #expect(errors(in: ["extension FlatCache { static var current: FlatCache { shared } }"]) == [])
    }
}
