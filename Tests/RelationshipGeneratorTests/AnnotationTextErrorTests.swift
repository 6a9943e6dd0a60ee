import Testing

@Suite("Errors in the text of annotations")
struct AnnotationTextErrorTests {
    @Test(
        "An annotation with a wrong keyword or in another kind of comment",
        arguments: [
            Mistake(
                "wrong case",
                "    // Relationship: Author\n    let authorID: String",
                "5:5 'Relationship:' looks like an annotation; write 'relationship:' in lower case"
            ),
            Mistake(
                "misspelled",
                "    // relationshp: Author\n    let authorID: String",
                "5:5 'relationshp:' looks like an annotation; did you mean 'relationship:'?"
            ),
            Mistake(
                "plural",
                "    // relationships: Author\n    let authorID: String",
                "5:5 'relationships:' looks like an annotation; did you mean 'relationship:'?"
            ),
            Mistake(
                "short",
                "    // relation: Author\n    let authorID: String",
                "5:5 'relation:' looks like an annotation; did you mean 'relationship:'?"
            ),
            Mistake(
                "space before the colon",
                "    // relationship : Author\n    let authorID: String",
                "5:5 'relationship :' looks like an annotation; did you mean 'relationship:'?"
            ),
            Mistake(
                "no colon",
                "    // relationship Author\n    let authorID: String",
                "5:5 'relationship' looks like an annotation; write '// relationship: Author'"
            ),
            Mistake(
                "documentation comment",
                "    /// relationship: Author\n    let authorID: String",
                "5:5 annotation must be a '//' comment; write '// relationship: Author'"
            ),
            Mistake(
                "block comment",
                "    /* relationship: Author */\n    let authorID: String",
                "5:5 annotation must be a '//' comment; write '// relationship: Author'"
            ),
            Mistake(
                "documentation block",
                "    /** relationship: Author */\n    let authorID: String",
                "5:5 annotation must be a '//' comment; write '// relationship: Author'"
            ),
        ]
    )
    func keywords(mistake: Mistake) {
        #expect(errorsOfPost(mistake.source) == mistake.printed)
    }

    @Test(
        "An annotation with a wrong type",
        arguments: [
            Mistake(
                "no type",
                "    // relationship:\n    let authorID: String",
                "5:21 the related type is missing; write '// relationship: Type'"
            ),
            Mistake(
                "only prose",
                "    // relationship: - the author\n    let authorID: String",
                "5:22 the related type is missing; write '// relationship: Type'"
            ),
            Mistake(
                "no type but a key",
                "    // relationship: name: writer\n    let authorID: String",
                "5:22 the related type is missing; write '// relationship: Type'"
            ),
            Mistake(
                "no name",
                "    // relationship: 1st\n    let authorID: String",
                "5:22 '1st' is not the name of a type; write the type of one entity, as in '// relationship: Author'"
            ),
            Mistake(
                "generic type",
                "    // relationship: Box<Comment>\n    let boxID: Int",
                "5:22 'Box<Comment>' is not the name of a type; remove 'Box<' and '>'"
            ),
            Mistake(
                "type with generic arguments",
                "    // relationship: Comment<Int>\n    let commentID: Int",
                "5:22 'Comment<Int>' has generic arguments; declare a type alias for it, and write the alias in the annotation"
            ),
            Mistake(
                "unknown type behind a word",
                "    // relationship: some Subscriber\n    let subscriberID: Int",
                "5:22 'some Subscriber' is not the name of a type; remove 'some'"
            ),
            Mistake(
                "words behind a type that is unknown",
                "    // relationship: Subscriber or Reader\n    let subscriberID: Int",
                "5:33 'or' is neither a key nor prose; write keys as ', name: …', and prose after ' - '"
            ),
            Mistake(
                "generic arguments of a raw name",
                "    // relationship: `A, B`<Int>\n    let authorID: String",
                "5:22 '`A, B`<Int>' is not the name of a type; write the type of one entity, as in "
                    + "'// relationship: Author'"
            ),
        ]
    )
    func types(mistake: Mistake) {
        #expect(errorsOfPost(mistake.source) == mistake.printed)
    }

