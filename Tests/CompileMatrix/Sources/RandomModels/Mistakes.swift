/// One way to write an annotation wrong, in a target that is right otherwise.
struct Mistake {
    enum Place { case member, topLevel }

    var name: String
    var place: Place
    /// The lines to add.
    ///
    /// The one where the error is expected contains ``Sketch/mark``.
    var text: String
    /// A part of the message.
    var message: String

    init(_ name: String, _ place: Place, _ text: String, says message: String) {
        self.name = name
        self.place = place
        self.text = text
        self.message = message
    }

    init(_ name: String, _ text: String, says message: String) { self.init(name, .member, text, says: message) }

    static let all =
        inAnnotations + inAttachments + inProperties + inShapes + inNames + inInverses + inBacklinks + inDeleteRules
        + inTypes + inOwners

    static let inAnnotations = [
        Mistake("wrong case", "// Relationship: Wrong¤\nlet wrongID: String", says: "in lower case"),
        Mistake("capitals", "// RELATIONSHIP: Wrong¤\nlet wrongID: String", says: "in lower case"),
        Mistake("misspelled", "// relationshp: Wrong¤\nlet wrongID: String", says: "did you mean 'relationship:'?"),
        Mistake("short", "// relation: Wrong¤\nlet wrongID: String", says: "did you mean 'relationship:'?"),
        Mistake("plural", "let wrongID: String // relationships: Wrong¤", says: "did you mean 'relationship:'?"),
        Mistake("space", "// relationship : Wrong¤\nlet wrongID: String", says: "did you mean 'relationship:'?"),
        Mistake("no colon", "// relationship Wrong¤\nlet wrongID: String", says: "write '// relationship: Wrong'"),
        Mistake("dash", "// relationship - Wrong¤\nlet wrongID: String", says: "write '// relationship: Wrong'"),
        Mistake("label", "// note: relationship: Wrong¤\nlet wrongID: String", says: "did you mean 'relationship:'?"),
        Mistake("documentation", "/// relationship: Wrong¤\nlet wrongID: String", says: "must be a '//' comment"),
        Mistake("block", "/* relationship: Wrong */ /*¤*/\nlet wrongID: String", says: "must be a '//' comment"),
        Mistake(
            "documentation block",
            "/** relationship: Wrong */ /*¤*/\nlet wrongID: String",
            says: "must be a '//'"
        ),
        Mistake("no type", "// relationship:  // ¤\nlet wrongID: String", says: "is not the name of a type"),
        Mistake("nothing", "/*¤*/ let wrongID: String // relationship:", says: "the related type is missing"),
        Mistake(
            "only prose",
            "/*¤*/ let wrongID: String // relationship: - Wrong",
            says: "the related type is missing"
        ),
        Mistake("array", "// relationship: [Wrong]¤\nlet wrongIDs: [String]", says: "remove '[' and ']'"),
        Mistake("optional", "// relationship: Wrong? ¤\nlet wrongID: String?", says: "remove '?'"),
        Mistake("word", "// relationship: any Wrong ¤\nlet wrongID: String", says: "remove 'any'"),
        Mistake("generic", "// relationship: Wrong<Int> ¤\nlet wrongID: String", says: "has generic arguments"),
        Mistake("unknown key", "// relationship: Wrong, nam: x¤\nlet wrongID: String", says: "did you mean 'name'?"),
        Mistake("old key", "// relationship: Wrong, throwing¤\nlet wrongID: String", says: "is not a key any more"),
        Mistake("other key", "// relationship: Wrong, cascades: x¤\nlet wrongID: String", says: "is not a key"),
        Mistake(
            "no value",
            "/*¤*/ let wrongID: String // relationship: Wrong, name:",
            says: "the value of 'name' is missing"
        ),
        Mistake("bad value", "// relationship: Wrong, name: 1st ¤\nlet wrongID: String", says: "'1st' is not a name"),
        Mistake(
            "key twice",
            "// relationship: Wrong, name: a, name: b ¤\nlet wrongID: String",
            says: "'name' is written twice"
        ),
        Mistake(
            "text",
            "// relationship: Wrong the author ¤\nlet wrongID: String",
            says: "'the' is neither a key nor prose"
        ),
    ]

