import Testing

@Suite("Members that accessors use")
struct UsedMemberTests {
    /// A post in `File1.swift` with an annotation in line 4.
    static func errorsOf(_ post: String = "struct Post: Cachable", members: String = "", others: String) -> [String] {
        let annotated = "// relationship: Author\nvar editorID: String?"
        return errors(in: [OutputTests.author + "\(post) {\n\(annotated)\n\(members)\n}\n", others])
    }

    @Test(
        "A setter of the type that can be called like the generated one is told",
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

    @Test("So is one of a protocol of the type, which fits a call better than that with a cache")
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
        "A setter that can't be called so is none, nor are others of protocols, which give way",
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
        "A member of an extension that the accessors would use in place of that of the library is told where it is",
        arguments: [
            ("extension FlatCache { static var current: FlatCache { shared } }", "1:34", "current", "FlatCache"),
            ("extension FlatCache {\n    enum FetchError {}\n}", "2:10", "FetchError", "FlatCache"),
            ("typealias C = FlatCache\nextension C { typealias Cached = Int }", "2:25", "Cached", "FlatCache"),
            ("extension FlatCache { func _get(_ a: Int, id: Int) {} }", "1:28", "_get(_:id:)", "FlatCache"),
            ("extension Cached { func _stored() {} }", "1:25", "_stored()", "Cached"),
            (
                "extension FlatCache.Cached where Value == Post { func _withStored(_ a: Int) {} }", "1:55",
                "_withStored(_:)", "Cached"
            ),
            (
                "extension FlatCache.Relationship { static func toOne(_ a: Int) {} }", "1:48", "toOne(_:)",
                "FlatCache.Relationship"
            ),
            ("extension FlatCache.FetchPolicy { static let cacheFirst = 1 }", "1:46", "cacheFirst", "FetchPolicy"),
            ("extension Post.Relationships { var editor: Int { 1 } }", "1:36", "editor", "Post.Relationships"),
        ]
    )
    func library(others: String, place: String, member: String, type: String) {
        #expect(
            Self.errorsOf(others: others) == [
                "File2.swift:\(place): error: the accessors would use this '\(member)' in place of that of '\(type)'; "
                    + "give it another name"
            ]
        )
    }

    @Test(
        "What the accessors don't use may be called as it likes",
        arguments: [
            "extension FlatCache { func get(_ type: Author.Type, id: String) -> Author? { nil } }",
            "extension FlatCache { func set(_ author: Author) {}\nfunc set(contentsOf authors: [Author]) {} }",
            "extension FlatCache { func read(_ body: () -> Void) {}\nvar current: Int { 1 } }",
            "extension FlatCache { func fetch(_ type: Author.Type, id: String) async -> Author? { nil } }",
            "extension Cached { var value: Int { 1 }\nfunc update(storing: Int, _ body: () -> Void) {} }",
            "extension Cached where Value == Author { func fetch() {} }",
            "extension Post.Relationships { var other: Int { 1 } }",
            "func f() { struct FlatCache {}\nextension FlatCache { static let current = 1 } }",
        ]
    )
    func other(others: String) {
        #expect(Self.errorsOf(others: others) == [])
    }

    @Test("Nothing is told of a target without relationships")
    func unannotated() {
        #expect(errors(in: ["extension FlatCache { static var current: FlatCache { shared } }"]) == [])
    }

    @Test("Members of handles are found in extensions by type aliases, and beside other conditions")
    func handles() {
        for others in [
            "typealias Handle = FlatCache.Cached<Post>\nextension Handle { func setEditor(_ a: Int) {} }",
            "extension Cached where Value: Sendable, Value == Post { func setEditor(_ a: Int) {} }",
        ] {
            #expect(
                Self.errorsOf(others: others) == [
                    "File1.swift:4:1: error: handles of 'Post' already have a member 'setEditor(_:)'; "
                        + "write '// relationship: Author, name: …'"
                ]
            )
        }
    }
}
