import RelationshipGenerator
import Testing

@Suite("Generic owners")
struct GenericOwnerTests {
    private static let item = "import FlatCache\nstruct Item: Cachable { let id: Int }\n"

    private static func box(_ type: String, _ annotation: String = "Item") -> String {
        "\(type) {\n// relationship: \(annotation), name: other\nvar otherID: Int?\n}\n"
    }

    @Test(
        "Handles of a generic entity go by a protocol with its parameters",
        arguments: [
            (
                box("struct Box<Content>: Cachable"), "_BoxOwner: FlatCache.Cachable {", "associatedtype Content",
                "Box<Content>", "extension Box: _BoxOwner {"
            ),
            (
                box("public struct Box<A: Hashable & Sendable, B>: Cachable where B: Sequence, B.Element == A"),
                "_BoxOwner: FlatCache.Cachable where B: Sequence, B.Element == A {",
                "associatedtype A: Hashable & Sendable; associatedtype B", "Box<A, B>", "extension Box: _BoxOwner {"
            ),
            (
                box("struct Box<ID: Hashable & Sendable>: Cachable"),
                "_BoxOwner: FlatCache.Cachable where ID: Hashable & Sendable {", nil, "Box<ID>",
                "extension Box: _BoxOwner {"
            ),
            (
                box("struct `class`<Content>: Cachable"), "_classOwner: FlatCache.Cachable {", "associatedtype Content",
                "`class`<Content>", "extension `class`: _classOwner {"
            ),
            (
                box("struct `one box`<Content>: Cachable"), "`_one boxOwner`: FlatCache.Cachable {",
                "associatedtype Content", "`one box`<Content>", "extension `one box`: `_one boxOwner` {"
            ),
            (
                "enum Shop<A> {\nprotocol Kind {}\n\(box("struct Box<B: Kind>: Cachable"))}\n",
                "_ShopBoxOwner: FlatCache.Cachable {", "associatedtype A; associatedtype B: Shop.Kind",
                "Shop<A>.Box<B>", "extension Shop.Box: _ShopBoxOwner {"
            ),
        ] as [(String, String, String?, String, String)]
    )
    func handles(box: String, head: String, types: String?, type: String, extension: String) throws {
        let output = try generate(Self.item, box)
        let access = box.hasPrefix("public") ? "public " : ""
        let declarations = types.map { "    \($0)\n" } ?? ""
        #expect(
            output.contains(
                "\n\(access)nonisolated protocol \(head)\n\(declarations)    /// The value itself, by its type.\n"
                    + "    var _relationshipOwner: \(type) { get set }\n}\n\nnonisolated \(`extension`)\n"
            )
        )
        let name = head.prefix { $0 != ":" }
        #expect(output.contains("\nnonisolated extension FlatCache.Cached where Value: \(name) {\n"))
        #expect(output.contains("    var other: Item? { _withStored { $0._relationshipOwner.other(in: $1) } }\n"))
        #expect(output.contains("{ $0._relationshipOwner.otherID = related?.id }"))
        #expect(!output.contains("so handles have none of these"))
    }

    @Test("On handles, a related type that has the parameters has those of the handle's value")
    func reflexive() throws {
        let output = try generate(Self.item, Self.box("struct Box<Content>: Cachable", "Box"))
        #expect(output.contains("\n    var other: Box? {\n"))
        #expect(output.contains("\n    var other: Box<Value.Content>? { _withStored"))
        #expect(output.contains("\n    func setOther(_ related: Box<Value.Content>?) throws("))
        #expect(output.contains("\n    var cachedOther: FlatCache.Cached<Box<Value.Content>>? {"))
        let hidden = try generate(Self.item, Self.box("struct Value<Content>: Cachable", "Value"))
        #expect(hidden.contains("\n    var other: Blog.Value<Value.Content>? { _withStored"))
    }

    @Test(
        "Where no protocol can have the parameters, the output and the explanation say so",
        arguments: [
            "struct Box<each Content: Sendable>: Cachable", "struct Box<let count: Int>: Cachable",
            "struct Box<Content: ~Copyable>: Cachable", "struct Box<Content>: Cachable where Content: ~Copyable",
            "public struct Box<Content: People.Named>: Cachable",
            "package struct Box<Content>: Cachable where Content == UUID",
        ]
    )
    func unnamed(type: String) throws {
        let reason = "No protocol can have the generic parameters of Box, so handles have none of these."
        let output = try generate(Self.item, Self.box(type))
        #expect(output.contains("\n// \(reason)\nnonisolated extension Box {\n"))
        #expect(!output.contains("extension FlatCache.Cached"))
        #expect(output.contains("\nnonisolated extension Box: FlatCache.RelationshipOwner {\n"))
        #expect(Self.explanation(of: Self.box(type)).contains("\n    \(reason)\n"))
    }

    @Test("What is no entity is told in the output and in the explanation")
    func noEntity() throws {
        let reason =
            "The sources of Blog don't show that Box is Cachable, so handles and key paths have none of these."
        #expect(try generate(Self.item, Self.box("struct Box<Content>")).contains("\n// \(reason)\nextension Box {\n"))
        #expect(Self.explanation(of: Self.box("struct Box<Content>")).contains("\n    \(reason)\n"))
        #expect(!Self.explanation(of: Self.box("struct Box<Content>: Cachable")).contains("none of these"))
    }

    private static func explanation(of box: String) -> String {
        let sources = [item, box].enumerated().map {
            RelationshipGenerator.Source(path: "File\($0 + 1).swift", text: Array($1.utf8))
        }
        return Explanation([RelationshipGenerator(target: "Blog", template: "").report(on: sources)]).text
    }

    @Test(
        "A protocol imports the library as visibly as it is, where a conformance need not",
        arguments: [("package", "package import FlatCache\n"), ("public", "public import FlatCache\n")]
    )
    func imports(access: String, text: String) throws {
        let box = "import FlatCache\n" + Self.box("\(access) struct Box<Content>: Cachable", "Box")
        #expect(try generate(box).contains(text))
        #expect(try !generate(box.replacing("<Content>", with: "")).contains("package import"))
    }

    @Test(
        "A member that an extension adds to handles of a protocol would be ambiguous with the accessor",
        arguments: [
            ("extension Cached where Value: Marked { var other: Int { 1 } }", true),
            ("extension Cached where Value: Equatable { var other: Int { 1 } }", true),
            ("extension Cached where Value: Unmarked { var other: Int { 1 } }", false),
            ("extension Cached { var other: Int { 1 } }", false),
            ("extension Cached where Value == Item { var other: Int { 1 } }", false),
        ]
    )
    func ambiguous(others: String, isError: Bool) {
        let protocols = "protocol Marked {}\nprotocol Unmarked {}\n"
        let printed = [
            "File2.swift:2:1: error: handles of 'Box' already have a member 'other'; "
                + "write '// relationship: Item, name: …'"
        ]
        for (type, hasProtocol) in [("struct Box<T>: Cachable, Marked", true), ("struct Box: Cachable, Marked", false)]
        {
            #expect(
                errors(in: [Self.item + protocols + others, Self.box(type)]) == (isError && hasProtocol ? printed : [])
            )
        }
    }
}
