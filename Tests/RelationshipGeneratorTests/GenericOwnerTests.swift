import Testing

@Suite("Generic owners")
struct GenericOwnerTests {
    private static let item = "import FlatCache\nstruct Item: Cachable { let id: Int }\n"

    private static func box(_ type: String, _ annotation: String = "Item") -> String {
        "\(type) {\n// relationship: \(annotation), name: other\nvar otherID: Int?\n}\n"
    }

    @Test(
        "The relationships of a generic type are described for any parameters",
        arguments: [
            (box("struct Box<Content>: Cachable"), "Box"),
            (box("struct Box<Content>"), "Box"),
            (box("struct Box<A: Hashable & Sendable, B>: Cachable where B: Sequence, B.Element == A"), "Box"),
            (box("struct Box<ID: Hashable & Sendable>: Cachable"), "Box"),
            (box("struct Box<each Content: Sendable>: Cachable"), "Box"),
            (box("struct Box<let count: Int>: Cachable"), "Box"),
            (box("struct Box<Content: ~Copyable>: Cachable"), "Box"),
            (box("struct Box<Content: People.Named>: Cachable"), "Box"),
            (box("struct `class`<Content>: Cachable"), "`class`"),
            (box("struct `one box`<Content>: Cachable"), "`one box`"),
            ("enum Shop<A> {\n\(box("struct Box<B>: Cachable"))}\n", "Shop.Box"),
            ("enum Shop<A> {\n\(box("struct Box: Cachable"))}\n", "Shop.Box"),
            ("enum Shop {\n\(box("struct Box<each B, let n: Int>: Cachable"))}\n", "Shop.Box"),
            ("enum Shop<A> {}\nextension Shop {\n\(box("struct Box: Cachable"))}\n", "Shop.Box"),
        ]
    )
    func described(box: String, extended: String) throws {
        let output = try generate(Self.item, box)
        #expect(output.contains("\nnonisolated extension \(extended): FlatCache.RelationshipOwner {\n"))
        #expect(output.contains("\n    static var relationships: Relationships { Relationships() }\n"))
        #expect(
            output.contains(
                "\n        var other: _ToOptional<Item> { "
                    + ".init(\"\(extended).otherID\") { $0.otherID } set: { $0.otherID = $1 } }\n"
            )
        )
    }

    @Test("A related type with generic parameters has the parameters of the owner")
    func reflexive() throws {
        let output = try generate(Self.item, Self.box("struct Box<Content>: Cachable", "Box"))
        #expect(output.contains("\n    var other: Box? {\n"))
        #expect(output.contains("\n    mutating func setOther(_ related: Box?, in cache: FlatCache = .current) {\n"))
        #expect(output.contains("\n        var other: _ToOptional<Box> { "))
        let nested = try generate(Self.item, "enum Shop<A> {\n\(Self.box("struct Box<B>: Cachable", "Box"))}\n")
        #expect(nested.contains("\n    var other: Shop<A>.Box<B>? {\n"))
        #expect(nested.contains("\n        var other: _ToOptional<Shop<A>.Box<B>> { "))
    }

    @Test("A generic type gets the same code as any other: no protocol and no extension of handles")
    func alike() throws {
        let plain = try generate(Self.item, Self.box("struct Box: Cachable"))
        #expect(try generate(Self.item, Self.box("struct Box<Content: Sendable>: Cachable")) == plain)
        #expect(!plain.contains("protocol") && !plain.contains("Cached"))
    }

    @Test("The library is imported with the access level of a conformance", arguments: ["package", "public"])
    func imports(access: String) throws {
        let output = try generate("import FlatCache\n" + Self.box("\(access) struct Box<Content>: Cachable", "Box"))
        #expect(output.contains("\n\(access) import FlatCache\n"))
    }

    @Test(
        "A member that the target adds to handles collides with a relationship, under any requirements",
        arguments: [
            ("extension Cached where Value: Marked { var other: Int { 1 } }", true),
            ("extension Cached where Value: Marked { func other(a: Int) {} }", true),
            ("extension Cached where Value: Sendable & Marked { var other: Int { 1 } }", true),
            ("extension FlatCache.Cached { var other: Int { 1 } }", true),
            ("extension Cached where Value: FlatCache.Cachable { var other: Int { 1 } }", true),
            ("extension Cached where Value: Equatable { var other: Int { 1 } }", false),
            ("extension Cached where Value: Unmarked { var other: Int { 1 } }", false),
            ("extension Cached where Value: Marked, Value: Unmarked { var other: Int { 1 } }", false),
            ("extension Cached where Value == Item { var other: Int { 1 } }", false),
            ("extension Cached where Value: Sendable, Value == Item { var other: Int { 1 } }", false),
            ("extension Cached where Value.ID == String { var other: Int { 1 } }", false),
        ]
    )
    func hidden(others: String, isError: Bool) {
        let protocols = "protocol Marked {}\nprotocol Unmarked {}\n"
        let printed = [
            "File2.swift:2:1: error: handles of 'Box' already have a member 'other'; "
                + "write '// relationship: Item, name: …'"
        ]
        for type in ["struct Box<T>: Cachable, Marked", "struct Box: Cachable, Marked"] {
            #expect(errors(in: [Self.item + protocols + others, Self.box(type)]) == (isError ? printed : []))
        }
    }
}
