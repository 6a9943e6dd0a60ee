extension Mistake {
    static let inShapes = [
        Mistake(
            "three levels",
            "// relationship: Wrong ¤\nlet wrongIDs: [[[String]]]",
            says: "declare 'wrongIDs: [[Wrong.ID]]'"
        ),
        Mistake(
            "set of arrays",
            "// relationship: Wrong ¤\nlet wrongIDs: Swift.Set<[String]>",
            says: "a set of arrays"
        ),
        Mistake(
            "array of sets",
            "let wrongIDs: [Swift.Set<String>?]? // relationship: Wrong ¤",
            says: "an array of optional sets"
        ),
        Mistake(
            "optionals in rows",
            "// relationship: Wrong ¤\nvar wrongIDs: [[String?]]",
            says: "an array of arrays of optionals"
        ),
        Mistake(
            "arrays by key",
            "// relationship: Wrong ¤\nvar wrongIDs: [Int: [String]]",
            says: "declare 'wrongIDs: [Int: Wrong.ID]'"
        ),
        Mistake(
            "optionals by key",
            "// relationship: Wrong ¤\nvar wrongIDs: [Int: String?]",
            says: "a dictionary of optionals"
        ),
        Mistake("array as key", "// relationship: Wrong ¤\nvar wrongIDs: [[Int]: String]", says: "which is not a name"),
        Mistake(
            "hidden key",
            "// relationship: Wrong ¤\nvar wrongIDs: [HiddenSpace.Tag.ID: String]",
            says: "make it at least internal"
        ),
        Mistake(
            "other type in rows",
            "// relationship: Wrong ¤\nvar wrongIDs: [[Int]]",
            says: "'Wrong' is identified by 'String'"
        ),
        Mistake(
            "other type by key",
            "// relationship: Wrong ¤\nvar wrongIDs: [String: Int]",
            says: "'Wrong' is identified by 'String'"
        ),
        Mistake("singular by key", "// relationship: Wrong ¤\nvar wrongID: [Int: String]", says: "is that of several"),
        Mistake(
            "two values",
            "enum Inner {\n// relationship: Wrong ¤\ncase wrong(String, [Int: Int])\n}",
            says: "has 2 associated values"
        ),
        Mistake("label", "enum Inner { case wrong(id: String) // relationship: Wrong ¤\n}", says: "has the label 'id'"),
        Mistake(
            "indirect",
            "enum Inner {\n// relationship: Wrong ¤\nindirect case wrong(String)\n}",
            says: "remove 'indirect'"
        ),
        Mistake(
            "several cases",
            "enum Inner {\n// relationship: Wrong ¤\ncase wrong(String), none\n}",
            says: "are declared together"
        ),
        Mistake(
            "optional value",
            "enum Inner {\n// relationship: Wrong ¤\ncase wrong(String?)\n}",
            says: "remove the '?'"
        ),
        Mistake(
            "entity in a case",
            "enum Inner {\n// relationship: Wrong ¤\ncase wrong(Wrong)\n}",
            says: "declare 'wrong(Wrong.ID)'"
        ),
        Mistake(
            "noncopyable",
            "enum Inner: ~Copyable {\n// relationship: Wrong ¤\ncase wrong(String)\n}",
            says: "is noncopyable"
        ),
        Mistake(
            "private enum",
            "private enum Inner {\n// relationship: Wrong ¤\ncase wrong(String)\n}",
            says: "'Inner' is private"
        ),
        Mistake(
            "near miss at a case",
            "enum Inner {\n// relation: Wrong ¤\ncase wrong(String)\n}",
            says: "did you mean"
        ),
    ]
}
