import RelationshipGenerator
import Testing

@Suite("Annotations of indexes")
struct IndexAnnotationTests {
    /// The errors of a post with members from line 3 on.
    private func errorsOf(_ members: String, others: String = "") -> [String] {
        errors(in: ["import FlatCache\nstruct Post: Cachable { let id: String\n\(members)\n}\n\(others)"])
    }

    private func indexes(_ members: String) throws -> [String] {
        let output = try generate("import FlatCache\nstruct Post: Cachable { let id: String\n\(members)\n}")
        guard output.contains("static var indexes") else { return [] }
        let lines = try BacklinkTests.code(of: "Post", in: output).drop { !$0.contains("static var indexes") }
        return Array(lines.dropFirst().prefix { $0 != "}" })
    }

    @Test(
        "An index is generated above or behind any stored property, with any white space and prose",
        arguments: [
            "// cache: index\nvar slug: String", "var slug: String // cache: index",
            "//cache:index\n/// Text.\nlet slug: Int?", "// cache: index\nlet slug: Int??",
            "// cache: index - prose, with a comma\npublic private(set) var slug: Date",
            "//\tcache:\tindex  — prose\n@Wrapped var slug: Wrapped<[Int]>",
        ]
    )
    func single(members: String) throws {
        #expect(try indexes(members) == ["[.init(\\.slug)]"])
    }

    @Test("A unique index, and one of each element")
    func forms() throws {
        #expect(try indexes("// cache: index, unique\nvar slug: String") == ["[.init(\\.slug, isUnique: true)]"])
        for type in ["[Int]", "Set<Int>?", "Array<Int?>"] {
            #expect(try indexes("// cache: index\nvar slugs: \(type)") == ["[.init(each: \\.slugs)]"])
        }
        #expect(try indexes("// cache: index\nvar `default`: String") == ["[.init(\\.`default`)]"])
    }

