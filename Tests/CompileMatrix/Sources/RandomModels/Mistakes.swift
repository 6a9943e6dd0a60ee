/// One way to write an annotation wrong, in a target that is right otherwise.
struct Mistake {
    enum Place { case member, topLevel }

    var name: String
    var place: Place
    /// The lines to add. The one where the error is expected contains ``Sketch/mark``.
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

    static let all = inAnnotations + inAttachments + inProperties + inNames + inTypes + inOwners

    private static let inAnnotations = [
        Mistake("wrong case", "// Relationship: Wrong¤\nlet wrongID: String", says: "in lower case"),
        Mistake("capitals", "// RELATIONSHIP: Wrong¤\nlet wrongID: String", says: "in lower case"),
        Mistake("misspelled", "// relationshp: Wrong¤\nlet wrongID: String", says: "did you mean 'relationship:'?"),
        Mistake("short", "// relation: Wrong¤\nlet wrongID: String", says: "did you mean 'relationship:'?"),
        Mistake("plural", "let wrongID: String // relationships: Wrong¤", says: "did you mean 'relationship:'?"),
        Mistake("space", "// relationship : Wrong¤\nlet wrongID: String", says: "did you mean 'relationship:'?"),
        Mistake("no colon", "// relationship Wrong¤\nlet wrongID: String", says: "did you mean 'relationship:'?"),
        Mistake("documentation", "/// relationship: Wrong¤\nlet wrongID: String", says: "is written as a '//' comment"),
        Mistake("block", "/* relationship: Wrong */ /*¤*/\nlet wrongID: String", says: "is written as a '//' comment"),
        Mistake("documentation block", "/** relationship: Wrong */ /*¤*/\nlet wrongID: String", says: "is written as a '//'"),
        Mistake("no type", "// relationship:  // ¤\nlet wrongID: String", says: "is not the name of a type"),
        Mistake("nothing", "/*¤*/ let wrongID: String // relationship:", says: "the related type is missing"),
        Mistake("only prose", "/*¤*/ let wrongID: String // relationship: - Wrong", says: "the related type is missing"),
        Mistake("array", "// relationship: [Wrong]¤\nlet wrongIDs: [String]", says: "write the type of one entity"),
        Mistake("optional", "// relationship: Wrong? ¤\nlet wrongID: String?", says: "write the type of one entity"),
        Mistake("generic", "// relationship: Wrong<Int> ¤\nlet wrongID: String", says: "write the type of one entity"),
        Mistake("unknown key", "// relationship: Wrong, nam: x¤\nlet wrongID: String", says: "did you mean 'name'?"),
        Mistake("other key", "// relationship: Wrong, cascades: x¤\nlet wrongID: String", says: "is not a key"),
        Mistake("no value", "/*¤*/ let wrongID: String // relationship: Wrong, name:", says: "the value of 'name' is missing"),
        Mistake("bad value", "// relationship: Wrong, name: 1st ¤\nlet wrongID: String", says: "'1st' is not a name"),
        Mistake("key twice", "// relationship: Wrong, name: a, name: b ¤\nlet wrongID: String", says: "'name' is there twice"),
        Mistake("text", "// relationship: Wrong the author ¤\nlet wrongID: String", says: "'the' is not understood"),
    ]