    static let inAttachments = [
        Mistake("blank line", "// relationship: Wrong ¤\n\nlet wrongID: String", says: "followed by a blank line"),
        Mistake(
            "end of scope",
            "let wrongID: String\n// relationship: Wrong ¤",
            says: "no declaration follows in its scope"
        ),
        Mistake(
            "end of branch",
            "#if NEVER\n// relationship: Wrong ¤\n#endif\nlet wrongID: String",
            says: "no declaration follows"
        ),
        Mistake(
            "before a branch",
            "// relationship: Wrong ¤\n#if FIRST_BRANCH\n#endif\nlet wrongID: String",
            says: "'#if' follows"
        ),
        Mistake(
            "function between",
            "// relationship: Wrong ¤\nfunc wrong() {}\nlet wrongID: String",
            says: "'func wrong' follows"
        ),
        Mistake(
            "behind a function",
            "func wrong() {} // relationship: Wrong ¤",
            says: "no property is declared on its line"
        ),
        Mistake(
            "before a type",
            "// relationship: Wrong ¤\nstruct Inner { let wrongID: String }",
            says: "'struct Inner' follows"
        ),
        Mistake(
            "two",
            "// relationship: Wrong\n// relationship: Wrong ¤\nlet wrongID: String",
            says: "already has a relationship"
        ),
        Mistake(
            "several",
            "// relationship: Wrong ¤\nlet wrongID: String, otherID: String",
            says: "are declared together"
        ),
        Mistake("tuple", "// relationship: Wrong ¤\nlet (wrongID, otherID): (String, String)", says: "a tuple pattern"),
        Mistake("computed", "// relationship: Wrong ¤\nvar wrongID: String { \"1\" }", says: "'wrongID' is computed"),
        Mistake("static", "// relationship: Wrong ¤\nstatic let wrongID: String = \"1\"", says: "'wrongID' is static"),
        Mistake(
            "local",
            "func f() {\n// relationship: Wrong ¤\nlet wrongID: String = \"\"\n}",
            says: "is a local variable"
        ),
        Mistake(
            "attribute",
            "@available(\n// relationship: Wrong ¤\n*, deprecated) var wrongID: String",
            says: "it is inside an attribute or a modifier"
        ),
        Mistake("statement", "func f() {\n// relationship: Wrong ¤\nprint(1)\n}", says: "a statement follows"),
        Mistake(
            "enum case",
            "enum Inner {\n// relationship: Wrong ¤\ncase wrong\n}",
            says: "has no associated value"
        ),
        Mistake(
            "payload",
            "enum Inner { case wrong(\n// relationship: Wrong ¤\nid: String) }",
            says: "it is among the associated values of a case"
        ),
        Mistake(
            "end of file",
            .topLevel,
            "let last = 1\n// relationship: Wrong ¤",
            says: "is not attached to a property"
        ),
        Mistake(
            "global",
            .topLevel,
            "// relationship: Wrong ¤\nlet wrongID: String = \"\"",
            says: "is a global variable"
        ),
        Mistake(
            "unterminated comment",
            .topLevel,
            "struct Last: Cachable {\nlet id: Int\n// relationship: Last, name: next\nlet nextID: Int?\n}\n/* ¤",
            says: "unterminated comment"
        ),
        Mistake(
            "unclosed brace",
            .topLevel,
            "struct Last: Cachable { // ¤\nlet id: Int\n// relationship: Lst\nlet nextID: Int?\nfunc f() {\n}",
            says: "'{' is not closed"
        ),
        Mistake(
            "stray brace",
            .topLevel,
            "struct Last: Cachable {\nlet id: Int\n}\n// relationship: Last, name: next\nlet nextID: Int?\n} // ¤",
            says: "'}' has no matching '{'"
        ),
        Mistake(
            "requirement",
            .topLevel,
            "protocol Inner {\n// relationship: Wrong ¤\nvar wrongID: String { get }\n}",
            says: "is a requirement of a protocol"
        ),
    ]

    /// The types that mistakes refer to.
    static let support = """
        struct Wrong: Cachable {
            let id: String
            let plainID: String
            // relationship: Wrong
            let otherID: String?
        }
        protocol WrongProtocol {}
        struct WrongBox<Content> { struct Item {} }
        private struct Hidden: Cachable { let id: String }
        fileprivate enum HiddenSpace { struct Tag: Cachable { let id: String } }
        """
}
