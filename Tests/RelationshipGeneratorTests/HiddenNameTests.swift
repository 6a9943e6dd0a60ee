import Testing

@Suite("Hidden names")
struct HiddenNameTests {
    private static let author = "struct Author: Cachable { let id: Int }\n"

    /// An owner with an annotated property, in the second file.
    private static func page(_ type: String, _ annotation: String, _ members: String = "") -> String {
        "\(type) {\n// relationship: \(annotation)\nlet pageAuthorID: Int\n\(members)\n}"
    }

    @Test(
        "A related type that another type hides from the accessors is named with the module",
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
        "A related type is named alone where nothing hides it, or what isn't a type: that can't stand in its place",
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
        #expect(output.contains("    var pageAuthor: Author? { FlatCache._related(self.pageAuthorID) }\n"))
        #expect(output.contains("_ToOne<Author> { "))
    }

    @Test(
        "A related type may be called like what is local in the accessors, also where the module can't be named",
        arguments: ["cache", "related", "policy", "isolation", "newValue", "`class`", "author"]
    )
    func lowercased(name: String) throws {
        let sources = "struct \(name): Cachable { let id: Int }\n" + Self.page("struct Page", name)
        for source in [sources, sources + "\nenum Blog {}"] {
            #expect(try generate(source).contains("    var pageAuthor: \(name)? { FlatCache._related("))
            #expect(try generate(source).contains("_ToOne<\(name)> { "))
        }
    }

    @Test("An accessor can have the name of its type, where a member is called like the module, too")
    func nameOfType() throws {
        let output = try generate(Self.author + Self.page("struct Page", "Author, name: Author", "let Blog = 1"))
        #expect(output.contains("    var Author: Author? { FlatCache._related(self.pageAuthorID) }\n"))
        #expect(output.contains("        var Author: _ToOne<Author> { "))
    }

    @Test("The name of an associated type of Swift needs no module where that can't be named")
    func associatedTypes() throws {
        let sources = "struct Element: Cachable { let id: Int }\n" + Self.page("struct Page", "Element")
        #expect(try generate(sources).contains("_ToOne<Blog.Element> { "))
        #expect(try generate(sources + "\nstruct Blog {}").contains("_ToOne<Element> { "))
    }

    @Test(
        "What owners have types for is named with the module: their identifiers, and their relationships",
        arguments: ["ID", "Relationships"]
    )
    func typesOfOwners(name: String) throws {
        let sources = "struct \(name): Cachable { let id: Int }\n" + Self.page("struct Page", name)
        #expect(try generate(sources).contains("_ToOne<Blog.\(name)> { "))
        #expect(
            errors(in: [sources + "\nenum Blog {}"]) == [
                "File1.swift:3:18: error: '\(name)' can't be named in the accessors, where it needs the name of the module, "
                    + "'Blog', which is that of a type too; rename one of the types"
            ]
        )
    }

    @Test(
        "A member or an accessor that hides the library from the accessors is an error",
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
                "and none can have that name; write '// relationship: Author, name: …'"
            ),
        ]
    )
    func library(page: String, advice: String) {
        #expect(
            errors(in: [Self.author + page]) == ["File1.swift:3:1: error: the accessors need 'FlatCache', \(advice)"]
        )
    }

    private static let member = "which is the name of a member of 'Page'; rename that member"

    @Test(
        "Members and accessors may be called like modules that stand where types do",
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

    @Test("Accessors are declared as members, whatever words of the language they are called like")
    func words() throws {
        let output = try generate(Self.author + Self.page("struct Page", "Author, name: willSet"))
        #expect(output.contains("    var willSet: Author? { FlatCache._related(self.pageAuthorID) }\n"))
    }
}
