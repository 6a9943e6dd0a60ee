extension Mistake {
    static let inBacklinks = [
        Mistake(
            "order without backlink",
            "// relationship: Wrong, sorted: id ¤\nlet wrongID: String",
            says: "'sorted:' orders a backlink"
        ),
        Mistake(
            "no backlink",
            "/*¤*/ let wrongID: String // relationship: Wrong, backlink:",
            says: "the value of 'backlink' is missing"
        ),
        Mistake(
            "backlink and inverse",
            "// relationship: Wrong, inverse: otherID, backlink: all ¤\nlet wrongID: String",
            says: "has either an inverse, which is stored, or a backlink"
        ),
        Mistake(
            "misspelled backlink",
            "// relationship: Wrong, backlnik: all ¤\nlet wrongID: String",
            says: "did you mean 'backlink'?"
        ),
        Mistake("computed index", "// cache: index ¤\nvar sum: Int { 1 }", says: "'sum' is computed"),
        Mistake("static index", "// cache: index, unique ¤\nstatic let sum = 1", says: "'sum' is static"),
        Mistake("misspelled index", "// cache: indxe ¤\nlet sum: Int", says: "did you mean 'index'?"),
        Mistake("unique alone", "// cache: unique ¤\nlet sum: Int", says: "write '// cache: index, unique'"),
        Mistake("wrong case of an index", "// Cache: index ¤\nlet sum: Int", says: "write 'cache:' in lower case"),
    ]
}