    @Test(
        "An annotation with a wrong key or value",
        arguments: [
            Mistake(
                "unknown key",
                "    // relationship: Author, nane: writer\n    let authorID: String",
                "5:30 'nane' is not a key of an annotation; did you mean 'name'?"
            ),
            Mistake(
                "key in the wrong case",
                "    // relationship: Author, Name: writer\n    let authorID: String",
                "5:30 'Name' is not a key of an annotation; did you mean 'name'?"
            ),
            Mistake(
                "unknown key like none",
                "    // relationship: Author, cascade: true\n    let authorID: String",
                "5:30 'cascade' is not a key of an annotation; the keys are 'name', 'inverse', 'backlink', 'sorted', 'delete'"
            ),
            Mistake(
                "no value",
                "    // relationship: Author, name:\n    let authorID: String",
                "5:30 the value of 'name' is missing; write 'name: …'"
            ),
            Mistake(
                "value that is no name",
                "    // relationship: Author, name: 1st\n    let authorID: String",
                "5:36 '1st' is not a name; write a Swift identifier after 'name:'"
            ),
            Mistake(
                "key twice",
                "    // relationship: Author, name: a, name: b\n    let authorID: String",
                "5:39 'name' is written twice; write it once"
            ),
            Mistake(
                "key without a value",
                "    // relationship: Author, inverse\n    let authorID: String",
                "5:30 the value of 'inverse' is missing; write 'inverse: …'"
            ),
            Mistake(
                "inverse with its type",
                "    // relationship: Author, inverse: Author.postIDs\n    let authorID: String",
                "5:39 'Author.postIDs' is not a name; write a property of the related type after "
                    + "'inverse:', without the type"
            ),
            Mistake(
                "inverse twice",
                "    // relationship: Author, inverse: a, name: c, inverse: b\n    let authorID: String",
                "5:51 'inverse' is written twice; write it once"
            ),
            Mistake(
                "shortened key",
                "    // relationship: Author, inv: postIDs\n    let authorID: String",
                "5:30 'inv' is not a key of an annotation; the keys are 'name', 'inverse', 'backlink', 'sorted', 'delete'"
            ),
            Mistake(
                "comma and no key",
                "    // relationship: Author, - prose\n    let authorID: String",
                "5:28 no key follows this comma; remove the comma, or write a key after it"
            ),
            Mistake(
                "comma at the end",
                "    // relationship: Author, name: writer,\n    let authorID: String",
                "5:42 no key follows this comma; remove the comma, or write a key after it"
            ),
            Mistake(
                "no comma before a key",
                "    // relationship: Author name: writer\n    let authorID: String",
                "5:29 a comma is missing before 'name'; write ', name'"
            ),
            Mistake(
                "no comma before another key",
                "    // relationship: Author, name: writer inverse: postIDs\n    let authorID: String",
                "5:43 a comma is missing before 'inverse'; write ', inverse'"
            ),
            Mistake(
                "prose behind a comma",
                "    // relationship: Author, who wrote it\n    let authorID: String",
                "5:30 'who' is neither a key nor prose; write keys as ', name: …', and prose after ' - '"
            ),
            Mistake(
                "text",
                "    // relationship: Author the writer\n    let authorID: String",
                "5:29 'the' is neither a key nor prose; write keys as ', name: …', and prose after ' - '"
            ),
        ]
    )
    func keys(mistake: Mistake) {
        #expect(errorsOfPost(mistake.source) == mistake.printed)
    }

    @Test(
        "An annotation with the former key 'throwing'",
        arguments: [
            Mistake(
                "throwing",
                "    // relationship: Author, throwing\n    let authorID: String",
                "5:30 \(unneeded)"
            ),
            Mistake(
                "throwing, with a value",
                "    // relationship: Author, throwing: true\n    let authorID: String",
                "5:30 \(unneeded)"
            ),
            Mistake(
                "throwing, behind a key",
                "    // relationship: Author, name: writer, throwing\n    let authorID: String",
                "5:44 \(unneeded)"
            ),
            Mistake(
                "throwing, before a key",
                "    // relationship: Author, throwing, name: writer\n    let authorID: String",
                "5:30 \(unneeded)"
            ),
            Mistake(
                "throwing, before prose",
                "    // relationship: Author, throwing - prose\n    let authorID: String",
                "5:30 \(unneeded)"
            ),
            Mistake(
                "throwing, without a comma",
                "    // relationship: Author throwing\n    let authorID: String",
                "5:29 \(unneeded)"
            ),
            Mistake(
                "throwing, without a comma behind a key",
                "    // relationship: Author, name: writer throwing\n    let authorID: String",
                "5:43 \(unneeded)"
            ),
            Mistake(
                "throwing, in another form",
                "    // relationship: Author, throws: true\n    let authorID: String",
                "5:30 'throws' is not a key of an annotation; the keys are 'name', 'inverse', 'backlink', 'sorted', 'delete'"
            ),
        ]
    )
    func throwing(mistake: Mistake) {
        #expect(errorsOfPost(mistake.source) == mistake.printed)
    }

    private static let unneeded =
        "'throwing' is not a key any more; remove it, and call 'require(\\.name)', which throws for every relationship"
}
