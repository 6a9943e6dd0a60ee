import Testing

@Suite("Hidden names")
struct HiddenNameTests {
    private static let author = "struct Author: Cachable { let id: Int }\n"

    /// An owner with an annotated property, in the second file.
    private static func page(_ type: String, _ annotation: String, _ members: String = "") -> String {
        "\(type) {\n// relationship: \(annotation)\nlet pageAuthorID: Int\n\(members)\n}"
    }

    @Test(
        "A related type that something hides from the accessors is named with the module",
        arguments: [
            page("struct Page", "Author, name: Author"),
            page("struct Page", "Author", "var Author = 1"),
            page("struct Page", "Author", "static func Author() {}"),
            page("struct Page", "Author", "// relationship: Other, name: Author\nlet otherID: Int"),
            page("struct Page", "Author") + "\nextension Page { var Author: Int { 1 } }",
            page("struct Page: Named", "Author") + "\nprotocol Named {}\nextension Named { var Author: Int { 1 } }",
            page("struct Page: Named", "Author") + "\nprotocol Named { associatedtype Author }",
            page("struct Page: Named", "Author") + "\nprotocol Named { typealias Author = Int }",
            page("struct Page<Author>", "Blog.Author"),
            page("struct Page", "Blog.Author", "struct Author {}"),
            page("struct Page: Cachable", "Author") + "\nextension FlatCache.Cached { typealias Author = Int }",
        ]
    )
    func hidden(page: String) throws {
        let output = try generate(Self.author, page, "struct Other: Cachable { let id: Int }")
        #expect(output.contains("cache._get(Blog.Author.self, id: self.pageAuthorID)"))
    }

    @Test(
        "A related type that nothing hides is named alone",
        arguments: [
            page("struct Page", "Author", "var author = 1"),
            page("struct Page: Named", "Author") + "\nprotocol Named {}",
            page("struct Page<Writer>", "Author"), page("struct Page", "Author", "func author2(Author: Int) {}"),
        ]
    )
    func inSight(page: String) throws {
        #expect(try generate(Self.author, page).contains("cache._get(Author.self, id: self.pageAuthorID)"))
    }

    @Test(
        "A related type with a small letter, as local names have it, is named with the module where that can be named",
        arguments: ["cache", "related", "identifier", "`class`", "author"]
    )
    func lowercased(name: String) throws {
        let sources = "struct \(name): Cachable { let id: Int }\n" + Self.page("struct Page", name)
        #expect(try generate(sources).contains("cache._get(Blog.\(name).self, id: self.pageAuthorID)"))
        let told = errors(in: [sources + "\nenum Blog {}"])
        guard ["cache", "related", "identifier"].contains(name) else { return #expect(told == []) }
        #expect(
            told == [
                "File1.swift:3:1: error: '\(name)' can't be named in the accessors of 'Page', because '\(name)' and "
                    + "'Blog' mean something else there; rename one of them"
            ]
        )
    }

    @Test("A type that is called like its accessor can have that name as long as the module has none")
    func moduleInTheWay() {
        #expect(
            errors(in: [Self.author + Self.page("struct Page", "Author, name: Author", "let Blog = 1")]) == [
                "File1.swift:3:1: error: 'Author' can't be named in the accessors of 'Page', because 'Author' and "
                    + "'Blog' mean something else there; write '// relationship: Author, name: …'"
            ]
        )
    }

    @Test("The name of an associated type of Swift needs no module where that can't be named")
    func associatedTypes() throws {
        let sources = "struct Element: Cachable { let id: Int }\n" + Self.page("struct Page", "Element")
        #expect(try generate(sources).contains("cache._get(Blog.Element.self, "))
        #expect(try generate(sources + "\nstruct Blog {}").contains("cache._get(Element.self, "))
    }

    @Test(
        "A member or an accessor that hides a module which the accessors need is told",
        arguments: [
            ("Author", "let Swift = true", "which is the name of a member of 'Page'; rename that member", "Swift"),
            (
                "Author", "static func FlatCache() {}", "which is the name of a member of 'Page'; rename that member",
                "FlatCache"
            ),
            (
                "People.Person", "let People: Int", "which is the name of a member of 'Page'; rename that member",
                "People"
            ),
            (
                "Author, name: Swift", "", "and none can have that name; write '// relationship: Author, name: …'",
                "Swift"
            ),
            (
                "People.Person, name: People", "",
                "and none can have that name; write '// relationship: People.Person, name: …'", "People"
            ),
        ]
    )
    func modules(annotation: String, member: String, advice: String, module: String) {
        let page = "import People\n" + Self.author + Self.page("struct Page", annotation, member)
        #expect(errors(in: [page]) == ["File1.swift:4:1: error: the accessors need '\(module)', \(advice)"])
    }

    @Test("Accessors are called as members, whatever words of the language they are called like")
    func words() throws {
        let output = try generate(Self.author + Self.page("struct Page", "Author, name: willSet"))
        #expect(output.contains("FlatCache._tracked { self.willSet(in: $0) }"))
    }
}