    @Test("Annotations of an index and of a relationship stand together, in any order")
    func together() throws {
        let relationship = "// relationship: Post, backlink: replies"
        for annotations in ["// cache: index, unique\n\(relationship)", "\(relationship)\n// cache: index, unique"] {
            #expect(try indexes("\(annotations)\nvar parentID: String?") == ["[.init(\\.parentID, isUnique: true)]"])
        }
        #expect(
            try indexes("\(relationship)\nvar parentID: String?  // cache: index") == ["[.init(\\.parentID)]"]
        )
    }

    @Test("Branches are repeated, and many indexes are wrapped")
    func branches() throws {
        let many = (0..<9).map { "// cache: index\nvar property\($0)OfPost: Int" }.joined(separator: "\n")
        #expect(try indexes(many).count == 3)
        #expect(
            try indexes("// cache: index\nvar a: Int\n#if A\n#if B\n#else\n// cache: index\nvar b: Int\n#endif\n#endif")
                == [
                    "var indexes: [FlatCache.Index<Self>] = [.init(\\.a)]", "#if A", "#if B", "#else",
                    "indexes += [.init(\\.b)]", "#endif", "#endif", "return indexes",
                ]
        )
    }

    @Test("A type with only indexes conforms to nothing, and has the imports of its file")
    func onlyIndexes() throws {
        let output = try generate(
            "public import FlatCache\npublic struct Post: Cachable { public let id: Int\n// cache: index\nlet a: Int\n}"
        )
        #expect(output.contains("\npublic import FlatCache\n\nnonisolated extension Post {\n"))
        #expect(output.contains("\n    public static var indexes: [FlatCache.Index<Self>] {\n"))
    }

    @Test(
        "Prose is no annotation",
        arguments: [
            "// cache: the images that were loaded last", "// cache: see the index of the page", "/// cache: images",
            "// index", "// cached: images", "// the cache: index", "// cache the index", "// Cache index",
            "// cache: images, and an index", "// Cache: images", "/* cache: images */", "// catch: all",
        ]
    )
    func prose(comment: String) {
        #expect(errorsOf("\(comment)\nvar images: [Int]") == [])
    }

    @Test("A single word after 'cache:' is no annotation except at a variable")
    func elsewhere() {
        #expect(errorsOf("// cache: images\nfunc load() {}") == [])
        #expect(errorsOf("// Cache: index\nfunc load() {}") == [])
        #expect(
            errorsOf("// cache: images\nvar images: [Int] { [] }") == [
                "File1.swift:3:11: error: 'images' is not an annotation; write '// cache: index', "
                    + "or begin prose with another word than 'cache:'"
            ]
        )
    }

    @Test(
        "An annotation that can't be read is an error",
        arguments: [
            ("cache: indx", "3:11", "'indx' is not an annotation; did you mean 'index'?"),
            ("cache: Index", "3:11", "'Index' is not an annotation; did you mean 'index'?"),
            ("cache: index.", "3:11", "'index.' is not an annotation; did you mean 'index'?"),
            ("cache: unique", "3:11", "'unique' is a key of an index; write '// cache: index, unique'"),
            (
                "cache: an index", "3:11",
                "'an' is not an annotation; write '// cache: index', or begin prose with another word than 'cache:'"
            ),
            ("cache:", "3:10", "a word is missing after 'cache:'; write '// cache: index'"),
            ("cache: index, uniqe", "3:18", "'uniqe' is not a key of an index; did you mean 'unique'?"),
            ("cache: index, name: a", "3:18", "'name:' is not a key of an index; the only key is 'unique'"),
            ("cache: index, unique: true", "3:18", "'unique' has no value; write '// cache: index, unique'"),
            ("cache: index, unique, unique", "3:26", "'unique' is written twice; write it once"),
            ("cache: index,", "3:16", "no key follows this comma; remove the comma, or write a key after it"),
            ("cache: index unique", "3:17", "a comma is missing before 'unique'; write ', unique'"),
            (
                "cache: index of a", "3:17",
                "'of' is neither a key nor prose; write the key as ', unique', and prose after ' - '"
            ),
            ("Cache: index", "3:1", "'Cache:' looks like an annotation; write 'cache:' in lower case"),
            ("cach: index", "3:1", "'cach:' looks like an annotation; did you mean 'cache:'?"),
            ("cahce: index, unique", "3:1", "'cahce:' looks like an annotation; did you mean 'cache:'?"),
            ("cache - index", "3:1", "'cache -' looks like an annotation; write '// cache: index'"),
            ("cache(index)", "3:1", "'cache(' looks like an annotation; write '// cache: index'"),
            (
                "\u{0441}ache: index", "3:1",
                "'\u{0441}ache:' contains letters of another alphabet that look like Latin ones; type 'cache:' again"
            ),
            (
                "cache:\u{A0}index", "3:10",
                "annotation contains U+00A0, which is invisible or looks like a space; remove it, or type a space instead"
            ),
        ]
    )
    func unreadable(text: String, place: String, message: String) {
        #expect(errorsOf("// \(text)\nvar slug: String") == ["File1.swift:\(place): error: \(message)"])
    }

    @Test("An annotation in another kind of comment, or attached to nothing, is an error")
    func comments() {
        let other = "annotation must be a '//' comment; write '// cache: index'"
        #expect(errorsOf("/// cache: index\nvar slug: String") == ["File1.swift:3:1: error: \(other)"])
        #expect(errorsOf("/* cache: index */\nvar slug: String") == ["File1.swift:3:1: error: \(other)"])
        #expect(
            errorsOf("// cache: index\n\nvar slug: String") == [
                "File1.swift:3:1: error: annotation is not attached to a property: it is followed by a blank line; "
                    + "write it directly above a stored property, or after it on its line"
            ]
        )
    }

    @Test(
        "A declaration without an index is an error",
        arguments: [
            ("var slug: String { \"\" }", "annotation needs a stored property of a struct: 'slug' is computed"),
            ("static let slug = \"\"", "annotation needs a stored property of a struct: 'slug' is static"),
            ("func slug() {}", "annotation needs a stored property of a struct: 'func slug' follows"),
            (
                "private var slug: String",
                "'slug' is private, but the generated accessors are in another file; make it at least internal"
            ),
            ("var slug = \"\"", "the type of 'slug' is not written; write it, as in 'slug: Int'"),
            (
                "var slug: () -> Void",
                "'slug' has the type '() -> Void', which is not 'Hashable'; remove the annotation"
            ),
            (
                "var slug: (Int, Int)?",
                "'slug' has the type '(Int, Int)?', which is not 'Hashable'; remove the annotation"
            ),
            ("var slug: any P", "'slug' has the type 'any P', which is not 'Hashable'; remove the annotation"),
            (
                "var slug: [Int: Int]",
                "'slug' has the type '[Int: Int]', a dictionary, which has no index; "
                    + "an index is of a single value, or of the elements of an array or set"
            ),
            (
                "var slug: [[Int]]?",
                "'slug' has the type '[[Int]]?', an array of arrays, which has no index; "
                    + "an index is of a single value, or of the elements of an array or set"
            ),
        ]
    )
    func declarations(declaration: String, message: String) {
        #expect(errorsOf("// cache: index\n\(declaration)") == ["File1.swift:3:1: error: \(message)"])
    }

    @Test("Two annotations, unique elements, and indexes of one's own are errors")
    func contradictions() {
        #expect(
            errorsOf("// cache: index\n// cache: index, unique\nvar slug: String") == [
                "File1.swift:4:1: error: 'slug' already has an index; remove one of the annotations"
            ]
        )
        #expect(
            errorsOf("// cache: index, unique\nvar slugs: [String]") == [
                "File1.swift:3:1: error: 'slugs' has several values, which can't be unique; remove ', unique'"
            ]
        )
        let own = "static let indexes: [FlatCache.Index<Post>] = []"
        let message =
            "error: 'Post' already has a member 'indexes', but the generated code declares one of this name; "
            + "remove it, and annotate each property"
        #expect(errorsOf("// cache: index\nvar slug: String\n\(own)") == ["File1.swift:3:1: \(message)"])
        let backlink = "// relationship: Post, backlink: replies\nvar parentID: String?"
        #expect(errorsOf("\(backlink)\n\(own)") == ["File1.swift:3:34: \(message)"])
    }

    @Test("Only structs that are entities can have indexes")
    func owners() {
        #expect(
            errorsOf("", others: "final class Page: Cachable {\n// cache: index\nlet a: Int\n}") == [
                "File1.swift:6:1: error: 'Page' is a class, and only structs can have indexes; declare it as a struct"
            ]
        )
        #expect(
            errorsOf("", others: "struct Page {\n// cache: index\nlet a: Int\n}") == [
                "File1.swift:6:1: error: 'Page' (File1.swift:5) does not conform to 'Cachable', so that no cache can store "
                    + "it; write 'struct Page: Cachable'"
            ]
        )
        #expect(
            errorsOf("", others: "enum Kind: Cachable {\n// cache: index\ncase a(String)\n}") == [
                "File1.swift:6:1: error: annotation needs a stored property of a struct: 'a' is a case"
            ]
        )
        #expect(errorsOf("", others: "struct Page<T: Sendable>: Cachable {\nlet id: Int // cache: index\n}") == [])
    }
}