    private static let inAttachments = [
        Mistake("blank line", "// relationship: Wrong ¤\n\nlet wrongID: String", says: "a blank line follows"),
        Mistake("end of scope", "let wrongID: String\n// relationship: Wrong ¤", says: "nothing follows in this scope"),
        Mistake("end of branch", "#if NEVER\n// relationship: Wrong ¤\n#endif\nlet wrongID: String", says: "nothing follows"),
        Mistake("before a branch", "// relationship: Wrong ¤\n#if FIRST_BRANCH\n#endif\nlet wrongID: String", says: "'#if' follows"),
        Mistake("function between", "// relationship: Wrong ¤\nfunc wrong() {}\nlet wrongID: String", says: "'func wrong' follows"),
        Mistake("behind a function", "func wrong() {} // relationship: Wrong ¤", says: "must stand on a stored property"),
        Mistake("before a type", "// relationship: Wrong ¤\nstruct Inner { let wrongID: String }", says: "'struct Inner' follows"),
        Mistake("two", "// relationship: Wrong\n// relationship: Wrong ¤\nlet wrongID: String", says: "already has a relationship"),
        Mistake("several", "// relationship: Wrong ¤\nlet wrongID: String, otherID: String", says: "declares several properties"),
        Mistake("tuple", "// relationship: Wrong ¤\nlet (wrongID, otherID): (String, String)", says: "a tuple pattern"),
        Mistake("computed", "// relationship: Wrong ¤\nvar wrongID: String { \"1\" }", says: "'wrongID' is computed"),
        Mistake("static", "// relationship: Wrong ¤\nstatic let wrongID: String = \"1\"", says: "'wrongID' is static"),
        Mistake("local", "func f() {\n// relationship: Wrong ¤\nlet wrongID: String = \"\"\n}", says: "is a local variable"),
        Mistake("statement", "func f() {\n// relationship: Wrong ¤\nprint(1)\n}", says: "a statement follows"),
        Mistake("enum case", "enum Inner {\n// relationship: Wrong ¤\ncase wrong(id: String)\n}", says: "is a case of an enum"),
        Mistake("payload", "enum Inner { case wrong(\n// relationship: Wrong ¤\nid: String) }", says: "is a case of an enum"),
        Mistake("end of file", .topLevel, "let last = 1\n// relationship: Wrong ¤", says: "stands on nothing"),
        Mistake("global", .topLevel, "// relationship: Wrong ¤\nlet wrongID: String = \"\"", says: "is a global variable"),
        Mistake("unterminated comment", .topLevel, "/* ¤", says: "does not end"),
        Mistake(
            "requirement", .topLevel, "protocol Inner {\n// relationship: Wrong ¤\nvar wrongID: String { get }\n}",
            says: "is a requirement of a protocol"
        ),
    ]

    private static let inProperties = [
        Mistake("private", "// relationship: Wrong ¤\nprivate let wrongID: String", says: "'wrongID' is private"),
        Mistake("fileprivate", "// relationship: Wrong ¤\nfileprivate var wrongID: String", says: "'wrongID' is fileprivate"),
        Mistake("lazy", "// relationship: Wrong ¤\nlazy var wrongID: String = \"\"", says: "'wrongID' is lazy"),
        Mistake("no written type", "// relationship: Wrong ¤\nvar wrongID = \"1\"", says: "the type of 'wrongID' must be written"),
        Mistake("dictionary", "// relationship: Wrong ¤\nlet wrongIDs: [String: Int]", says: "a relationship needs an identifier"),
        Mistake("function", "// relationship: Wrong ¤\nlet wrongID: () -> String", says: "a relationship needs an identifier"),
        Mistake("arrays", "// relationship: Wrong ¤\nlet wrongIDs: [[String]]", says: "a relationship needs an identifier"),
        Mistake("optionals", "// relationship: Wrong ¤\nlet wrongID: String??", says: "a relationship needs an identifier"),
        Mistake("other type", "// relationship: Wrong ¤\nlet wrongID: Int", says: "'Wrong' is identified by 'String'"),
        Mistake("other types", "// relationship: Wrong ¤\nvar wrongIDs: Set<Int>?", says: "'Wrong' is identified by 'String'"),
        Mistake("plural of one", "// relationship: Wrong ¤\nlet wrongIDs: String", says: "is named like several identifiers"),
        Mistake("singular of several", "// relationship: Wrong ¤\nlet wrongID: [String]", says: "is named like one identifier"),
    ]

