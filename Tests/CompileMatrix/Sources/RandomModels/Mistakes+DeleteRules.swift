extension Mistake {
    static let inDeleteRules = [
        Mistake(
            "misspelled rule",
            "// relationship: Wrong, delete: casade ¤\nlet wrongID: String",
            says: "did you mean 'cascade'?"
        ),
        Mistake(
            "no rule",
            "/*¤*/ let wrongID: String // relationship: Wrong, delete:",
            says: "the value of 'delete' is missing"
        ),
        Mistake(
            "required identifier that is to be cleared",
            "// relationship: Self, name: second2, delete: nullify ¤\nvar twoID: ID",
            says: "'twoID' can't be nil"
        ),
        Mistake(
            "constant that is to be cleared",
            "// relationship: Self, name: second2, delete: nullify ¤\nlet twoID: ID?",
            says: "'twoID' is a constant"
        ),
        Mistake(
            "private setter of an identifier that is to be cleared",
            "// relationship: Self, name: second2, delete: nullify ¤\nprivate(set) var twoID: ID?",
            says: "the generated code can't set 'twoID'"
        ),
    ]
}
