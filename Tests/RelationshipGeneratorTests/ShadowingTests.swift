import Testing

@Suite("Shadowing")
struct ShadowingTests {
    private static let author = "struct Author: Cachable { let id: Int }\n"

    /// An owner with an annotated property, in the second file.
    private static func page(_ type: String, _ annotation: String, _ members: String = "") -> String {
        "\(type) {\n// relationship: \(annotation)\nlet pageAuthorID: Int\n\(members)\n}"
    }

    @Test(
        "A shadowed related type is qualified with the module",
        arguments: [
            page("struct Page: Named", "Author") + "\nprotocol Named { associatedtype Author }",
            page("struct Page: Named", "Author") + "\nprotocol Named { typealias Author = Int }",
            page("struct Page<Author>", "Blog.Author"),
            page("struct Page", "Blog.Author", "struct Author {}"),
            page("struct Page", "Blog.Author", "typealias Author = Int"),
        ]
    )
    func hidden(page: String) throws {
        let output = try generate(Self.author, page)
        #expect(output.contains("    var pageAuthor: Blog.Author? { FlatCache._related(self.pageAuthorID) }\n"))
        #expect(output.contains("-> Blog.Author {\n"))
        #expect(output.contains("_ToOne<Blog.Author> { "))
    }

    @Test(
        "A related type is not qualified if only members shadow it, which can't be mistaken for a type",
        arguments: [
            page("struct Page", "Author", "var author = 1"),
            page("struct Page: Named", "Author") + "\nprotocol Named {}",
            page("struct Page<Writer>", "Author"), page("struct Page", "Author", "func author2(Author: Int) {}"),
            page("struct Page", "Author", "var Author = 1"),
            page("struct Page", "Author", "static func Author() {}"),
            page("struct Page", "Author", "// relationship: Other, name: Author\nlet otherID: Int"),
            page("struct Page", "Author") + "\nextension Page { var Author: Int { 1 } }",
            page("struct Page: Named", "Author") + "\nprotocol Named {}\nextension Named { var Author: Int { 1 } }",
            page("struct Page: Cachable", "Author") + "\nextension FlatCache.Cached { typealias Author = Int }",
        ]
    )
    func inSight(page: String) throws {
        let output = try generate(Self.author, page, "struct Other: Cachable { let id: Int }")
        #expect(output.contains("    var pageAuthor: Author? { FlatCache._related(self.pageAuthorID"))
        #expect(output.contains("_ToOne<Author> { "))
    }

    @Test(
        "A related type can have the name of a local variable of the accessors",
        arguments: ["cache", "related", "policy", "isolation", "newValue", "`class`", "author"]
    )
    func lowercased(name: String) throws {
        let sources = "struct \(name): Cachable { let id: Int }\n" + Self.page("struct Page", name)
        for source in [sources, sources + "\nenum Blog {}"] {
            #expect(try generate(source).contains("    var pageAuthor: \(name)? { FlatCache._related("))
            #expect(try generate(source).contains("_ToOne<\(name)> { "))
        }
    }

    @Test("An accessor can have the name of its type, even if a member has the name of the module")
    func nameOfType() throws {
        let output = try generate(Self.author + Self.page("struct Page", "Author, name: Author", "let Blog = 1"))
        #expect(output.contains("    var Author: Author? { FlatCache._related(self.pageAuthorID) }\n"))
        #expect(output.contains("        var Author: _ToOne<Author> { "))
    }

    @Test("A type with the name of an associated type of Swift is not qualified if the module is shadowed")
    func associatedTypes() throws {
        let sources = "struct Element: Cachable { let id: Int }\n" + Self.page("struct Page", "Element")
        #expect(try generate(sources).contains("_ToOne<Blog.Element> { "))
        #expect(try generate(sources + "\nstruct Blog {}").contains("_ToOne<Element> { "))
    }

    @Test(
        "A related type with the name of a type inside owners is qualified with the module",
        arguments: ["ID", "Relationships"]
    )
    func typesOfOwners(name: String) throws {
        let sources = "struct \(name): Cachable { let id: Int }\n" + Self.page("struct Page", name)
        #expect(try generate(sources).contains("_ToOne<Blog.\(name)> { "))
        #expect(
            errors(in: [sources + "\nenum Blog {}"]) == [
                "File1.swift:3:18: error: accessors can't refer to '\(name)', because another type has its name and another one the name of its module, 'Blog'; rename one of the types"
            ]
        )
    }

    @Test(
        "A member or an accessor that shadows the library is an error",
        arguments: [
            (page("struct Page", "Author", "let FlatCache = true"), member),
            (page("struct Page", "Author", "static func FlatCache(a: Int) {}"), member),
            (page("struct Page", "Author") + "\nextension Page { static var FlatCache: Int { 1 } }", member),
            (page("struct Page: Named", "Author") + "\nprotocol Named { var FlatCache: Int { get } }", member),
            (
                page("struct Page: Named", "Author") + "\nprotocol Named {}\nextension Named { func FlatCache() {} }",
                member
            ),
            (
                page("struct Page", "Author, name: FlatCache"),
                "so that none can have this name; write '// relationship: Author, name: …'"
            ),
        ]
    )
    func library(page: String, advice: String) {
        #expect(
            errors(in: [Self.author + page]) == ["File1.swift:3:1: error: accessors refer to 'FlatCache', \(advice)"]
        )
    }

    private static let member = "but a member of 'Page' has this name; rename that member"

    @Test(
        "Members and accessors can have the names of modules that the accessors only use in types",
        arguments: [
            page("struct Page", "Author", "let Swift = true"), page("struct Page", "Author, name: Swift"),
            page("struct Page", "Author", "func _Concurrency() {}"),
            page("struct Page", "People.Person", "let People: Int"),
            page("struct Page", "People.Person, name: People"), page("struct Page", "Author", "func setFlatCache() {}"),
        ]
    )
    func modules(page: String) {
        #expect(errors(in: ["import People\n" + Self.author + page]) == [])
    }

    @Test("Accessors can have the names of keywords")
    func words() throws {
        let output = try generate(Self.author + Self.page("struct Page", "Author, name: willSet"))
        #expect(output.contains("    var willSet: Author? { FlatCache._related(self.pageAuthorID) }\n"))
    }
}
