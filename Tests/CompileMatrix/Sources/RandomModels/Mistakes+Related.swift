extension Mistake {
    static let inProperties = [
        Mistake("private", "// relationship: Wrong ¤\nprivate let wrongID: String", says: "'wrongID' is private"),
        Mistake(
            "fileprivate",
            "// relationship: Wrong ¤\nfileprivate var wrongID: String",
            says: "'wrongID' is fileprivate"
        ),
        Mistake("lazy", "// relationship: Wrong ¤\nlazy var wrongID: String = \"\"", says: "'wrongID' is 'lazy'"),
        Mistake(
            "no written type",
            "// relationship: Wrong ¤\nvar wrongID = \"1\"",
            says: "the type of 'wrongID' is not written"
        ),
        Mistake(
            "tuple",
            "// relationship: Wrong ¤\nlet wrongIDs: (String, Int)",
            says: "declare it as an identifier"
        ),
        Mistake(
            "function",
            "// relationship: Wrong ¤\nlet wrongID: () -> String",
            says: "declare it as an identifier"
        ),
        Mistake(
            "optionals",
            "// relationship: Wrong ¤\nlet wrongID: String??",
            says: "declare it as an identifier"
        ),
        Mistake("other type", "// relationship: Wrong ¤\nlet wrongID: Int", says: "'Wrong' is identified by 'String'"),
        Mistake(
            "other types",
            "// relationship: Wrong ¤\nvar wrongIDs: Swift.Set<Int>?",
            says: "'Wrong' is identified by 'String'"
        ),
        Mistake(
            "plural of one",
            "// relationship: Wrong ¤\nlet wrongIDs: String",
            says: "is named like several identifiers"
        ),
        Mistake(
            "singular of several",
            "// relationship: Wrong ¤\nlet wrongID: [String]",
            says: "is named like one identifier"
        ),
    ]

    static let inNames = [
        Mistake("entity", "// relationship: Wrong ¤\nlet wrong: Wrong?", says: "declare 'wrongID: Wrong.ID?'"),
        Mistake("no ending", "// relationship: Wrong ¤\nlet wrong: String", says: "no accessor name can be derived"),
        Mistake("no word", "// relationship: Wrong ¤\nlet GUID: String", says: "no accessor name can be derived"),
        Mistake(
            "irregular",
            "// relationship: Wrong ¤\nlet childIDs: [String]",
            says: "the plural of 'child' is irregular"
        ),
        Mistake(
            "unusable",
            "// relationship: Wrong, name: self ¤\nlet wrongID: String",
            says: "can't be the name of an accessor"
        ),
        Mistake(
            "unusable word",
            "// relationship: Wrong ¤\nlet initID: String",
            says: "can't be the name of an accessor"
        ),
        Mistake(
            "member",
            "// relationship: Wrong ¤\nlet wrongID: String\nlet wrong = 1",
            says: "already has a member 'wrong'"
        ),
        Mistake(
            "setter",
            "// relationship: Wrong ¤\nlet wrongID: String\nfunc setWrong(_ a: Int, in b: Int) {}",
            says: "already has a member 'setWrong(_:in:)'"
        ),
        Mistake(
            "fetching",
            "// relationship: Wrong ¤\nlet wrongIDs: [String]\nfunc fetchWrongs() {}",
            says: "already has a member 'fetchWrongs'"
        ),
        Mistake(
            "generated twice",
            "// relationship: Wrong\nlet wrongID: String\n// relationship: Wrong ¤\nlet wrongId: String",
            says: "already generates a member 'wrong'"
        ),
        Mistake(
            "handle",
            "// relationship: Wrong, name: value ¤\nlet wrongID: String",
            says: "every handle already has a member"
        ),
        Mistake(
            "name of the library",
            "// relationship: Wrong, name: FlatCache ¤\nlet wrongID: String",
            says: "accessors refer to 'FlatCache'"
        ),
        Mistake(
            "member like the library",
            .topLevel,
            "struct Inner {\nstatic let FlatCache = 1\n// relationship: Wrong ¤\nlet wrongID: String\n}",
            says: "accessors refer to 'FlatCache'"
        ),
        Mistake(
            "description",
            "// relationship: Wrong\nlet wrongID: String\nenum Relationships {}",
            says: "Relationships"
        ),
    ]

    static let inTypes = [
        Mistake("unknown type", "// relationship: Wrnog ¤\nlet wrongID: String", says: "did you mean 'Wrong'?"),
        Mistake(
            "other module",
            "// relationship: People.Person ¤\nlet wrongID: String",
            says: "nor a module that this file imports"
        ),
        Mistake(
            "no such type",
            "// relationship: Zzzzzzzzzz ¤\nlet wrongID: String",
            says: "is not a type of this target"
        ),
        Mistake("protocol", "// relationship: WrongProtocol ¤\nlet wrongID: String", says: "is a protocol"),
        Mistake("generic type", "// relationship: WrongBox ¤\nlet wrongID: String", says: "'WrongBox' is generic"),
        Mistake(
            "in a generic type",
            "// relationship: WrongBox.Item ¤\nlet wrongID: String",
            says: "'WrongBox.Item' is generic"
        ),
        Mistake("hidden", "// relationship: Hidden ¤\nlet wrongID: String", says: "'Hidden' is private"),
        Mistake(
            "in a hidden type",
            "// relationship: HiddenSpace.Tag ¤\nlet wrongID: String",
            says: "'HiddenSpace' is fileprivate"
        ),
    ]

    static let inOwners =
        ["class", "actor"].map { kind in
            Mistake(
                kind,
                .topLevel,
                "\(kind) Inner {\n// relationship: Wrong ¤\nvar wrongID: String = \"\"\n}",
                says: "only structs and enums can have relationships"
            )
        }
        + ["private", "fileprivate"].map { access in
            Mistake(
                "\(access) owner",
                .topLevel,
                "\(access) struct Inner {\n// relationship: Wrong ¤\nvar wrongID: String\n}",
                says: "'Inner' is \(access)"
            )
        } + [
            Mistake(
                "local owner",
                .topLevel,
                "func f() {\nstruct Inner {\n// relationship: Wrong ¤\nvar wrongID: String\n}\n}",
                says: "'Inner' is declared inside a function"
            )
        ]
}