    private static let inNames = [
        Mistake("no ending", "// relationship: Wrong ¤\nlet wrong: String", says: "no accessor name can be derived"),
        Mistake("no word", "// relationship: Wrong ¤\nlet GUID: String", says: "no accessor name can be derived"),
        Mistake("irregular", "// relationship: Wrong ¤\nlet childIDs: [String]", says: "the plural of 'child' is irregular"),
        Mistake("unusable", "// relationship: Wrong, name: self ¤\nlet wrongID: String", says: "can't be the name of an accessor"),
        Mistake("unusable word", "// relationship: Wrong ¤\nlet initID: String", says: "can't be the name of an accessor"),
        Mistake("member", "// relationship: Wrong ¤\nlet wrongID: String\nlet wrong = 1", says: "already has a member 'wrong'"),
        Mistake(
            "setter", "// relationship: Wrong ¤\nlet wrongID: String\nfunc setWrong(_ a: Int, in b: Int) {}",
            says: "already has a member 'setWrong(_:in:)'"
        ),
        Mistake(
            "missing ones", "// relationship: Wrong ¤\nlet wrongIDs: [String]\nfunc missingWrongIDs() {}",
            says: "already has a member 'missingWrongIDs'"
        ),
        Mistake(
            "generated twice", "// relationship: Wrong\nlet wrongID: String\n// relationship: Wrong ¤\nlet wrongId: String",
            says: "generates a member 'wrong' too"
        ),
        Mistake("handle", "// relationship: Wrong, name: value ¤\nlet wrongID: String", says: "every handle has a member"),
        Mistake("type name", "// relationship: Wrong ¤\nlet WrongID: String", says: "can't have the name of its type"),
        Mistake("description", "// relationship: Wrong\nlet wrongID: String\nenum Relationships {}", says: "Relationships"),
    ]

    private static let inTypes = [
        Mistake("unknown type", "// relationship: Wrnog ¤\nlet wrongID: String", says: "did you mean 'Wrong'?"),
        Mistake("other module", "// relationship: People.Person ¤\nlet wrongID: String", says: "is not a type of this target"),
        Mistake("no such type", "// relationship: Zzzzzzzzzz ¤\nlet wrongID: String", says: "is not a type of this target"),
        Mistake("protocol", "// relationship: WrongProtocol ¤\nlet wrongID: String", says: "is a protocol"),
        Mistake("generic type", "// relationship: WrongBox ¤\nlet wrongID: String", says: "'WrongBox' is generic"),
        Mistake("in a generic type", "// relationship: WrongBox.Item ¤\nlet wrongID: String", says: "'WrongBox.Item' is generic"),
        Mistake("hidden", "// relationship: Hidden ¤\nlet wrongID: String", says: "'Hidden' is private"),
        Mistake("in a hidden type", "// relationship: HiddenSpace.Tag ¤\nlet wrongID: String", says: "'HiddenSpace' is fileprivate"),
    ]

    private static let inOwners = ["class", "actor"].map { kind in
        Mistake(
            kind, .topLevel, "\(kind) Inner {\n// relationship: Wrong ¤\nvar wrongID: String = \"\"\n}",
            says: "relationships belong to the stored properties of a struct"
        )
    } + ["private", "fileprivate"].map { access in
        Mistake(
            "\(access) owner", .topLevel, "\(access) struct Inner {\n// relationship: Wrong ¤\nvar wrongID: String\n}",
            says: "'Inner' is \(access)"
        )
    } + [
        Mistake(
            "local owner", .topLevel, "func f() {\nstruct Inner {\n// relationship: Wrong ¤\nvar wrongID: String\n}\n}",
            says: "'Inner' is local to a function"
        ),
    ]

    /// The types that mistakes refer to.
    static let support = """
        struct Wrong: Cachable { let id: String }
        protocol WrongProtocol {}
        struct WrongBox<Content> { struct Item {} }
        private struct Hidden: Cachable { let id: String }
        fileprivate enum HiddenSpace { struct Tag: Cachable { let id: String } }
        """
}

/// A mistake with the place where it is made.
struct PlacedMistake {
    var mistake: Mistake
    /// The model whose member it is, or `nil` at the top level of a file.
    var model: Int?
    var file: Int

    var lines: [String] { [mistake.text] }

    /// Makes a mistake somewhere in a target.
    static func random(in sketch: Sketch, _ numbers: inout RandomNumbers) -> PlacedMistake? {
        let mistake = numbers.pick(from: Mistake.all)
        let models = sketch.models.indices.filter { sketch.models[$0].isEntity && sketch.models[$0].generics == nil }
        if mistake.place == .topLevel {
            return PlacedMistake(mistake: mistake, model: nil, file: numbers.below(sketch.files.count))
        }
        return models.isEmpty ? nil : PlacedMistake(mistake: mistake, model: numbers.pick(from: models), file: 0)
    }
}
