extension Mistake {
    private static let one = "// relationship: Self, name: first1\nlet oneID: ID\n"
    private static let two = "// relationship: Self, name: second2, inverse: oneID\nlet twoID: ID\n"

    static let inInverses = [
        Mistake(
            "no such inverse",
            "// relationship: Wrong, inverse: nothingAtAll ¤\nlet wrongID: String",
            says: "'Wrong' has no property 'nothingAtAll'"
        ),
        Mistake(
            "misspelled inverse",
            one + "// relationship: Self, name: third3, inverse: oneld ¤\nlet threeID: ID",
            says: "did you mean 'oneID'?"
        ),
        Mistake(
            "accessor as inverse",
            one + "// relationship: Self, inverse: first1, name: third3 ¤\nlet threeID: ID",
            says: "did you mean 'oneID'?"
        ),
        Mistake(
            "inverse without relationship",
            "// relationship: Wrong, inverse: plainID ¤\nlet wrongID: String",
            says: "has no relationship; write '// relationship: "
        ),
        Mistake(
            "inverse that leads elsewhere",
            "// relationship: Wrong, inverse: otherID ¤\nlet wrongID: String",
            says: "leads to 'Wrong', not back to "
        ),
        Mistake(
            "one of several",
            one + "// relationship: Self, name: second2\nlet twoID: ID\n"
                + "// relationship: Self, inverse: nothingAtAll, name: third3 ¤\nlet threeID: ID",
            says: ", which lead to '"
        ),
        Mistake(
            "inverse of two",
            one + two + "// relationship: Self, name: third3, inverse: oneID ¤\nlet threeID: ID",
            says: "is already the inverse of "
        ),
        Mistake(
            "sides that disagree",
            one + two + "// relationship: Self, inverse: twoID, name: third3 ¤\nlet threeID: ID",
            says: "names 'oneID' as its inverse, not 'threeID'; change one of the two"
        ),
        Mistake(
            "qualified inverse",
            "// relationship: Wrong, inverse: Wrong.otherID ¤\nlet wrongID: String",
            says: "write a property of the related type after 'inverse:'"
        ),
        Mistake(
            "no inverse",
            "/*¤*/ let wrongID: String // relationship: Wrong, inverse:",
            says: "the value of 'inverse' is missing"
        ),
        Mistake(
            "inverse twice",
            "// relationship: Wrong, inverse: otherID, inverse: otherID ¤\nlet wrongID: String",
            says: "'inverse' is written twice"
        ),
    ]
}
