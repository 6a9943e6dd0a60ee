import Testing

@Suite("Keys in tables")
struct PayloadTableKeyTests {
    @Test(
        "Keys are the raw values of the coding keys; a variable without a case is local",
        arguments: [
            ("String, CodingKey { case id, a = \"A\" }", #".init("id", \.id), .init("A", \.a), .init(local: \.b)"#),
            ("CodingKey { case id, a, b }", #".init("id", \.id), .init("a", \.a), .init("b", \.b)"#),
            ("Int, CodingKey { case id = 1, b }", #".init("id", \.id), .init(local: \.a), .init("b", \.b)"#),
            ("String, CodingKey { case a = #\"\"\\\"# }", #".init("\"\\", \.a), .init(local: \.b)"#),
            ("String, CodingKey { case a = \"\\0\\n\\u{1}é\" }", #".init("\u{0}\n\u{1}é", \.a), .init(local: \.b)"#),
            ("CodingKey { case b }\ninit(from decoder: any Decoder) throws {}", #".init("b", \.b)"#),
        ]
    )
    func keys(codingKeys: String, entries: String) throws {
        #expect(try payloadTable("var a: Int?\nvar b: Int?\nprivate enum CodingKeys: \(codingKeys)") == "[\(entries)]")
    }

    @Test("A variable without a coding key is in the table, unless an initializer is written by hand")
    func locals() throws {
        let keys = "enum CodingKeys: CodingKey { case id }"
        #expect(
            try payloadTable("var isOpen = false; let one = 1\n\(keys)")
                == #"[.init("id", \.id), .init(local: \.isOpen)]"#
        )
        #expect(
            try payloadTable("#if DEBUG\nvar isOpen = false\n#endif\n\(keys)")
                == #"var keys: [_PayloadKey] = [.init("id", \.id)] #if DEBUG keys += [.init(local: \.isOpen)] #endif return keys"#
        )
        let initializer = "init(from decoder: any Decoder) throws { id = \"\" }"
        #expect(try payloadTable("var isOpen = false\n\(keys)\n\(initializer)") == #"[.init("id", \.id)]"#)
    }

    @Test("The identifier is marked where its key has another name")
    func identifier() throws {
        let keys = "let number: Int\nenum CodingKeys: String, CodingKey { case id = \"uuid\", number = \"id\" }"
        #expect(try payloadTable(keys) == #"[.init(id: "uuid", \.id), .init("id", \.number)]"#)
    }

    @Test(
        "The property that a computed identifier returns is marked as the identifier",
        arguments: [
            ("let number: Int\nvar id: Int { number }", #".init(id: "number", \.number)"#),
            ("let number: Int\nvar id: Int { self.number }", #".init(id: "number", \.number)"#),
            ("let number: Int\nvar id: Int { return number }", #".init(id: "number", \.number)"#),
            ("let number: Int\nvar id: Int { get { return self.number } }", #".init(id: "number", \.number)"#),
            ("let number: Int\nvar id: Int { /* it */ `number` }", #".init(id: "number", \.number)"#),
            ("let number: Int\nvar id: Int { -number }", #".init("number", \.number)"#),
            ("let number: Int\nvar id: Int { get { number } set {} }", #".init("number", \.number)"#),
            ("let number: Int\nvar id: Int { number.magnitude }", #".init("number", \.number)"#),
            ("let number: Int\nvar id: Int { self }", #".init("number", \.number)"#),
            ("private let number: Int\nvar id: Int { number }", #".init("number", Int.self).asIdentifier"#),
            (
                "@Clamped<Int> var n: Int\nvar id: Int { n }",
                #".init("n", wrapped: \.n, as: Clamped<Int>.self).asIdentifier"#
            ),
            (
                "// relationship: Author\nlet authorID: String\nvar id: String { authorID }",
                #".init("authorID", \.authorID, Author.self, "authorId", "author").asIdentifier"#
            ),
            (
                "let number: Int\nvar id: Int { number }\nenum CodingKeys: String, CodingKey { case number = \"id\" }",
                #".init(id: "id", \.number)"#
            ),
        ]
    )
    func computedIdentifier(members: String, entry: String) throws {
        let type = "import FlatCache\nstruct Post: Cachable, Codable {\n\(members)\n}\n\(authorSource)"
        #expect(payloadTable(in: try generate(type)) == "[\(entry)]")
    }

    @Test("A computed identifier can be in an extension, or in one of a protocol")
    func computedIdentifierElsewhere() throws {
        let post = "import FlatCache\nstruct Post: Cachable, Numbered { let number: Int }"
        let own = "extension Post { var id: Int { number } }\nprotocol Numbered: Codable {}"
        let shared =
            "extension Numbered { var id: Int { number } }\nprotocol Numbered: Codable { var number: Int { get } }"
        let constrained =
            "extension Numbered where Self: Sendable { var id: Int { number } }\nprotocol Numbered: Codable {}"
        for (others, entry) in [(own, "id: "), (shared, "id: "), (constrained, "")] {
            #expect(payloadTable(in: try generate("\(post)\n\(others)")) == #"[.init(\#(entry)"number", \.number)]"#)
        }
    }

    @Test("An alias of an enum is followed, and keys of another name have no effect on a custom initializer's table")
    func otherKeys() throws {
        let keys = "var a: Int?\nenum Keys: String, CodingKey { case id = \"ID\" }\n"
        let alias = "typealias CodingKeys = Keys"
        #expect(try payloadTable(keys + alias) == #"[.init(id: "ID", \.id), .init(local: \.a)]"#)
        let initializer = "init(from decoder: any Decoder) throws {}"
        #expect(try payloadTable(keys + initializer) == #"[.init("id", \.id), .init("a", \.a)]"#)
    }

    @Test("Coding keys can be in an extension in another file; those of other types don't matter")
    func keysElsewhere() throws {
        let output = try generate(
            "import FlatCache\nstruct Post: Cachable, Codable { let id: String; struct Inner { enum CodingKeys: String, CodingKey { case x } } }",
            "extension Post { fileprivate enum CodingKeys: String, CodingKey { case id = \"_id\" } }\nenum CodingKeys {}"
        )
        #expect(payloadTable(in: output) == #"[.init(id: "_id", \.id)]"#)
    }

    @Test("Keys under conditions are statements under the same conditions")
    func conditions() throws {
        let output = try generate(
            """
            import FlatCache
            struct Post: Cachable, Codable {
                #if A
                var early: Int
                #endif
                let id: String
                #if A
                var a: Int
                var b: Int
                #else
                var c: Int
                #endif
                var d: Int
                enum CodingKeys: String, CodingKey {
                    case id, early, c
                    #if A
                    case a
                    #if B
                    case b = "bee"
                    #endif
                    #endif
                    case d
                }
            }
            """
        )
        #expect(
            output.hasSuffix(
                """
                    static var payloadKeys: [_PayloadKey] {
                        var keys: [_PayloadKey] = []
                        #if A
                        keys += [.init("early", \\.early)]
                        #endif
                        keys += [.init("id", \\.id)]
                        #if A
                        keys += [.init("a", \\.a)]
                        #endif
                        #if (A) && (B)
                        keys += [.init("bee", \\.b)]
                        #endif
                        #if !(A)
                        keys += [.init("c", \\.c)]
                        #endif
                        keys += [.init("d", \\.d)]
                        return keys
                    }
                }

                """
            )
        )
    }

    @Test(
        "Without coding keys in a branch, the names of the properties are the keys",
        arguments: [
            (
                "#if A\nenum CodingKeys: String, CodingKey { case id = \"ID\" }\n#endif",
                #"#if A keys += [.init(id: "ID", \.id)] #endif #if !(A) keys += [.init("id", \.id)] #endif"#
            ),
            (
                "#if A\nenum CodingKeys: String, CodingKey { case id = \"ID\" }\n#else\nenum CodingKeys: CodingKey { case id }\n#endif",
                #"#if A keys += [.init(id: "ID", \.id)] #endif #if !(A) keys += [.init("id", \.id)] #endif"#
            ),
            (
                "#if A\nenum CodingKeys: CodingKey { case id }\n#elseif B\nenum CodingKeys: CodingKey { case id }\n#endif",
                #"#if A keys += [.init("id", \.id)] #endif #if !(A) && (B) keys += [.init("id", \.id)] #endif "#
                    + #"#if !(((A)) || (!(A) && (B))) keys += [.init("id", \.id)] #endif"#
            ),
        ]
    )
    func conditionalCodingKeys(codingKeys: String, statements: String) throws {
        #expect(try payloadTable(codingKeys) == "var keys: [_PayloadKey] = [] \(statements) return keys")
    }

    @Test(
        "A relationship lists the other keys of its related entities",
        arguments: [
            ("authorID: String", "", #"["authorId", "author"]"#), ("author_id: String", "", #"["author"]"#),
            ("authorID: String", ", name: writer", #"["authorId", "writer", "author"]"#),
            ("replyToID: String?", ", name: repliedTo", #"["replyToId", "repliedTo", "replyTo"]"#),
            ("authorIDs: [String]", "", #"["authorIds", "authors"]"#),
            ("storyIDs: [String]", "", #"["storyIds", "stories"]"#),
            ("authorIdentifier: String", "", #"["author"]"#),
            ("GUID: String", ", name: author", #"["author"]"#),
            ("writer: String", ", name: author", #"["author"]"#),
            ("mediaAttachmentIDs: [String]", "", #"["mediaAttachmentIds", "mediaAttachments"]"#),
            ("mainURLAuthorID: String", "", #"["mainUrlAuthorId", "mainURLAuthor", "mainUrlAuthor"]"#),
            (
                "mainURLAuthorIDs: [String]", "",
                #"["mainUrlAuthorIds", "mainUrlAuthorIDs", "mainURLAuthors", "mainUrlAuthors"]"#
            ),
            ("ownerURL: String", ", name: owner", #"["ownerUrl", "owner"]"#),
            ("authorID: String", ", name: theURLOwner", #"["authorId", "theURLOwner", "theUrlOwner", "author"]"#),
        ]
    )
    func alternatives(property: String, key: String, expected: String) throws {
        let name = property.prefix { $0 != ":" }
        let list = expected.dropFirst().dropLast()
        #expect(
            try payloadTable("// relationship: Author\(key)\nvar \(property)", others: authorSource)
                == #"[.init("id", \.id), .init("\#(name)", \.\#(name), Author.self, \#(list))]"#
        )
    }

    @Test("The alternatives of a written key are its own, and the accessor's name in both cases")
    func alternativesOfCodingKeys() throws {
        let output = try payloadTable(
            """
            // relationship: Author, name: mainAuthor
            var a: String
            // relationship: Author
            var mediaAuthorIDs: [String]
            // relationship: Author, name: reply
            var c: String
            // relationship: Author, name: other
            var d: String
            var text: String
            enum CodingKeys: String, CodingKey {
                case id, a = "in_reply_to_id", mediaAuthorIDs = "media_author_ids", c = "text_id", d = "reply_id", text
            }
            """,
            others: authorSource
        )
        #expect(
            output == #"[.init("id", \.id), "#
                + #".init("in_reply_to_id", \.a, Author.self, "mainAuthor", "main_author", "in_reply_to"), "#
                + #".init("media_author_ids", \.mediaAuthorIDs, Author.self, "mediaAuthors", "media_authors"), "#
                + #".init("text_id", \.c, Author.self, "reply"), .init("reply_id", \.d, Author.self, "other"), "#
                + #".init("text", \.text)]"#
        )
    }
}
